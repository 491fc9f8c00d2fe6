import { isVdoError } from '@vdo/base/vdo-error';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { deployments } from '@vdo/kube/types/workloads';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSpec } from './decisions/read-spec.ts';
import { account, createSimTestbed, namespace, type SimTestbed, server } from './testing/sim-testbed.ts';

const controller = { name: 'vsphere-csi-controller', namespace };
let testbed: SimTestbed;
beforeEach(async () => {
  testbed = await createSimTestbed();
  await testbed.joinNode('node-1');
});
afterEach(() => testbed.stop());

const installed = async () => {
  await testbed.putSecret(account);
  await testbed.describe();
  await testbed.becomes('Ready', 'True', 'AllReady');
  return (await testbed.kube.get(deployments, controller)).metadata.resourceVersion;
};
const revision = async () => (await testbed.kube.get(deployments, controller)).metadata.resourceVersion;
const logins = (result: string) =>
  testbed.vsphere.recorder.calls().filter((call) => call.method === 'Login' && call.result === result).length;

describe('a wrong spec', () => {
  const good = { distribution: 'Native', vcenters: [{ server, credentialsSecret: 'vcenter' }], cpi: {}, csi: {} };
  const wrong: readonly [string, object, RegExp][] = [
    ['distribution', { distribution: 'Mine' }, /spec\.distribution/],
    ['vcenters', { vcenters: [] }, /spec\.vcenters/],
    ['server', { vcenters: [{ server: 'https://vc', credentialsSecret: 'v' }] }, /spec\.vcenters\[0\]\.server/],
    ['port', { vcenters: [{ server, credentialsSecret: 'v', port: 0 }] }, /spec\.vcenters\[0\]\.port/],
    ['credentialsSecret', { vcenters: [{ server, credentialsSecret: 'V!' }] }, /credentialsSecret/],
    ['thumbprints', { vcenters: [{ ...good.vcenters[0], tls: { thumbprints: ['x'] } }] }, /thumbprints/],
    [
      'tls',
      { vcenters: [{ ...good.vcenters[0], tls: { insecure: true, caBundle: 'x' } }] },
      /set only one of thumbprints/,
    ],
    ['neither driver', { cpi: undefined, csi: undefined }, /nothing to install/],
    ['cpi.replicas', { cpi: { replicas: 9 } }, /spec\.cpi\.replicas/],
    ['cpi.addresses', { cpi: { addresses: { internal: { subnets: ['x'] } } } }, /subnets/],
    ['cpi.nodeLabels', { cpi: { nodeLabels: { 'kubernetes.io/x': 'y' } } }, /reserved for Kubernetes/],
    ['csi.replicas', { csi: { replicas: 0 } }, /spec\.csi\.replicas/],
    ['csi.sidecars', { csi: { sidecars: 'None' } }, /spec\.csi\.sidecars/],
    ['csi.storageClasses', { csi: { storageClasses: [{ name: 'A' }] } }, /storageClasses\[0\]\.name/],
    [
      'two default classes',
      { csi: { storageClasses: ['a', 'b'].map((name) => ({ name, default: true })) } },
      /at most one/,
    ],
    ['cni.manifest', { cni: { manifest: {} } }, /exactly one of url/],
    ['topology', { vcenters: ['a', 'b'].map((name) => ({ server: name, credentialsSecret: 'v' })) }, /needs topology/],
    ['updates.policy', { updates: { policy: 'Never' } }, /spec\.updates\.policy/],
    ['updates.versions', { updates: { policy: 'Pinned' } }, /policy Pinned needs/],
    ['updates.matrix', { updates: { matrix: { url: 'ftp://x' } } }, /spec\.updates\.matrix\.url/],
    ['updates.interval', { updates: { interval: 'soon' } }, /spec\.updates\.interval/],
    ['updates.window', { updates: { window: { start: '25:00' } } }, /spec\.updates\.window\.start/],
    ['images.registry', { images: { registry: '/' } }, /spec\.images\.registry/],
    ['images.pullPolicy', { images: { pullPolicy: 'Sometimes' } }, /pullPolicy/],
    ['deletionPolicy', { deletionPolicy: 'Burn' }, /spec\.deletionPolicy/],
    ['advanced.kubeletPath', { advanced: { kubeletPath: 'var/lib' } }, /kubeletPath/],
    ['advanced.logLevel', { advanced: { logLevel: 'loud' } }, /logLevel/],
  ];

  it.each(wrong)('is told by its field: %s', (_field, change, expected) => {
    const metadata = { name: 'cluster' };
    const resource = {
      apiVersion: 'vdo.vmware.com/v1beta1',
      kind: 'VSphereDrivers',
      metadata,
      spec: { ...good, ...change },
    };
    try {
      readSpec(resource as unknown as VSphereDrivers);
    } catch (error) {
      expect(isVdoError(error, 'ConfigInvalid') && `${error.message} ${error.remedy}`).toMatch(expected);
      return;
    }
    throw new Error('the spec was accepted');
  });

  it('does not reach the API server', async () => {
    await expect(testbed.describe({ distribution: 'Mine' })).rejects.toMatchObject({ code: 'KubeInvalid' });
  });
});

