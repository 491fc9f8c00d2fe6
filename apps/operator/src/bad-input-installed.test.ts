import { generateKeyPairSync } from 'node:crypto';
import { createSystemClock } from '@vdo/base/clock';
import type { HttpTransport } from '@vdo/base/http';
import { createHttpClient } from '@vdo/base/http-client';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { events, secrets } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimTestbed, namespace, type SimTestbed } from './testing/sim-testbed.ts';

let testbed: SimTestbed;
/** Where calls to vCenter go instead, once set. */
let elsewhere: HttpTransport | undefined;
/** How often the operator looked. */
let passes = 0;
const clean: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  elsewhere = undefined;
  passes = 0;
  testbed = await createSimTestbed({
    wire: (to, transport) => (request) => {
      if (request.method === 'GET' && request.path.endsWith('/vspheredrivers/cluster')) passes += 1;
      return (to === 'vcenter' && elsewhere ? elsewhere : transport)(request);
    },
  });
  await testbed.joinNode('node-1');
});
afterEach(async () => {
  await testbed.stop();
  for (const step of clean.splice(0)) await step();
});

/** What runs: each workload, and how often its wish was changed. */
const running = async () => {
  const [controllers, agents] = await Promise.all([
    testbed.kube.list(deployments, { namespace }),
    testbed.kube.list(daemonSets, { namespace }),
  ]);
  return [...controllers.items, ...agents.items].map(({ kind, metadata: { name, uid, generation } }) => ({
    kind,
    name,
    uid,
    generation,
  }));
};

const install = async () => {
  await testbed.putSecret(account);
  await testbed.describe();
  await testbed.becomes('Ready', 'True', 'AllReady');
  const before = await running();
  expect(before).toHaveLength(3);
  return before;
};

/** As it is where the CRD is older than the operator: whatever people write reaches the operator. */
const loosenCrd = async () => {
  const name = 'vspheredrivers.vdo.vmware.com';
  const crd = await testbed.kube.get(customResourceDefinitions, { name });
  const open = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = (crd.spec['versions'] as readonly object[]).map((one) => ({ ...one, schema: open }));
  await testbed.kube.patch(customResourceDefinitions, { name }, { type: 'merge', body: { spec: { versions } } });
};

/** vCenter shows a certificate from now on, by TLS over a socket, and it is trusted by thumbprint alone. */
const serveCertificate = async () => {
  const served = await serveVSphereSim(testbed.vsphere, { clock: createSystemClock() });
  clean.push(() => served.close());
  const trust = (thumbprint: string): void => {
    const client = createHttpClient({ origin: served.url, tls: { thumbprints: [thumbprint] } });
    clean.unshift(() => client.close());
    elsewhere = client.transport;
  };
  return { shownThumbprint: served.thumbprints.sha256, trust };
};

const { releases } = loadEmbeddedMatrix();
const matrix = { configMap: { name: 'matrix' } };
const otherThumbprint = Array.from({ length: 32 }, () => 'AB').join(':');

/** What goes wrong with a cluster that runs well, where people see it, and what they are told to do. */
interface Mishap {
  readonly happens: () => Promise<unknown>;
  readonly condition: readonly [type: string, status: string, reason: string];
  readonly says: RegExp;
  /** Default: the reason of the condition. */
  readonly event?: string;
}

const mishaps: Readonly<Record<string, Mishap>> = {
  'the Secret is deleted': {
    happens: () => testbed.kube.delete(secrets, { namespace, name: 'vcenter' }),
    condition: ['CredentialsValid', 'False', 'SecretMissing'],
    says: /kubectl -n vmware-system-vdo create secret generic vcenter/,
  },
  'a field of the spec is wrong, and the CRD is too old to refuse it': {
    happens: async () => {
      await loosenCrd();
      await testbed.describe({ distribution: 'Mine' });
    },
    condition: ['Stalled', 'True', 'ConfigInvalid'],
    says: /spec\.distribution/,
  },
  'no release is compatible': {
    happens: () => testbed.describe({ updates: { policy: 'Pinned', versions: { cpi: '9.9.9', csi: '9.9.9' } } }),
    condition: ['Stalled', 'True', 'NoCompatibleRelease'],
    says: /9\.9\.9[\s\S]*spec\.updates/,
  },
  'the matrix cannot be reached': {
    happens: () => testbed.describe({ updates: { matrix: { url: 'https://matrix.example.com/matrix.json' } } }),
    condition: ['Upgradeable', 'False', 'SourceUnreadable'],
    says: /matrix\.example\.com/,
  },
  'the matrix is signed by a stranger': {
    happens: async () => {
      const stranger = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      await testbed.publish(1, releases, { signWith: stranger });
      await testbed.describe({ updates: { matrix } });
    },
    condition: ['Upgradeable', 'False', 'MatrixSignatureInvalid'],
    says: /trustedKeys/,
  },
};

