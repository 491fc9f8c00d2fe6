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
import { createSimTestbed, type SimTestbedOptions } from '../../testing/sim-testbed.ts';

const apiVersion = 'snapshot.storage.k8s.io/v1';
const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const open = async (options: SimTestbedOptions & { readonly withApi?: boolean } = {}) => {
  const testbed = createSimTestbed(options);
  await testbed.setUp();
  const { client, clock } = testbed;
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
    await testbed.stop();
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
    ...testbed,
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
      testbed.until(`snapshot ${name} is ready`, async () => {
        const found = await getSnapshot(name);
        return found?.status?.readyToUse ? found : undefined;
      }),
    refused: (name: string) =>
      testbed.until(`snapshot ${name} has an error`, async () => (await getSnapshot(name))?.status?.error?.message),
    disksWithSnapshots: () => testbed.sim.volumes.list().filter(({ snapshots }) => snapshots.length > 0),
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
    const testbed = await open();
    testbed.start();
    await testbed.snapshotClass('snap');
    await testbed.claim('data');
    await testbed.bound('data');
    await testbed.snapshot('monday', ofClaim('data', 'snap'));
    const { status, metadata } = await testbed.ready('monday');
    expect(status).toMatchObject({ boundVolumeSnapshotContentName: `snapcontent-${metadata.uid}`, restoreSize: '1Gi' });
    expect(status?.creationTime).toMatch(/^\d{4}-/);
    const [content] = await testbed.contents();
    expect(content?.metadata.annotations ?? {}).not.toHaveProperty(
      'snapshot.storage.kubernetes.io/volumesnapshot-being-created',
    );
    expect(content?.status).toMatchObject({ readyToUse: true, restoreSize: 1024 ** 3 });
    const [disk] = testbed.disksWithSnapshots();
    expect(content?.status?.snapshotHandle).toBe(`${disk?.id}+${disk?.snapshots[0]?.id}`);
    // The claim is held only while the snapshot is being taken.
    await testbed.until('the claim is let go', async () => {
      const finalizers = (await testbed.getClaim('data'))?.metadata.finalizers ?? [];
      return !finalizers.includes('snapshot.storage.kubernetes.io/pvc-as-source-protection');
    });

    await testbed.claim('copy', 'vsphere', restoring('monday'));
    await testbed.bound('copy');
    await testbed.client.delete(volumeSnapshots, { namespace: 'default', name: 'monday' });
    await testbed.until('the snapshot is gone', async () => (await testbed.getSnapshot('monday')) === undefined);
    expect(await testbed.contents()).toEqual([]);
    expect(testbed.disksWithSnapshots()).toEqual([]);
  });

  it('without a class uses the default of its driver', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.claim('data');
    await testbed.bound('data');
    await testbed.snapshot('monday', ofClaim('data'));
    expect(await testbed.refused('monday')).toMatch(/no VolumeSnapshotClass is the default.*\[SnapshotNotBound\]/);
    const annotations = { 'snapshot.storage.kubernetes.io/is-default-class': 'true' };
    await testbed.snapshotClass('other', { metadata: { name: 'other', annotations }, driver: 'example.com' });
    await testbed.snapshotClass('snap', { metadata: { name: 'snap', annotations } });
    const { spec, status } = await testbed.ready('monday');
    expect(spec.volumeSnapshotClassName).toBe('snap');
    expect(status?.error).toBeUndefined();
  });

  it.each([
    ['of no claim', ofClaim('nowhere', 'snap'), /claim default\/nowhere does not exist/],
    ['of a class that is missing', ofClaim('data', 'gone'), /VolumeSnapshotClass gone does not exist/],
    ['of a class of another driver', ofClaim('data', 'foreign'), /for driver example\.com/],
    ['of a content that is missing', { source: { volumeSnapshotContentName: 'none' } }, /none does not exist/],
  ])('%s is told what is wrong', async (_name, spec, message) => {
    const testbed = await open();
    testbed.start();
    await testbed.snapshotClass('snap');
    await testbed.snapshotClass('foreign', { driver: 'example.com' });
    await testbed.claim('data');
    await testbed.bound('data');
    await testbed.snapshot('monday', spec);
    expect(await testbed.refused('monday')).toMatch(message);
    const warned = await testbed.until('an event', async () =>
      (await testbed.eventsOf('monday')).find(({ type }) => type === 'Warning'),
    );
    expect(warned.message).toMatch(message);
  });

  it('of policy Retain leaves its content and its snapshot behind', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.snapshotClass('keep', { deletionPolicy: 'Retain' });
    await testbed.claim('data');
    await testbed.bound('data');
    await testbed.snapshot('monday', ofClaim('data', 'keep'));
    await testbed.ready('monday');
    await testbed.client.delete(volumeSnapshots, { namespace: 'default', name: 'monday' });
    await testbed.until('the snapshot is gone', async () => (await testbed.getSnapshot('monday')) === undefined);
    await testbed.clock.advance(60_000);
    expect(testbed.disksWithSnapshots()).toHaveLength(1);
    // Deleting the content by hand removes the object alone.
    const [content] = await testbed.contents();
    await testbed.client.delete(volumeSnapshotContents, { name: content?.metadata.name ?? '' });
    await testbed.until('the content is gone', async () => (await testbed.contents()).length === 0);
    expect(testbed.disksWithSnapshots()).toHaveLength(1);
  });

  it('of a snapshot that exists is bound to a content made by hand', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.snapshotClass('keep', { deletionPolicy: 'Retain' });
    await testbed.claim('data');
    await testbed.bound('data');
    await testbed.snapshot('first', ofClaim('data', 'keep'));
    await testbed.ready('first');
    const [taken] = await testbed.contents();
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
    await testbed.client.create(volumeSnapshotContents, byHand(taken?.status?.snapshotHandle ?? ''));
    await testbed.snapshot('second', { source: { volumeSnapshotContentName: 'by-hand' } });
    const { status } = await testbed.ready('second');
    expect(status).toMatchObject({ boundVolumeSnapshotContentName: 'by-hand', restoreSize: '1Gi' });
    await testbed.client.delete(volumeSnapshots, { namespace: 'default', name: 'second' });
    // The first content has it too, and is to retain it.
    const { name = '' } = taken?.metadata ?? {};
    const warned = await testbed.until('somebody is told', async () =>
      (await testbed.eventsOf('by-hand')).find(({ reason }) => reason === 'SnapshotDeleteError'),
    );
    expect(warned.message).toContain(`VolumeSnapshotContent ${name} uses it, too`);
    await testbed.clock.advance(60_000);
    expect(testbed.disksWithSnapshots()).toHaveLength(1);
    await testbed.client.delete(volumeSnapshots, { namespace: 'default', name: 'first' });
    await testbed.until('the first is gone', async () => (await testbed.getSnapshot('first')) === undefined);
    await testbed.client.delete(volumeSnapshotContents, { name });
    await testbed.until('the snapshot is gone', async () => (await testbed.getSnapshot('second')) === undefined);
    expect(testbed.disksWithSnapshots()).toEqual([]);
  });

  it('of another cluster is restored from only where a PersistentVolume names its volume, which is never cloned', async () => {
    const testbed = await open();
    const before = testbed.start('replica-1', 'cluster-b');
    await testbed.snapshotClass('keep', { deletionPolicy: 'Retain' });
    await testbed.claim('data');
    const { spec } = await testbed.bound('data');
    await testbed.snapshot('monday', ofClaim('data', 'keep'));
    await testbed.ready('monday');
    before.stop();
    await testbed.clock.advance(60_000);
    testbed.start('replica-2', 'cluster-a');
    await testbed.claim('restored', 'vsphere', restoring('monday'));
    await testbed.bound('restored');
    await testbed.claim('clone', 'vsphere', { dataSource: { kind: 'PersistentVolumeClaim', name: 'data' } });
    const said = (name: string) =>
      testbed.until(`claim ${name} is refused`, async () => {
        const found = (await testbed.eventsOf(name)).find(({ message }) => message?.includes('[VolumeForeign]'));
        return found?.message;
      });
    expect(await said('clone')).toMatch(/Create a VolumeSnapshot in that cluster/);

    const volume = { name: spec.volumeName ?? '' };
    await testbed.client.delete(persistentVolumes, volume);
    await testbed.client.patch(persistentVolumes, volume, { type: 'merge', body: { metadata: { finalizers: null } } });
    await testbed.clock.advance(1_000);
    await testbed.claim('second', 'vsphere', restoring('monday'));
    expect(await said('second')).toMatch(/create a PersistentVolume with spec\.csi\.volumeHandle/);
    expect(testbed.sim.volumes.list()).toHaveLength(2);
  });

  it('that is deleted while it is taken goes when it is known, though the controller was replaced meanwhile', async () => {
    const testbed = await open();
    const first = testbed.start('replica-1');
    await testbed.snapshotClass('snap');
    await testbed.claim('data');
    await testbed.bound('data');
    testbed.sim.control.addFault({ method: 'CnsCreateSnapshots', effect: { kind: 'task-latency', ms: 30_000 } });
    await testbed.snapshot('monday', ofClaim('data', 'snap'));
    await testbed.until('vCenter was asked', () => testbed.sim.recorder.count('CnsCreateSnapshots') > 0 || undefined);
    first.kill();
    await testbed.client.delete(volumeSnapshots, { namespace: 'default', name: 'monday' });
    await testbed.clock.advance(5_000);
    testbed.start('replica-2');
    await testbed.until('the snapshot is gone', async () => (await testbed.getSnapshot('monday')) === undefined);
    expect(testbed.disksWithSnapshots()).toEqual([]);
  });

  it('is kept while a claim is being filled from it', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.snapshotClass('snap');
    await testbed.claim('data');
    await testbed.bound('data');
    await testbed.snapshot('monday', ofClaim('data', 'snap'));
    await testbed.ready('monday');
    await testbed.claim('copy', 'later', restoring('monday'));
    await testbed.until(
      'the claim is pending',
      async () => (await testbed.getClaim('copy'))?.status?.phase === 'Pending',
    );
    await testbed.client.delete(volumeSnapshots, { namespace: 'default', name: 'monday' });
    await testbed.clock.advance(30_000);
    expect(await testbed.getSnapshot('monday')).toBeDefined();
    expect(testbed.disksWithSnapshots()).toHaveLength(1);
    await testbed.client.delete(persistentVolumeClaims, { namespace: 'default', name: 'copy' });
    await testbed.until('the snapshot is gone', async () => (await testbed.getSnapshot('monday')) === undefined);
    expect(testbed.disksWithSnapshots()).toEqual([]);
  });

  it('beyond the limit says so, and is taken when there is room', async () => {
    const testbed = await open({ csi: { snapshots: { maxPerVolume: 1 } } });
    testbed.start();
    await testbed.snapshotClass('snap');
    await testbed.claim('data');
    await testbed.bound('data');
    await testbed.snapshot('first', ofClaim('data', 'snap'));
    await testbed.ready('first');
    await testbed.snapshot('second', ofClaim('data', 'snap'));
    expect(await testbed.refused('second')).toContain('[SnapshotLimitReached]');
    const calls = testbed.sim.recorder.calls().length;
    await testbed.clock.advance(60_000);
    expect(testbed.sim.recorder.calls().length - calls).toBeLessThan(20);
    await testbed.client.delete(volumeSnapshots, { namespace: 'default', name: 'first' });
    await testbed.until('second is ready', async () => {
      await testbed.clock.advance(10_000);
      return (await testbed.getSnapshot('second'))?.status?.readyToUse;
    });
    expect((await testbed.getSnapshot('second'))?.status?.error).toBeUndefined();
  });
});

describe('the snapshot API', () => {
  it('may come later: nobody competes for the Leases before', async () => {
    const testbed = await open({ withApi: false });
    testbed.start();
    await testbed.claim('data');
    await testbed.bound('data');
    const name = 'external-snapshotter-leader-csi-vsphere-vmware-com';
    const lease = () => testbed.client.find(leases, { namespace: 'vmware-system-csi', name });
    expect(await lease()).toBeUndefined();
    await testbed.addApi();
    await testbed.snapshotClass('snap');
    await testbed.snapshot('monday', ofClaim('data', 'snap'));
    await testbed.ready('monday');
    expect((await lease())?.spec?.holderIdentity).toBe('replica-1');
  });
});
