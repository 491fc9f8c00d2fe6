import type { ErrorCode } from '@vdo/base/error-codes';
import { VdoError } from '@vdo/base/vdo-error';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createClaimProvisioner, type ProvisionClaimDeps } from './provision-claim.ts';

const driver = 'csi.vsphere.vmware.com';
const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {
    name: 'data',
    namespace: 'default',
    uid: '1',
    annotations: { 'volume.kubernetes.io/storage-provisioner': driver },
  },
  spec: { storageClassName: 'fast', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const storageClass = { apiVersion: 'v1', kind: 'StorageClass', metadata: { name: 'fast' }, provisioner: driver };

/** What the claim is told when its volume cannot be made for this reason. */
const reportedOf = async (code: ErrorCode): Promise<readonly string[]> => {
  const reported: string[] = [];
  const provision = createClaimProvisioner({
    kube: { find: async () => undefined },
    informers: {
      claims: { get: () => claim },
      classes: { get: () => storageClass },
      volumes: { get: () => undefined },
    },
    volumes: {
      createVolume: async () => {
        throw new VdoError({ code, message: 'it did not work', remedy: 'none' });
      },
    },
    events: { record: (_object: unknown, { reason }: { readonly reason: string }) => reported.push(reason) },
    topology: false,
    identity: 'a',
  } as unknown as ProvisionClaimDeps);
  const context = { signal: new AbortController().signal } as Parameters<typeof provision>[1];
  await expect(provision('default/data', context)).rejects.toMatchObject({ code });
  return reported;
};

it('tells a claim why it has no volume, but not that two writers met', async () => {
  expect(await reportedOf('VolumeNoDatastore')).toEqual(['ProvisioningFailed']);
  expect(await reportedOf('KubeConflict')).toEqual([]);
});

describe('a claim whose node was selected before the driver registered on it', () => {
  const annotations = { ...claim.metadata.annotations, 'volume.kubernetes.io/selected-node': 'node-1' };
  const selected = { ...claim, metadata: { ...claim.metadata, annotations } };
  const zone = 'topology.csi.vmware.com/k8s-zone';
  const registered = { name: driver, nodeID: 'node-1', topologyKeys: [zone] };
  const open = (drivers: readonly object[]) => {
    const clock = createVirtualClock();
    const reported: string[] = [];
    const node = { metadata: { name: 'node-1', labels: {} } };
    const seen = { claim: selected as object, node: node as object | undefined, drivers };
    const csiNode = () => ({ metadata: { name: 'node-1' }, spec: { drivers: seen.drivers } });
    const provision = createClaimProvisioner({
      kube: { find: async () => undefined, patch: async () => undefined },
      informers: {
        claims: { get: () => seen.claim },
        classes: { get: () => ({ ...storageClass, volumeBindingMode: 'WaitForFirstConsumer' }) },
        volumes: { get: () => undefined },
        nodes: { get: () => seen.node, list: () => (seen.node ? [seen.node] : []) },
        csiNodes: { get: csiNode, list: () => [csiNode()] },
      },
      events: { record: (_object: unknown, { reason }: { readonly reason: string }) => reported.push(reason) },
      clock,
      topology: true,
      identity: 'a',
    } as unknown as ProvisionClaimDeps);
    const context = { signal: new AbortController().signal } as Parameters<typeof provision>[1];
    return { clock, reported, seen, run: () => provision('default/data', context) };
  };

  it('waits for it without a warning, but not for ever', async () => {
    const { clock, reported, run } = open([]);
    expect(await run()).toEqual({ requeueAfterMs: 30_000 });
    await clock.advance(20_000);
    expect(await run()).toEqual({ requeueAfterMs: 10_000 });
    expect(reported).toEqual([]);
    await clock.advance(10_000);
    await expect(run()).rejects.toMatchObject({ code: 'VolumeNoDatastore' });
    expect(reported).toEqual(['ProvisioningFailed']);
  });

  it('looks again soon if only the labels of the node are still to come', async () => {
    const { clock, reported, run } = open([registered]);
    expect(await run()).toEqual({ requeueAfterMs: 1_000 });
    await clock.advance(29_500);
    expect(await run()).toEqual({ requeueAfterMs: 500 });
    await clock.advance(500);
    await expect(run()).rejects.toMatchObject({ code: 'VolumeNoDatastore' });
    expect(reported).toEqual(['ProvisioningFailed']);
  });

  it('forgets since when it waits as soon as nothing waits, also while it is being deleted', async () => {
    const { clock, seen, run } = open([]);
    expect(await run()).toEqual({ requeueAfterMs: 30_000 });
    seen.claim = { ...selected, metadata: { ...selected.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    await clock.advance(20_000);
    expect(await run()).toBeUndefined();
    seen.claim = selected;
    expect(await run()).toEqual({ requeueAfterMs: 30_000 });
  });

  it.each([
    ['the driver registered there without topology keys', [{ ...registered, topologyKeys: [] }], true],
    ['the node does not exist', [], false],
  ] as const)('fails at once if %s', async (_why, drivers, exists) => {
    const { reported, seen, run } = open(drivers);
    if (!exists) seen.node = undefined;
    await expect(run()).rejects.toMatchObject({ code: 'VolumeNoDatastore' });
    expect(reported).toEqual(['ProvisioningFailed']);
  });
});