describe('credentials', { timeout: 60_000 }, () => {
  it('that vCenter rejects make one event and one login, and running drivers keep what they have', async () => {
    const before = await installed();
    // Killed first: it would notice the lost session at once, try the new account and die before it could report it.
    testbed.operators[0]?.kill();
    await testbed.clock.advance(1_000);
    await testbed.putSecret({ ...account, password: 'also-obviously-fake' });
    testbed.vsphere.control.expireSessions();
    await testbed.clock.advance(30_000);
    testbed.start('operator-2');
    await testbed.becomes('Ready', 'False', 'VCenterLoginRejected');
    await testbed.clock.advance(10 * 60_000);
    expect(await testbed.condition('Ready')).toMatchObject({ reason: 'VCenterLoginRejected' });
    expect((await testbed.warnings()).map(({ reason }) => reason)).toEqual(['VCenterLoginRejected']);
    expect(logins('InvalidLogin')).toBe(1);
    expect(await testbed.condition('Available')).toMatchObject({ status: 'True' });
    expect(await revision()).toBe(before);
  });

  it('with a missing key name the key', async () => {
    await testbed.putSecret({ username: account.username, password: '' });
    await testbed.describe();
    expect((await testbed.becomes('CredentialsValid', 'False', 'SecretKeysMissing')).message).toContain('password');
    expect(await testbed.warnings()).toMatchObject([{ reason: 'SecretKeysMissing' }]);
  });
});

describe('a vCenter that is away', { timeout: 60_000 }, () => {
  it('keeps nobody from repairing what runs', async () => {
    await installed();
    testbed.network.up = false;
    await testbed.clock.advance(6 * 60_000);
    await testbed.becomes('VCenterReachable', 'False', 'VCenterUnreachable');
    await testbed.kube.delete(deployments, controller);
    await testbed.until('the Deployment to be back', () => testbed.kube.find(deployments, controller), 100);
    expect(await testbed.condition('Ready')).toMatchObject({ status: 'False', reason: 'VCenterUnreachable' });
  });
});