describe('a cluster that runs well', { timeout: 60_000 }, () => {
  it.each(Object.entries(mishaps))('is not touched when %s', async (_name, { happens, condition, says, event }) => {
    const before = await install();
    await happens();
    const shown = await testbed.becomes(...condition);
    expect(shown.message).toMatch(says);
    // Of a failing check Degraded tells first; Upgradeable says the same after a few words of its own.
    const message = shown.message.replace(/^Fix this before an upgrade to another minor release: /, '');
    expect(await testbed.warnings()).toMatchObject([{ reason: event ?? condition[2], message }]);
    passes = 0;
    await testbed.clock.advance(10 * 60_000);
    expect(await testbed.condition('Available')).toMatchObject({ status: 'True' });
    expect(await running()).toEqual(before);
    expect(passes).toBeGreaterThan(0);
    expect(passes).toBeLessThan(30);
  });

  it('is not touched when vCenter shows another certificate, and no password is sent to it', async () => {
    const before = await install();
    const logins = testbed.vsphere.recorder.count('Login');
    const { shownThumbprint, trust } = await serveCertificate();
    trust(otherThumbprint);
    testbed.vsphere.control.expireSessions();
    await testbed.clock.advance(6 * 60_000);
    const shown = await testbed.becomes('VCenterReachable', 'False', 'VCenterThumbprintMismatch', 6_000);
    expect(shown.message).toContain(`add "${shownThumbprint}" to \`tls.thumbprints\``);
    expect(await testbed.condition('Stalled')).toMatchObject({ status: 'True', reason: 'VCenterThumbprintMismatch' });
    expect(new Set((await testbed.warnings()).map(({ reason }) => reason))).toEqual(
      new Set(['VCenterThumbprintMismatch']),
    );
    expect(testbed.vsphere.recorder.count('Login')).toBe(logins);
    expect(await testbed.condition('Available')).toMatchObject({ status: 'True' });
    expect(await running()).toEqual(before);
    // The remedy: with the thumbprint that the message names the same vCenter is trusted.
    trust(shownThumbprint);
    await testbed.becomes('Ready', 'True', 'AllReady', 12_000);
  });

  it('is not touched by a second resource, neither when it comes nor when it goes', async () => {
    const before = await install();
    const spec = {
      distribution: 'Native',
      vcenters: [{ server: 'other.example.com', credentialsSecret: 'other' }],
      csi: {},
    };
    const second = { apiVersion: 'vdo.vmware.com/v1beta1', kind: 'VSphereDrivers', metadata: { name: 'second' }, spec };
    const { objectType: _, ...untyped } = vsphereDrivers;
    const write = () => testbed.kube.apply<AnyObject>(untyped, second, { fieldManager: 'test', force: true });
    await write();
    const reported = await testbed.until('the second to be told', async () => {
      const found = await testbed.kube.find(vsphereDrivers, { name: 'second' });
      return found?.status?.conditions?.find(({ type }) => type === 'Stalled');
    });
    expect(reported).toMatchObject({ status: 'True', reason: 'ResourceNotSingleton' });
    expect(reported.message).toContain('kubectl delete vspheredrivers second');
    const warned = (await testbed.kube.list(events)).items.filter(
      ({ involvedObject }) => involvedObject.name === 'second',
    );
    expect(warned).toMatchObject([{ type: 'Warning', reason: 'ResourceNotSingleton' }]);
    await testbed.kube.delete(vsphereDrivers, { name: 'second' });
    await testbed.until('the second to go', async () => !(await testbed.kube.find(vsphereDrivers, { name: 'second' })));
    await testbed.clock.advance(60_000);
    expect(await running()).toEqual(before);
    expect(await testbed.condition('Ready')).toMatchObject({ status: 'True' });
  });
});

describe('an image that cannot be pulled', { timeout: 60_000 }, () => {
  it('is told at the installation with its remedy, and what it says helps', async () => {
    testbed.stubs.behave('mirror.example.com', 'ready');
    testbed.stubs.behave('vdo/vdo', 'no-image');
    await testbed.putSecret(account);
    await testbed.describe();
    const shown = await testbed.becomes('Ready', 'False', 'ImagePullFailed');
    expect(shown.message).toMatch(/cannot pull \S*vdo\/vdo/);
    expect(shown.message).toContain('set spec.images.registry to a mirror that has it');
    expect((await testbed.warnings()).map(({ reason }) => reason)).toContain('ImagePullFailed');
    expect(await testbed.condition('Available')).toMatchObject({ status: 'False' });
    expect((await testbed.events()).map(({ reason }) => reason)).not.toContain('RollbackStarted');
    await testbed.describe({ images: { registry: 'mirror.example.com' } });
    await testbed.becomes('Ready', 'True', 'AllReady', 6_000);
  });
});
