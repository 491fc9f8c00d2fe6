import { createActLog, violationsOf } from '@vdo/acts/act-log';
import { withoutClusterId } from '@vdo/acts/sole-use';
import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import type { Reconcile } from '@vdo/kube/controller';
import { createKubeClient } from '@vdo/kube/create-client';
import { createInformer } from '@vdo/kube/create-informer';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import {
  namespaces,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { ObjectKey, Resource } from '@vdo/kube/types/resource';
import {
  type VolumeSnapshot,
  type VolumeSnapshotContent,
  volumeSnapshotContents,
  volumeSnapshots,
} from '@vdo/kube/types/snapshots';
import { type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { snapshotCrds } from '@vdo/releases/render/shared/snapshot-crds';
import { afterEach, describe, expect, it } from 'vitest';
import { createWatchGate } from '../../../../test/stories/troubles.ts';
import { attacherFinalizer } from './attacher/decide-attachment.ts';
import { createVolumeReleaser } from './attacher/release-volume.ts';
import { createClusterInformers } from './create-cluster-informers.ts';
import { createSourceReleaser } from './provisioner/data-source.ts';
import { createContentKeeper } from './snapshots/content-keeper.ts';
import { createClaimReleaser } from './snapshots/guards.ts';
import { createSnapshotBinder, restoredFrom } from './snapshots/snapshot-binder.ts';
import { createSnapshotInformers } from './snapshots/snapshot-informers.ts';
import { snapshotFinalizers } from './snapshots/snapshot-names.ts';

// Caches that stand still, while others change what is in the cluster: no finalizer may go because a cache does not know who needs it.
const snapshotApi = 'snapshot.storage.k8s.io/v1';
const cloning = 'provisioner.storage.kubernetes.io/cloning-protection';
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const claim = (name: string, more: Partial<PersistentVolumeClaim['spec']> = {}, finalizers: string[] = []) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'shop', finalizers },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more },
});
const volume: PersistentVolume = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv', finalizers: [attacherFinalizer] },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: 'h' },
  },
};
const attachment: VolumeAttachment = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  metadata: { name: 'a' },
  spec: { attacher: 'csi.vsphere.vmware.com', nodeName: 'node-1', source: { persistentVolumeName: 'pv' } },
};
const snapshot = (name: string, finalizers: string[] = []): VolumeSnapshot => ({
  apiVersion: snapshotApi,
  kind: 'VolumeSnapshot',
  metadata: { name, namespace: 'shop', finalizers },
  spec: { source: { persistentVolumeClaimName: 'data' } },
});
const content = ({ metadata: { name = '', uid = '' } }: VolumeSnapshot): VolumeSnapshotContent => ({
  apiVersion: snapshotApi,
  kind: 'VolumeSnapshotContent',
  metadata: { name: `snapcontent-${uid}`, finalizers: [snapshotFinalizers.content] },
  spec: {
    driver: 'csi.vsphere.vmware.com',
    deletionPolicy: 'Delete',
    source: { volumeHandle: 'h' },
    volumeSnapshotRef: { name, namespace: 'shop', uid },
  },
});

const openWorld = async () => {
  const clock = createVirtualClock();
  const random = createSeededRandom(1);
  const sim = createKubeSim({ clock, random, logger: silentLogger });
  const api = createKubeClient({ transport: sim.handler, clock, qps: 0 });
  for (const crd of snapshotCrds) await api.create(customResourceDefinitions, crd);
  await api.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  const watches = createWatchGate(clock);
  const kube = createKubeClient({ transport: (request) => watches.through(request, sim.handler), clock, qps: 0 });
  const common = { client: kube, clock, random, logger: silentLogger };
  const informers = createClusterInformers(common);
  const snapshots = createSnapshotInformers({ ...common, kube });
  const claims = createInformer({
    ...common,
    resource: persistentVolumeClaims,
    indexers: { snapshot: (one) => [restoredFrom(one) ?? []].flat() },
  });
  let isHeld = true;
  const fence = {
    assertHeld: () => {
      if (!isHeld) throw new VdoError({ code: 'LeaseLost', message: 'the Lease is lost', remedy: 'Nothing.' });
    },
  };
  const actLog = createActLog();
  const parts = { ...common, kube, informers, snapshots, claims, fence, actLog, soleUse: withoutClusterId };
  const binding = { ...parts, volumes: informers.volumes, events: { record: () => {} } };
  const stop = new AbortController();
  const running = [...informers.all, snapshots.snapshots, snapshots.contents, snapshots.classes, claims].map(
    (informer) => informer.run(stop.signal),
  );
  closing.push(async () => {
    expect(violationsOf(actLog.records())).toEqual([]);
    stop.abort();
    await Promise.all(running);
  });
  /** What became of one look at the object of this key, whether it failed or not. */
  const observe = async (reconcile: Reconcile, key: string): Promise<void> => {
    const looking = reconcile(key, { signal: stop.signal } as never).then(
      () => {},
      () => {},
    );
    await clock.advance(6_000);
    await looking;
  };
  return {
    api,
    watches,
    clock,
    actLog,
    observe,
    loseLease: () => {
      isHeld = false;
    },
    releasers: {
      source: createSourceReleaser(parts),
      attached: createVolumeReleaser(parts),
      taken: createClaimReleaser(binding),
      snapshot: createSnapshotBinder(binding),
      content: createContentKeeper({
        ...parts,
        contents: snapshots.contents,
        classes: snapshots.classes,
        volumes: {} as never,
        events: { record: () => {} },
      }),
    },
    holds: async (resource: Resource<KubeObject>, key: ObjectKey, finalizer: string) =>
      (await api.find(resource, key))?.metadata.finalizers?.includes(finalizer) ?? false,
  };
};
type World = Awaited<ReturnType<typeof openWorld>>;

