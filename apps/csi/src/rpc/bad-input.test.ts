import { status } from '@grpc/grpc-js';
import { isVdoError, type VdoError } from '@vdo/base/vdo-error';
import { grpcStatusOf } from '@vdo/csi-proto/testing/grpc-status-of';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capability, createDomainTestbed, type DomainTestbed, nodeId } from '../testing/domain-testbed.ts';
import type { ControllerService } from './controller-service.ts';

let testbed: DomainTestbed;
let theirs: string;
let ours: string;
beforeAll(async () => {
  testbed = createDomainTestbed();
  const cluster = { clusterId: 'another', vSphereUser: 'u', distribution: 'd' };
  const spec = { name: 'theirs', capacityMb: 1024n, datastores: [], cluster };
  const making = testbed.vcenters[0]?.cns.createBlockVolume(spec, { fence: testbed.context.fence });
  theirs = (await testbed.run(making ?? Promise.reject(new Error('no vCenter')))).id;
  ours = (await testbed.create('ours')).volumeId;
});
afterAll(() => testbed.close());

const refusal = async (method: keyof ControllerService, request: Record<string, unknown>): Promise<VdoError> => {
  const error = await testbed.call(method, request).catch((caught: unknown) => caught);
  if (!isVdoError(error))
    throw new Error(`not refused: ${JSON.stringify(error, (_k, v) => (typeof v === 'bigint' ? String(v) : v))}`);
  return error;
};
const create = (change: Record<string, unknown>) => ({
  name: 'pvc-1',
  volumeCapabilities: [capability()],
  parameters: {},
  mutableParameters: {},
  ...change,
});
const withParameters = (parameters: Record<string, string>) => create({ parameters });
const uuid = '00000000-0000-4000-8000-000000000001';
const publish = (change: Record<string, unknown>) => ({
  volumeId: uuid,
  nodeId: nodeId(1),
  volumeCapability: capability(),
  volumeContext: {},
  ...change,
});

/** What is wrong → what is said of it, and what to do. All of it is InvalidArgument. */
const table: Readonly<
  Record<string, readonly [keyof ControllerService, () => Record<string, unknown>, RegExp, RegExp]>