describe('a matrix', { timeout: 60_000 }, () => {
  const { releases } = loadEmbeddedMatrix();
  const updates = { matrix: { configMap: { name: 'matrix' } } };
  const broken: readonly [string, string, () => Promise<unknown>][] = [
    ['that is not there', 'SourceUnreadable', async () => undefined],
    ['that is malformed', 'MatrixInvalid', () => testbed.publish(1, [], { text: '{"serial": 1}' })],
    ['without signature', 'MatrixSignatureInvalid', () => testbed.publish(1, releases, { sign: false })],
  ];

  it.each(broken)('%s is told with its remedy, and nothing that runs is touched', async (_name, reason, publish) => {
    const before = await installed();
    await publish();
    await testbed.describe({ updates });
    const shown = await testbed.becomes('Upgradeable', 'False', reason);
    expect(shown.message).toContain('matrix');
    expect((await testbed.warnings()).map((warning) => warning.reason)).toEqual([reason]);
    expect(await testbed.condition('Ready')).toMatchObject({ status: 'True' });
    expect(await revision()).toBe(before);
  });

  it('that goes back behind its serial is refused, also after a restart', async () => {
    await installed();
    await testbed.publish(7, releases);
    await testbed.describe({ updates });
    await testbed.until('serial 7', async () => (await testbed.drivers())?.status?.versions?.matrix?.serial === 7);
    testbed.operators[0]?.kill();
    await testbed.publish(6, releases);
    await testbed.clock.advance(30_000);
    testbed.start('operator-2');
    expect((await testbed.becomes('Upgradeable', 'False', 'MatrixInvalid')).message).toContain(
      'the serial cannot decrease',
    );
    expect((await testbed.drivers())?.status?.versions?.matrix?.serial).toBe(7);
  });
});

describe('two vCenters', { timeout: 60_000 }, () => {
  it('are both used, and one that refuses is named', async () => {
    await testbed.putSecret(account);
    const second = { server: 'vc2.example.com', credentialsSecret: 'second' };
    const vcenters = [{ server, credentialsSecret: 'vcenter' }, second];
    await testbed.describe({ vcenters, topology: { region: 'k8s-region', zone: 'k8s-zone' } });
    const shown = await testbed.becomes('CredentialsValid', 'False', 'SecretMissing');
    expect(shown.message).toContain('vc2.example.com');
    expect(await testbed.kube.find(deployments, controller)).toBeUndefined();
    await testbed.putSecret(account, 'second');
    await testbed.until('both drivers', () => testbed.kube.find(deployments, controller));
    expect((await testbed.drivers())?.status?.versions?.vcenters?.map((one) => one.server)).toEqual([
      server,
      'vc2.example.com',
    ]);
  });
});

describe('checks', { timeout: 60_000 }, () => {
  it('run at once when the annotation asks for it', async () => {
    await installed();
    // Times are whole seconds: not in the second in which a check runs anyway.
    await testbed.clock.advance(65_000);
    const before = (await testbed.drivers())?.status?.checks?.lastRunTime;
    expect(before).toBeDefined();
    await testbed.describe({}, { 'vdo.vmware.com/run-checks': 'now' });
    await testbed.until('a new run', async () => (await testbed.drivers())?.status?.checks?.lastRunTime !== before, 50);
  });

  it('that fail before the first installation hold it back, and say what helps', async () => {
    await testbed.putSecret({ username: 'cpi@vsphere.local', password: 'obviously-fake-cpi' });
    await testbed.describe();
    const shown = await testbed.becomes('Ready', 'False', 'InstallBlocked');
    expect(shown.message).toContain('privileges/');
    expect(await testbed.condition('PrivilegesSufficient')).toMatchObject({ status: 'False' });
    expect(await testbed.kube.find(deployments, controller)).toBeUndefined();
    await testbed.putSecret(account);
    await testbed.becomes('Ready', 'True', 'AllReady', 2_400);
  });
});

describe('an API server that is too old', () => {
  it('is named with the version that is needed, and nothing is installed', async () => {
    const old = await createSimTestbed({ kubernetesVersion: 'v1.20.3+vendor1' });
    try {
      await old.joinNode('node-1');
      await old.putSecret(account);
      await old.describe();
      const { message } = await old.becomes('Ready', 'False', 'KubeVersionUnsupported');
      expect(message).toContain('v1.20.3+vendor1');
      expect(message).toContain('1.28');
      expect(await old.kube.find(deployments, controller)).toBeUndefined();
    } finally {
      await old.stop();
    }
  });
});