interface Case {
  readonly what: string;
  readonly releaser: keyof World['releasers'];
  readonly resource: Resource<KubeObject>;
  readonly key: ObjectKey;
  readonly finalizer: string;
  /** What the cache knows. */
  readonly before: (world: World) => Promise<unknown>;
  /** What it does not know. */
  readonly meanwhile: (world: World) => Promise<unknown>;
}
const data = { namespace: 'shop', name: 'data' };
const copying = { dataSource: { kind: 'PersistentVolumeClaim', name: 'data' } };
const restoring = { dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' } };
const setPhase = (world: World, name: string, phase: string) =>
  world.api.patch(
    persistentVolumeClaims,
    { namespace: 'shop', name },
    { type: 'merge', body: { status: { phase } } },
    { subresource: 'status' },
  );

const cases: readonly Case[] = [
  {
    what: 'a claim of which a copy is being made',
    releaser: 'source',
    resource: persistentVolumeClaims,
    key: data,
    finalizer: cloning,
    before: ({ api }) => api.create(persistentVolumeClaims, claim('data', {}, [cloning])),
    meanwhile: ({ api }) => api.create(persistentVolumeClaims, claim('copy', copying)),
  },
  {
    what: 'a claim of which a snapshot is being taken',
    releaser: 'taken',
    resource: persistentVolumeClaims,
    key: data,
    finalizer: snapshotFinalizers.claim,
    before: ({ api }) => api.create(persistentVolumeClaims, claim('data', {}, [snapshotFinalizers.claim])),
    meanwhile: ({ api }) => api.create(volumeSnapshots, snapshot('s')),
  },
  {
    what: 'a volume that is attached',
    releaser: 'attached',
    resource: persistentVolumes,
    key: { name: 'pv' },
    finalizer: attacherFinalizer,
    before: async ({ api }) => {
      await api.create(persistentVolumes, volume);
      await api.delete(persistentVolumes, { name: 'pv' });
    },
    meanwhile: ({ api }) => api.create(volumeAttachments, attachment),
  },
  {
    what: 'a snapshot that a claim is being filled from',
    releaser: 'snapshot',
    resource: volumeSnapshots,
    key: { namespace: 'shop', name: 's' },
    finalizer: snapshotFinalizers.asSource,
    before: async ({ api }) => {
      const made = await api.create(volumeSnapshots, snapshot('s', [snapshotFinalizers.asSource]));
      await api.create(volumeSnapshotContents, content(made));
      await api.delete(volumeSnapshots, { namespace: 'shop', name: 's' });
    },
    meanwhile: async (world) => {
      await world.api.create(persistentVolumeClaims, claim('restored', restoring));
      await setPhase(world, 'restored', 'Pending');
    },
  },
];
const keyText = ({ key }: Case) => [key.namespace, key.name].filter(Boolean).join('/');

describe.each(cases)('$what', (one) => {
  const { releaser, resource, key, finalizer } = one;
  const open = async () => {
    const world = await openWorld();
    await one.before(world);
    await world.clock.advance(1_000);
    return world;
  };

  it('keeps its finalizer although the cache does not know why', async () => {
    const world = await open();
    world.watches.hang();
    await one.meanwhile(world);
    await world.observe(world.releasers[releaser], keyText(one));
    expect(await world.holds(resource, key, finalizer)).toBe(true);
    expect(world.actLog.records()).toEqual([]);
  });

  it('keeps it when the Lease is lost', async () => {
    const world = await open();
    world.loseLease();
    await world.observe(world.releasers[releaser], keyText(one));
    expect(await world.holds(resource, key, finalizer)).toBe(true);
  });

  it('loses it when nobody needs it, on evidence', async () => {
    const world = await open();
    await world.observe(world.releasers[releaser], keyText(one));
    expect(await world.holds(resource, key, finalizer)).toBe(false);
    expect(world.actLog.records().length).toBeGreaterThan(0);
  });
});

describe('a VolumeSnapshotContent', () => {
  const deleted = async (world: World): Promise<string> => {
    const made = content(await world.api.create(volumeSnapshots, snapshot('s')));
    const annotations = { 'snapshot.storage.kubernetes.io/volumesnapshot-being-deleted': 'yes' };
    const name = made.metadata.name ?? '';
    await world.api.create(volumeSnapshotContents, { ...made, metadata: { ...made.metadata, annotations } });
    await world.api.delete(volumeSnapshotContents, { name });
    await world.clock.advance(1_000);
    return name;
  };
  const holds = (world: World, name: string) =>
    world.holds(volumeSnapshotContents, { name }, snapshotFinalizers.content);

  it('stays when its snapshot was taken and the cache does not know it', async () => {
    const world = await openWorld();
    const name = await deleted(world);
    world.watches.hang();
    const body = { status: { snapshotHandle: 'h+1', readyToUse: true } };
    await world.api.patch(volumeSnapshotContents, { name }, { type: 'merge', body }, { subresource: 'status' });
    await world.observe(world.releasers.content, name);
    expect(await holds(world, name)).toBe(true);
  });

  it('stays when the Lease is lost, and goes when it is held', async () => {
    const world = await openWorld();
    const name = await deleted(world);
    world.loseLease();
    await world.observe(world.releasers.content, name);
    expect(await holds(world, name)).toBe(true);
    const other = await openWorld();
    const gone = await deleted(other);
    await other.observe(other.releasers.content, gone);
    expect(await holds(other, gone)).toBe(false);
  });
});