> = {
  'a StorageClass parameter with a typo': [
    'createVolume',
    () => withParameters({ datastorurl: 'ds:///x/' }),
    /datastorurl is not supported/,
    /Supported parameters are storagepolicyname, datastoreurl/,
  ],
  'diskformat of the in-tree provider': [
    'createVolume',
    () => withParameters({ diskformat: 'thin' }),
    /diskformat is not supported/,
    /Remove it: container volumes are thin/,
  ],
  'datastore of the in-tree provider': [
    'createVolume',
    () => withParameters({ datastore: 'ds-1' }),
    /datastore is not supported/,
    /Use datastoreurl/,
  ],
  'fstype without its prefix': [
    'createVolume',
    () => withParameters({ fstype: 'xfs' }),
    /fstype is not supported/,
    /Use csi\.storage\.k8s\.io\/fstype/,
  ],
  'storagepolicyid instead of the name': [
    'createVolume',
    () => withParameters({ storagepolicyid: 'aa' }),
    /storagepolicyid is not supported/,
    /Use storagepolicyname/,
  ],
  'an empty parameter': [
    'createVolume',
    () => withParameters({ storagepolicyname: ' ' }),
    /storagepolicyname has the value " "/,
    /Set storagepolicyname to a value/,
  ],
  'a parameter twice': [
    'createVolume',
    () => withParameters({ datastoreurl: 'ds:///a/', DatastoreURL: 'ds:///b/' }),
    /DatastoreURL has the value/,
    /set twice/,
  ],
  'a datastore by name where a URL belongs': [
    'createVolume',
    () => withParameters({ datastoreurl: 'shared-vmfs' }),
    /value "shared-vmfs"/,
    /such as ds:\/\/\/vmfs\/volumes/,
  ],
  'a file system that nobody knows, in the class': [
    'createVolume',
    () => withParameters({ 'csi.storage.k8s.io/fstype': 'ntfs' }),
    /value "ntfs"/,
    /Use ext4, ext3, xfs or btrfs/,
  ],
  'a policy that vCenter does not have': [
    'createVolume',
    () => withParameters({ storagepolicyname: 'lead' }),
    /no storage policy "lead"; it has/,
    /Correct `storagepolicyname` in the StorageClass/,
  ],
  'a migration parameter in a class of this driver': [
    'createVolume',
    () => withParameters({ 'datastore-migrationparam': 'ds' }),
    /datastore-migrationparam/,
    /Use datastoreurl/,
  ],
  'a vSAN setting of the in-tree provider': [
    'createVolume',
    () => withParameters({ csimigration: 'true', 'iopslimit-migrationparam': '5' }),
    /iopslimit-migrationparam is not supported/,
    /storage policy in vCenter with the setting of iopslimit/,
  ],
  'csimigration by hand': [
    'createVolume',
    () => withParameters({ csimigration: 'yes' }),
    /csimigration has the value "yes"/,
    /Remove csimigration/,
  ],
  'a VolumeAttributesClass that asks for the impossible': [
    'createVolume',
    () => create({ mutableParameters: { iops: '5' } }),
    /iops cannot be changed/,
    /only the parameter storagepolicyname/,
  ],
  'no name': ['createVolume', () => create({ name: '' }), /no name/, /Set name/],
  'a name that is too long': [
    'createVolume',
    () => create({ name: 'x'.repeat(129) }),
    /name has 129 bytes, CSI allows 128/,
    /Shorten name/,
  ],
  'no capability': [
    'createVolume',
    () => create({ volumeCapabilities: [] }),
    /capabilities are missing/,
    /Set volume_capabilities/,
  ],
  'a capability without access mode': [
    'createVolume',
    () => create({ volumeCapabilities: [capability('UNKNOWN')] }),
    /no access mode/,
    /Set access_mode/,
  ],
  'a raw device for many nodes': [
    'createVolume',
    () => create({ volumeCapabilities: [capability('MULTI_NODE_MULTI_WRITER', { block: true })] }),
    /is for several nodes, but a disk can be used by only one/,
    /Use ReadWriteOnce or ReadWriteOncePod for volumeMode Block/,
  ],
  'xfs for many nodes': [
    'createVolume',
    () => create({ volumeCapabilities: [capability('MULTI_NODE_MULTI_WRITER', { fsType: 'xfs' })] }),
    /share a volume only over NFS/,
    /Remove csi\.storage\.k8s\.io\/fstype/,
  ],
  'a raw device and a file system at once': [
    'createVolume',
    () => create({ volumeCapabilities: [capability(), capability('SINGLE_NODE_WRITER', { block: true })] }),
    /both as a raw block device and as a mounted file system/,
    /Request only one of the two/,
  ],
  'no volume id': ['deleteVolume', () => ({ volumeId: '' }), /no volume_id/, /Set volume_id/],
  'a volume id that is too long': [
    'deleteVolume',
    () => ({ volumeId: 'v'.repeat(129) }),
    /129 bytes, CSI allows 128/,
    /Shorten volume_id/,
  ],
  'a path that is too long': [
    'deleteVolume',
    () => ({ volumeId: `[ds] ${'p'.repeat(1100)}.vmdk` }),
    /bytes, CSI allows 1024/,
    /Shorten volume_id/,
  ],
  'a node id that is too long': [
    'controllerPublishVolume',
    () => publish({ nodeId: 'n'.repeat(257) }),
    /257 bytes/,
    /Shorten node_id/,
  ],
  'a snapshot id that is too long': [
    'deleteSnapshot',
    () => ({ snapshotId: 's'.repeat(257) }),
    /257 bytes/,
    /Shorten snapshot_id/,
  ],
  'a publication without capability': [
    'controllerPublishVolume',
    () => publish({ volumeCapability: undefined }),
    /no volume_capability/,
    /Set volume_capability/,
  ],
  'a context of another kind of volume': [
    'controllerPublishVolume',
    () => publish({ volumeContext: { type: 'vSphere CNS File Volume' } }),
    /but its handle requires "vSphere CNS Block Volume"/,
    /Re-create the PersistentVolume/,
  ],
  'a context that is malformed': [
    'controllerPublishVolume',
    () => publish({ volumeId: `file:${uuid}`, volumeContext: { type: '42' } }),
    /attribute type "42"/,
    /volumeAttributes\.type "vSphere CNS File Volume"/,
  ],
  'a disk for many nodes': [
    'controllerPublishVolume',
    () => publish({ volumeId: ours, volumeCapability: capability('MULTI_NODE_MULTI_WRITER') }),
    /is a disk, which only one node can use/,
    /Use ReadWriteOnce or ReadWriteOncePod/,
  ],
  'a volume of another cluster': [
    'deleteVolume',
    () => ({ volumeId: theirs }),
    /belongs to cluster another, but this is cluster cluster-a/,
    /Nothing was changed\. .* set csi\.clusterId to that ID/,
  ],
  'growth without a size': [
    'controllerExpandVolume',
    () => ({ volumeId: uuid }),
    /no capacity_range/,
    /Set capacity_range/,
  ],
  'a snapshot without a name': ['createSnapshot', () => ({ name: '', sourceVolumeId: uuid }), /no name/, /Set name/],
  'a snapshot of nothing': [
    'createSnapshot',
    () => ({ name: 's', sourceVolumeId: '' }),
    /no source_volume_id/,
    /Set source_volume_id/,
  ],
  'a negative number of entries': [
    'listVolumes',
    () => ({ maxEntries: -1, startingToken: '' }),
    /max_entries is -1/,
    /Use 0 for no limit/,
  ],
};

