import { annotationKeys } from '@vdo/config/names';
import { type VolumeSnapshotContent, volumeSnapshotContents } from '@vdo/kube/types/snapshots';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { afterEach, describe, expect, it } from 'vitest';
import { createDomainTestbed, type DomainTestbed, type DomainTestbedOptions } from '../testing/domain-testbed.ts';

let testbed: DomainTestbed | undefined;
afterEach(async () => {
  await testbed?.close();
  testbed = undefined;
});

/** A volume with a snapshot of the given name. */
const open = async (options: DomainTestbedOptions & { readonly withApi?: boolean; readonly name?: string } = {}) => {
  const { withApi = true, name = 's', ...others } = options;
  testbed = createDomainTestbed(others);
  if (withApi) await testbed.define(volumeSnapshotContents);
  const { volumeId } = await testbed.create('original');
  const { snapshot } = await testbed.call('createSnapshot', { name, sourceVolumeId: volumeId });
  const { call, kube, sims } = testbed;
  const snapshotId = snapshot?.snapshotId ?? '';
  return {
    ...testbed,
    volumeId,
    snapshotId,
    deleteIt: () => call('deleteSnapshot', { snapshotId }),
    snapshots: () => sims.flatMap(({ volumes }) => volumes.list().flatMap((one) => one.snapshots)),
    content: (
      contentName: string,
      { policy = 'Delete', noted }: { readonly policy?: 'Delete' | 'Retain'; readonly noted?: string } = {},
    ) =>
      kube.create<VolumeSnapshotContent>(volumeSnapshotContents, {
        apiVersion: 'snapshot.storage.k8s.io/v1',
        kind: 'VolumeSnapshotContent',
        metadata: {
          name: contentName,
          ...(noted === undefined ? {} : { annotations: { [annotationKeys.vcenterInstance]: noted } }),
        },
        spec: {
          driver: 'csi.vsphere.vmware.com',
          deletionPolicy: policy,
          source: { snapshotHandle: snapshotId },
          volumeSnapshotRef: { name: 'monday', namespace: 'default' },
        },
      }),
  };
};

describe('a snapshot that a caller from outside wants deleted', () => {
  it.each<[string, boolean]>([
    ['nobody has it', true],
    ['the cluster has no snapshot API', false],
  ])('is deleted if %s, and is gone when asked again', async (_, withApi) => {
    const { deleteIt, snapshots } = await open({ withApi });
    await deleteIt();
    expect(snapshots()).toEqual([]);
    await deleteIt();
  });

  it('is deleted if one content has it, which is to delete it', async () => {
    const { deleteIt, snapshots, content } = await open();
    await content('one');
    await deleteIt();
    expect(snapshots()).toEqual([]);
  });

  it.each<[string, readonly Parameters<Awaited<ReturnType<typeof open>>['content']>[], string]>([
    ['its content is to retain it', [['one', { policy: 'Retain' }]], 'policy of VolumeSnapshotContent one is Retain'],
    ['another content has it too', [['one'], ['two', { policy: 'Retain' }]], 'VolumeSnapshotContent two uses it, too'],
    ['its content is of another vCenter', [['one', { noted: 'elsewhere' }]], 'belongs to vCenter elsewhere'],
  ])('stays if %s', async (_, contents, message) => {
    const { deleteIt, snapshots, content, sim } = await open();
    for (const one of contents) await content(...one);
    await expect(deleteIt()).rejects.toMatchObject({ code: 'ActRefused', message: expect.stringContaining(message) });
    expect(snapshots()).toHaveLength(1);
    expect(sim.recorder.count('CnsDeleteSnapshots')).toBe(0);
  });

  it('is deleted on the one of two vCenters that shows it, which its content then names', async () => {
    const model = demoModel();
    // All nodes are on the first.
    const others = model.datacenters.map((one) => ({
      ...one,
      vms: one.vms.map(({ uuid: _, ...vm }, index) => ({ ...vm, name: `other-${index}` })),
    }));
    const domain = await open({ models: [model, { ...model, datacenters: others }] });
    const holder = domain.sims.find(({ volumes }) => volumes.get(domain.volumeId));
    await domain.content('one');
    await domain.deleteIt();
    expect(domain.snapshots()).toEqual([]);
    const { annotations } = (await domain.kube.get(volumeSnapshotContents, { name: 'one' })).metadata;
    expect(annotations?.[annotationKeys.vcenterInstance]).toBe(holder?.instanceUuid);
  });
});

describe('the temporary snapshot of a copy', () => {
  const copying = async () => {
    const domain = await open({ name: 'vdo-copy:copy' });
    const from = { volumeContentSource: { type: { case: 'volume', value: { volumeId: domain.volumeId } } } };
    return { ...domain, copy: () => domain.create('copy', from) };
  };

  it('goes when the copy is made', async () => {
    const { copy, snapshots } = await copying();
    await copy();
    expect(snapshots()).toEqual([]);
  });

  it('stays if somebody made a content of it', async () => {
    const { copy, snapshots, content } = await copying();
    await content('one');
    await expect(copy()).rejects.toMatchObject({
      code: 'ActRefused',
      message: expect.stringContaining('VolumeSnapshotContent one uses it'),
    });
    expect(snapshots()).toHaveLength(1);
  });

  it('goes when the copy is asked for again, although nothing is noted any more', async () => {
    const { copy, call, snapshots, volumeId, kept } = await copying();
    await copy();
    kept.clear();
    await call('createSnapshot', { name: 'vdo-copy:copy', sourceVolumeId: volumeId });
    await copy();
    expect(snapshots()).toEqual([]);
  });
});
