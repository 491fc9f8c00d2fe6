import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSystemClock } from '@vdo/base/clock';
import { openFence as fence } from '@vdo/base/fence';
import { serveHttp } from '@vdo/base/http-server';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { createSelfSigned } from '@vdo/base/self-signed';
import { VdoError } from '@vdo/base/vdo-error';
import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import { decodeSecretData, readAccount } from '@vdo/config/credentials';
import { driverConfigFromSpec } from '@vdo/config/driver-config-from-spec';
import { readDriverConfig } from '@vdo/config/read-driver-config';
import { writeVsphereConfYaml } from '@vdo/config/vsphere-conf-yaml';
import { connectKube } from '@vdo/kube/connect-kube';
import { namespaces } from '@vdo/kube/types/core';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { connectVCenters } from '@vdo/program/connect-vcenters';
import { credentialsSecret } from '@vdo/releases/render/shared/credentials-secret';
import { simReleases } from '@vdo/sim-world/sim-release';
import { diskUrlPath } from '@vdo/vsphere/fcd/disk-url-path';
import { createLoginGuard } from '@vdo/vsphere/session/login-guard';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { describe, expect, it } from 'vitest';
import { createTempFolder } from '../harness/cleanup.ts';

const clock = createSystemClock();
const secret = { namespace: 'vmware-system-vdo', name: 'vsphere-credentials' };
const account = { username: 'administrator@vsphere.local', password: 'obviously-fake' };

/** The resource of somebody whose vCenter has no name, as the operator hands it to the drivers: by files and Secrets. */
const configOf = (vcenter: object) => {
  const drivers = parseVSphereDrivers({
    apiVersion: 'vdo.vmware.com/v1beta1',
    kind: 'VSphereDrivers',
    metadata: { name: 'cluster' },
    spec: {
      distribution: 'Native',
      vcenters: [{ credentialsSecret: 'vcenter', datacenters: ['demo'], ...vcenter }],
      cpi: { addresses: { families: ['IPv6', 'IPv4'] } },
    },
  });
  const written = writeVsphereConfYaml(driverConfigFromSpec(drivers.spec, { secret }));
  return readDriverConfig(written, { unknownKeys: 'refuse' }).config;
};

/** Its client, with the account that the operator renders into the Secret of the drivers. */
const connect = (config: ReturnType<typeof configOf>) => {
  const server = config.vcenters[0]?.server ?? '';
  const { data } = credentialsSecret([{ server, ...account }], secret);
  const found = readAccount({ data: decodeSecretData(data), server, source: 'the Secret' });
  return connectVCenters(
    {
      config: {
        ...config,
        vcenters: config.vcenters.map((one) => ({ ...one, credentials: { kind: 'inline', ...found } })),
      },
      caBundles: new Map(),
    },
    {
      kube: undefined as never,
      loginGuard: createLoginGuard({ clock, logger: silentLogger }),
      userAgent: 'test',
      clock,
      random: createSeededRandom(2),
      logger: silentLogger,
      metrics: createMetrics(),
    },
  );
};

/** The oldest, the default and the newest: how they are reached does not depend on what they offer. */
const releases = simReleases.filter((one) => ['6.7.3', '8.0.3', '9.1.0'].includes(one));

describe('a vCenter that is named by an IPv6 address', () => {
  it.each(releases)('%s is reached by all its services, by its thumbprint alone', async (version) => {
    const model = { ...demoModel(), version };
    const sim = createVSphereSim({ model, clock, random: createSeededRandom(1), taskLatencyMs: 0 });
    const served = await serveVSphereSim(sim, { clock, host: '::1' });
    const { sha256, sha1 } = served.thumbprints;
    for (const thumbprint of [sha256, sha1]) {
      const connected = connect(configOf({ server: '::1', port: served.port, tls: { thumbprints: [thumbprint] } }));
      const [{ vcenter } = expect.fail('no vCenter')] = connected.members;
      expect((await vcenter.about()).version).toBe(version);
      const resolved = await vcenter.nodes.resolve([{ key: 'n', names: ['node-1'] }], { datacenters: ['demo'] });
      expect(resolved.get('n')?.state).toBe('found');
      expect((await vcenter.tags.categories()).length).toBe(2);
      expect((await vcenter.policies.list()).length).toBeGreaterThan(0);
      const datastores = [sim.control.find('shared-vmfs')];
      const cluster = { clusterId: 'c', vSphereUser: 'u', distribution: 'D' };
      const spec = { name: `v-${thumbprint.length}`, capacityMb: 10n, datastores, cluster };
      expect((await vcenter.cns.createBlockVolume(spec, { fence })).id).not.toBe('');
      await connected.close();
    }
    await served.close();
  });

  it('is not believed with another certificate, and the message has the one it presents', async () => {
    const sim = createVSphereSim({ model: demoModel(), clock, random: createSeededRandom(1) });
    const served = await serveVSphereSim(sim, { clock, host: '::1' });
    const wrong = served.thumbprints.sha256.replace(/^../, (pair) => (pair === '00' ? '11' : '00'));
    const connected = connect(configOf({ server: '::1', port: served.port, tls: { thumbprints: [wrong] } }));
    await expect(connected.members[0]?.vcenter.about()).rejects.toMatchObject({
      message: expect.stringContaining('::1'),
      remedy: expect.stringContaining(served.thumbprints.sha256),
    });
    await connected.close();
    await served.close();
  });

  it.each([
    ['the resource', () => configOf({ server: '[fd00::10]' })],
    ['a file', () => readDriverConfig('vcenter:\n  a:\n    server: "[fd00::10]"\n', { unknownKeys: 'refuse' })],
  ])('in brackets is refused in %s, with the right spelling', (_name, read) => {
    let reported = '';
    try {
      read();
    } catch (error) {
      reported = `${error instanceof VdoError ? `${error.message} ${error.remedy}` : error}`;
    }
    expect(reported).toMatch(/without .*brackets/);
  });

  it('has its brackets in the address of a disk', () => {
    expect(diskUrlPath('fd00::10', '/dc', '[ds] a/b.vmdk')).toBe(
      'https://[fd00::10]/folder/a/b.vmdk?dcPath=dc&dsName=ds',
    );
  });
});

describe('a Kubernetes API that is named by an IPv6 address', () => {
  it('is reached by a kubeconfig', async () => {
    const folder = await createTempFolder('ipv6');
    const sim = createKubeSim({ clock, random: createSeededRandom(1), logger: silentLogger });
    const pair = createSelfSigned({ commonName: 'kubernetes', hosts: ['::1'], nowMs: clock.now() });
    const server = await serveHttp({ handler: sim.handler, host: '::1', port: 0, tls: pair });
    const path = join(folder.path, 'config');
    const cluster = { server: server.url, 'certificate-authority-data': Buffer.from(pair.cert).toString('base64') };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user: {} }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    await writeFile(path, JSON.stringify(config));
    const kube = await connectKube({
      kubeconfigPath: path,
      env: {},
      clock,
      metrics: createMetrics(),
      fieldManager: 't',
    });
    expect((await kube.list(namespaces)).items.map(({ metadata }) => metadata.name)).toContain('kube-system');
    expect(kube.server).toMatch(/^https:\/\/\[::1\]:\d+$/);
    await kube.close();
    await server.close();
    await folder.remove();
  });
});