describe('bad input', () => {
  it.each(Object.entries(table))(
    '%s is InvalidArgument with the remedy',
    async (_what, [method, request, message, remedy]) => {
      const error = await refusal(method, request());
      expect(error.message).toMatch(message);
      expect(error.remedy).toMatch(remedy);
      expect(grpcStatusOf[error.code]).toBe(status.INVALID_ARGUMENT);
    },
  );

  it('changes nothing', () => {
    expect(testbed.sim.volumes.list().map(({ id }) => id)).toEqual([theirs, ours]);
  });
});

describe('a volume of another cluster', () => {
  const snapshotOf = async () => {
    const taking = testbed.vcenters[0]?.cns.createSnapshot(theirs, 'theirs', { fence: testbed.context.fence });
    const { id } = await testbed.run(taking ?? Promise.reject(new Error('no vCenter')));
    return `${theirs}+${id}`;
  };
  const attempts: Readonly<
    Record<string, readonly [keyof ControllerService, () => Record<string, unknown> | Promise<Record<string, unknown>>]>
  > = {
    attached: ['controllerPublishVolume', () => publish({ volumeId: theirs })],
    grown: [
      'controllerExpandVolume',
      () => ({ volumeId: theirs, capacityRange: { requiredBytes: 1n << 40n, limitBytes: 0n } }),
    ],
    'put under another policy': [
      'controllerModifyVolume',
      () => ({ volumeId: theirs, mutableParameters: { storagepolicyname: 'vSAN Default Storage Policy' } }),
    ],
    'given a snapshot': ['createSnapshot', () => ({ name: 's', sourceVolumeId: theirs })],
    'robbed of a snapshot': ['deleteSnapshot', async () => ({ snapshotId: await snapshotOf() })],
    deleted: ['deleteVolume', () => ({ volumeId: theirs })],
    cloned: [
      'createVolume',
      () => create({ volumeContentSource: { type: { case: 'volume', value: { volumeId: theirs } } } }),
    ],
    'restored from its snapshot': [
      'createVolume',
      async () => {
        const value = { snapshotId: await snapshotOf() };
        return create({ volumeContentSource: { type: { case: 'snapshot', value } } });
      },
    ],
  };

  it.each(Object.entries(attempts))('is not %s, and nothing changes', async (_what, [method, request]) => {
    const asked = await request();
    const before = testbed.sim.volumes.get(theirs);
    const count = testbed.sim.volumes.list().length;
    const error = await refusal(method, asked);
    expect(error).toMatchObject({ code: 'VolumeForeign', remedy: expect.stringContaining('set csi.clusterId') });
    expect(grpcStatusOf[error.code]).toBe(status.INVALID_ARGUMENT);
    expect(testbed.sim.volumes.get(theirs)).toEqual(before);
    expect(testbed.sim.volumes.list()).toHaveLength(count);
  });
});

describe('bad input of other kinds', () => {
  it.each([
    [
      'a size beyond any disk',
      create({ capacityRange: { requiredBytes: 1n << 60n, limitBytes: 0n } }),
      status.OUT_OF_RANGE,
    ],
    [
      'a limit below the request',
      create({ capacityRange: { requiredBytes: 2n << 30n, limitBytes: 1n << 30n } }),
      status.OUT_OF_RANGE,
    ],
    ['a datastore that no node reaches', withParameters({ datastoreurl: 'ds:///nowhere/' }), status.RESOURCE_EXHAUSTED],
  ])('%s', async (_what, request, code) => {
    expect(grpcStatusOf[(await refusal('createVolume', request)).code]).toBe(code);
  });
});
