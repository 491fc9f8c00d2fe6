import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { customResourceDefinitions, leases } from '@vdo/kube/types/cluster';
import { persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import {
  type VolumeSnapshot,
  type VolumeSnapshotClass,
  type VolumeSnapshotContent,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from '@vdo/kube/types/snapshots';
import { snapshotCrds } from '@vdo/releases/render/shared/snapshot-crds';
import { afterEach, describe, expect, it } from 'vitest';
import { runSnapshotControllerApp } from '../../snapshot-controller-app.ts';
import { createSimHouse, type SimHouseOptions } from '../../testing/sim-house.ts';

const apiVersion = 'snapshot.storage.k8s.io/v1';
const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const open = async (options: SimHouseOptions & { readonly withApi?: boolean } = {}) => {
  const house = createSimHouse(options);
  await house.setUp();
  const { client, clock } = house;
  const stop = new AbortController();
  const addApi = async () => {
    for (const crd of snapshotCrds) await client.create(customResourceDefinitions, crd);
  };
  if (options.withApi ?? true) await addApi();
  const deps = { clock, random: createSeededRandom(9), logger: silentLogger, metrics: createMetrics() };
  const binding = runSnapshotControllerApp(
    { ...deps, kube: client, leaseNamespace: 'vmware-system-csi', identity: 'snapshot-controller-1' },
    stop.signal,
  );
  endings.push(async () => {
    stop.abort();
    await house.stop();
    await binding;
  });
  const snapshotClass = (name: string, more: Partial<VolumeSnapshotClass> = {}) =>
    client.create<VolumeSnapshotClass>(volumeSnapshotClasses, {
      apiVersion,
      kind: 'VolumeSnapshotClass',
      metadata: { name },
      driver: 'csi.vsphere.vmware.com',
      deletionPolicy: 'Delete',
      ...more,
    });
  const getSnapshot = (name: string) => client.find(volumeSnapshots, { namespace: 'default', name });
  return {
    ...house,
    addApi,
    snapshotClass,
    getSnapshot,
    snapshot: (name: string, spec: VolumeSnapshot['spec']) =>
      client.create<VolumeSnapshot>(volumeSnapshots, {
        apiVersion,
        kind: 'VolumeSnapshot',
        metadata: { name, namespace: 'default' },
        spec,
      }),
    contents: async () => (await client.list(volumeSnapshotContents)).items,
    ready: (name: string) =>
      house.until(`snapshot ${name} is ready`, async () => {
        const found = await getSnapshot(name);
        return found?.status?.readyToUse ? found : undefined;
      }),
    refused: (name: string) =>
      house.until(`snapshot ${name} has an error`, async () => (await getSnapshot(name))?.status?.error?.message),
    disksWithSnapshots: () => house.sim.volumes.list().filter(({ snapshots }) => snapshots.length > 0),
  };
};
const ofClaim = (persistentVolumeClaimName: string, volumeSnapshotClassName?: string) => ({
  source: { persistentVolumeClaimName },
  ...(volumeSnapshotClassName ? { volumeSnapshotClassName } : {}),
});
const restoring = (name: string) => ({
  dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name },
});

describe('a VolumeSnapshot', () => {
  it('is taken, told of, restored from, and deleted with its content', async () => {
    const house = await open();
    house.start();
    await house.snapshotClass('snap');
    await house.claim('data');
    await house.bound('data');
    await house.snapshot('monday', ofClaim('data', 'snap'));
    const { status, metadata } = await house.ready('monday');
    expect(status).toMatchObject({ boundVolumeSnapshotContentName: `snapcontent-${metadata.uid}`, restoreSize: '1Gi' });
    expect(status?.creationTime).toMatch(/^\d{4}-/);
    const [content] = await house.contents();
    expect(content?.metadata.annotations ?? {}).not.toHaveProperty(
      'snapshot.storage.kubernetes.io/volumesnapshot-being-created',
    );
    expect(content?.status).toMatchObject({ readyToUse: true, restoreSize: 1024 ** 3 });
    const [disk] = house.disksWithSnapshots();
    expect(content?.status?.snapshotHandle).toBe(`${disk?.id}+${disk?.snapshots[0]?.id}`);
    // The claim is held only while the snapshot is being taken.
    await house.until('the claim is let go', async () => {
      const finalizers = (await house.getClaim('data'))?.metadata.finalizers ?? [];
      return !finalizers.includes('snapshot.storage.kubernetes.io/pvc-as-source-protection');
    });

    await house.claim('copy', 'vsphere', restoring('monday'));
    await house.bound('copy');
    await house.client.delete(volumeSnapshots, { namespace: 'default', name: 'monday' });
    await house.until('the snapshot is gone', async () => (await house.getSnapshot('monday')) === undefined);
    expect(await house.contents()).toEqual([]);
    expect(house.disksWithSnapshots()).toEqual([]);
  });

  it('without a class uses the default of its driver', async () => {
    const house = await open();
    house.start();
    await house.claim('data');
    await house.bound('data');
    await house.snapshot('monday', ofClaim('data'));
    expect(await house.refused('monday')).toMatch(/no VolumeSnapshotClass is the default.*\[SnapshotNotBound\]/);
    const annotations = { 'snapshot.storage.kubernetes.io/is-default-class': 'true' };
    await house.snapshotClass('other', { metadata: { name: 'other', annotations }, driver: 'example.com' });
    await house.snapshotClass('snap', { metadata: { name: 'snap', annotations } });
    const { spec, status } = await house.ready('monday');
    expect(spec.volumeSnapshotClassName).toBe('snap');
    expect(status?.error).toBeUndefined();
  });

  it.each([
    ['of no claim', ofClaim('nowhere', 'snap'), /claim default\/nowhere does not exist/],
    ['of a class that is missing', ofClaim('data', 'gone'), /VolumeSnapshotClass gone does not exist/],
    ['of a class of another driver', ofClaim('data', 'foreign'), /for driver example\.com/],
    ['of a content that is missing', { source: { volumeSnapshotContentName: 'none' } }, /none does not exist/],
  ])('%s is told what is wrong', async (_name, spec, message) => {
    const house = await open();
    house.start();
    await house.snapshotClass('snap');
    await house.snapshotClass('foreign', { driver: 'example.com' });
    await house.claim('data');
    await house.bound('data');
    await house.snapshot('monday', spec);
    expect(await house.refused('monday')).toMatch(message);
    const warned = await house.until('an event', async () =>
      (await house.eventsOf('monday')).find(({ type }) => type === 'Warning'),
    );
    expect(warned.message).toMatch(message);
  });

  it('of policy Retain leaves its content and its snapshot behind', async () => {
    const house = await open();
    house.start();
    await house.snapshotClass('keep', { deletionPolicy: 'Retain' });
    await house.claim('data');
    await house.bound('data');
    await house.snapshot('monday', ofClaim('data', 'keep'));
    await house.ready('monday');
    await house.client.delete(volumeSnapshots, { namespace: 'default', name: 'monday' });
    await house.until('the snapshot is gone', async () => (await house.getSnapshot('monday')) === undefined);
    await house.clock.advance(60_000);
    expect(house.disksWithSnapshots()).toHaveLength(1);
    // Deleting the content by hand removes the object alone.
    const [content] = await house.contents();
    await house.client.delete(volumeSnapshotContents, { name: content?.metadata.name ?? '' });
    await house.until('the content is gone', async () => (await house.contents()).length === 0);
    expect(house.disksWithSnapshots()).toHaveLength(1);
  });

  it('of a snapshot that exists is bound to a content made by hand', async () => {
    const house = await open();
    house.start();
    await house.snapshotClass('keep', { deletionPolicy: 'Retain' });
    await house.claim('data');
    await house.bound('data');
    await house.snapshot('first', ofClaim('data', 'keep'));
    await house.ready('first');
    const [taken] = await house.contents();
    const byHand = (snapshotHandle: string): VolumeSnapshotContent => ({
      apiVersion,
      kind: 'VolumeSnapshotContent',
      metadata: { name: 'by-hand' },
      spec: {
        driver: 'csi.vsphere.vmware.com',
        deletionPolicy: 'Delete',
        source: { snapshotHandle },
        volumeSnapshotRef: { name: 'second', namespace: 'default' },
      },
    });
    await house.client.create(volumeSnapshotContents, byHand(taken?.status?.snapshotHandle ?? ''));
    await house.snapshot('second', { source: { volumeSnapshotContentName: 'by-hand' } });
    const { status } = await house.ready('second');
    expect(status).toMatchObject({ boundVolumeSnapshotContentName: 'by-hand', restoreSize: '1Gi' });
    await house.client.delete(volumeSnapshots, { namespace: 'default', name: 'second' });
    // The first content has it too, and is to retain it.
    const { name = '' } = taken?.metadata ?? {};
    const warned = await house.until('somebody is told', async () =>
      (await house.eventsOf('by-hand')).find(({ reason }) => reason === 'SnapshotDeleteError'),
    );
    expect(warned.message).toContain(`VolumeSnapshotContent ${name} has it too`);
    await house.clock.advance(60_000);
    expect(house.disksWithSnapshots()).toHaveLength(1);
    await house.client.delete(volumeSnapshots, { namespace: 'default', name: 'first' });
    await house.until('the first is gone', async () => (await house.getSnapshot('first')) === undefined);
    await house.client.delete(volumeSnapshotContents, { name });
    await house.until('the snapshot is gone', async () => (await house.getSnapshot('second')) === undefined);
    expect(house.disksWithSnapshots()).toEqual([]);
  });

  it('of another cluster is restored from only where a PersistentVolume names its volume, which is never cloned', async () => {
    const house = await open();
    const before = house.start('replica-1', 'cluster-b');
    await house.snapshotClass('keep', { deletionPolicy: 'Retain' });
    await house.claim('data');
    const { spec } = await house.bound('data');
    await house.snapshot('monday', ofClaim('data', 'keep'));
    await house.ready('monday');
    before.stop();
    await house.clock.advance(60_000);
    house.start('replica-2', 'cluster-a');
    await house.claim('restored', 'vsphere', restoring('monday'));
    await house.bound('restored');
    await house.claim('clone', 'vsphere', { dataSource: { kind: 'PersistentVolumeClaim', name: 'data' } });
    const said = (name: string) =>
      house.until(`claim ${name} is refused`, async () => {
        const found = (await house.eventsOf(name)).find(({ message }) => message?.includes('[VolumeForeign]'));
        return found?.message;
      });
    expect(await said('clone')).toMatch(/Take a VolumeSnapshot there/);

    const volume = { name: spec.volumeName ?? '' };
    await house.client.delete(persistentVolumes, volume);
    await house.client.patch(persistentVolumes, volume, { type: 'merge', body: { metadata: { finalizers: null } } });
    await house.clock.advance(1_000);
    await house.claim('second', 'vsphere', restoring('monday'));
    expect(await said('second')).toMatch(/create a PersistentVolume with spec\.csi\.volumeHandle/);
    expect(house.sim.volumes.list()).toHaveLength(2);
  });

  it('that is deleted while it is taken goes when it is known, though the controller was replaced meanwhile', async () => {
    const house = await open();
    const first = house.start('replica-1');
    await house.snapshotClass('snap');
    await house.claim('data');
    await house.bound('data');
    house.sim.control.addFault({ method: 'CnsCreateSnapshots', effect: { kind: 'task-latency', ms: 30_000 } });
    await house.snapshot('monday', ofClaim('data', 'snap'));
    await house.until('vCenter was asked', () => house.sim.recorder.count('CnsCreateSnapshots') > 0 || undefined);
    first.kill();
    await house.client.delete(volumeSnapshots, { namespace: 'default', name: 'monday' });
    await house.clock.advance(5_000);
    house.start('replica-2');
    await house.until('the snapshot is gone', async () => (await house.getSnapshot('monday')) === undefined);
    expect(house.disksWithSnapshots()).toEqual([]);
  });

  it('is kept while a claim is being filled from it', async () => {
    const house = await open();
    house.start();
    await house.snapshotClass('snap');
    await house.claim('data');
    await house.bound('data');
    await house.snapshot('monday', ofClaim('data', 'snap'));
    await house.ready('monday');
    await house.claim('copy', 'later', restoring('monday'));
    await house.until('the claim is pending', async () => (await house.getClaim('copy'))?.status?.phase === 'Pending');
    await house.client.delete(volumeSnapshots, { namespace: 'default', name: 'monday' });
    await house.clock.advance(30_000);
    expect(await house.getSnapshot('monday')).toBeDefined();
    expect(house.disksWithSnapshots()).toHaveLength(1);
    await house.client.delete(persistentVolumeClaims, { namespace: 'default', name: 'copy' });
    await house.until('the snapshot is gone', async () => (await house.getSnapshot('monday')) === undefined);
    expect(house.disksWithSnapshots()).toEqual([]);
  });

  it('beyond the limit says so, and is taken when there is room', async () => {
    const house = await open({ csi: { snapshots: { maxPerVolume: 1 } } });
    house.start();
    await house.snapshotClass('snap');
    await house.claim('data');
    await house.bound('data');
    await house.snapshot('first', ofClaim('data', 'snap'));
    await house.ready('first');
    await house.snapshot('second', ofClaim('data', 'snap'));
    expect(await house.refused('second')).toContain('[SnapshotLimitReached]');
    const calls = house.sim.recorder.calls().length;
    await house.clock.advance(60_000);
    expect(house.sim.recorder.calls().length - calls).toBeLessThan(20);
    await house.client.delete(volumeSnapshots, { namespace: 'default', name: 'first' });
    await house.until('second is ready', async () => {
      await house.clock.advance(10_000);
      return (await house.getSnapshot('second'))?.status?.readyToUse;
    });
    expect((await house.getSnapshot('second'))?.status?.error).toBeUndefined();
  });
});

describe('the snapshot API', () => {
  it('may come later: nobody competes for the Leases before', async () => {
    const house = await open({ withApi: false });
    house.start();
    await house.claim('data');
    await house.bound('data');
    const name = 'external-snapshotter-leader-csi-vsphere-vmware-com';
    const lease = () => house.client.find(leases, { namespace: 'vmware-system-csi', name });
    expect(await lease()).toBeUndefined();
    await house.addApi();
    await house.snapshotClass('snap');
    await house.snapshot('monday', ofClaim('data', 'snap'));
    await house.ready('monday');
    expect((await lease())?.spec?.holderIdentity).toBe('replica-1');
  });
});
