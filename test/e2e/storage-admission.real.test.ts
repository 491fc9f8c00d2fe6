import { renderAdmissionPolicies } from '@vdo/releases/render/shared/admission-policies';
import { snapshotCrds } from '@vdo/releases/render/shared/snapshot-crds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from '../harness/control-plane.ts';
import { waitFor } from '../harness/wait-for.ts';

const driver = 'csi.vsphere.vmware.com';
const handle = '6000c29b-0d4d-4a6a-8f2d-1c9a6a4b9f77';
let plane: ControlPlane;

const create = (object: unknown) =>
  plane.kubectl(['create', '--dry-run=server', '-f', '-'], { stdin: JSON.stringify(object) });
const storageClass = (parameters: object, provisioner = driver, more: object = {}) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'tried' },
  provisioner,
  parameters,
  ...more,
});
const snapshotClass = (parameters: object, name = driver) => ({
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshotClass',
  metadata: { name: 'tried' },
  driver: name,
  deletionPolicy: 'Delete',
  parameters,
});
const attributesClass = (parameters: object, driverName = driver) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttributesClass',
  metadata: { name: 'tried' },
  driverName,
  parameters,
});
const volume = (spec: object, csi: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'tried' },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    storageClassName: '',
    csi: { driver, volumeHandle: handle, ...csi },
    ...spec,
  },
});

const named = (object: object, name: string) => ({ ...object, metadata: { name } });
const patch = (kind: string, name: string, body: object) =>
  plane.kubectl(['patch', kind, name, '--type=merge', '--dry-run=server', '-p', JSON.stringify(body)]);

const apply = async (items: readonly unknown[]) =>
  plane.kubectl(['apply', '--server-side', '-f', '-'], {
    stdin: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
  });

describe('the admission policies', () => {
  beforeAll(async () => {
    plane = await startControlPlane({ controllers: [] });
    await apply(snapshotCrds);
    await waitFor(() => plane.kubectl(['get', 'volumesnapshotclasses']), { what: 'the snapshot API' });
    // What was there before the policies, and would be refused now.
    await apply([
      named(volume({ accessModes: ['ReadWriteMany'] }), 'old'),
      named(snapshotClass({ compression: 'on' }), 'old'),
    ]);
    await apply(renderAdmissionPolicies({ snapshots: true, attributesClasses: true, vcenters: [] }));
    // The API server takes a moment to follow new policies.
    const refused = (object: unknown) =>
      create(object).then(
        () => false,
        () => true,
      );
    for (const object of [
      storageClass({ wrong: 'x' }),
      snapshotClass({ wrong: 'x' }),
      attributesClass({ wrong: 'x' }),
      volume({}, { volumeHandle: 'wrong' }),
    ])
      await waitFor(() => refused(object), { what: 'a policy to count', timeoutMs: 60_000 });
  });
  afterAll(() => plane?.stop());

  it.each([
    [
      'a class with everything',
      storageClass({
        StoragePolicyName: 'gold',
        datastoreURL: 'ds:///vmfs/volumes/5f3c/',
        'csi.storage.k8s.io/fstype': 'XFS',
      }),
    ],
    ['a class without parameters', { ...storageClass({}), parameters: undefined }],
    ['a class with secrets, which are ignored', storageClass({ 'csi.storage.k8s.io/provisioner-secret-name': 'x' })],
    ['a class of another driver', storageClass({ anything: 'goes' }, 'example.com')],
    ['a snapshot class', snapshotClass({})],
    ['a snapshot class of another driver', snapshotClass({ anything: 'goes' }, 'example.com')],
    ['an attributes class', attributesClass({ storagePolicyName: 'gold' })],
    ['an attributes class of another driver', attributesClass({ anything: 'goes' }, 'example.com')],
    ['a disk', volume({})],
    ['a raw disk', volume({ volumeMode: 'Block' })],
    ['a file share for many', volume({ accessModes: ['ReadWriteMany'] }, { volumeHandle: `file:${handle}` })],
    ['a disk of the in-tree provider', volume({}, { volumeHandle: '[vsanDatastore] kubevols/a.vmdk' })],
    ['a volume of another driver', volume({}, { driver: 'example.com', volumeHandle: 'x' })],
  ])('let pass %s', (_name, object) => expect(create(object)).resolves.toContain('created'));

  it.each([
    [
      'an unknown parameter',
      storageClass({ datastorurl: 'ds:///x/' }),
      /storagepolicyname, datastoreurl and csi\.storage\.k8s\.io\/fstype/,
    ],
    ['a datastore by name', storageClass({ datastoreurl: 'vsanDatastore' }), /ds:\/\/\/vmfs/],
    ['an empty policy', storageClass({ storagepolicyname: ' ' }), /storagepolicyname must be the name/],
    ['an unknown file system', storageClass({ 'csi.storage.k8s.io/fstype': 'ntfs' }), /must be one of ext4/],
    ['a snapshot parameter', snapshotClass({ compression: 'on' }), /parameters must be empty/],
    [
      'an attribute that cannot change',
      attributesClass({ datastoreurl: 'ds:///x/' }),
      /storagepolicyname is the only allowed parameter/,
    ],
    ['a handle that is none', volume({}, { volumeHandle: 'my-disk' }), /volumeHandle must be the UUID/],
    [
      'a raw device for many',
      volume({ volumeMode: 'Block', accessModes: ['ReadWriteMany'] }),
      /can be used on one node only/,
    ],
    ['a disk for many', volume({ accessModes: ['ReadWriteMany'] }), /needs a file share/],
    ['a file system that is none', volume({}, { fsType: 'ntfs' }), /fsType must be one of/],
  ])('refuse %s and say what is right', async (_name, object, message) => {
    await expect(create(object)).rejects.toMatchObject({ stderr: expect.stringMatching(message) });
  });

  it('judge an update by what it changes, and leave the rest editable', async () => {
    const label = { metadata: { labels: { seen: 'yes' } } };
    for (const kind of ['persistentvolume', 'volumesnapshotclass'])
      expect(await patch(kind, 'old', label)).toContain('patched');
    expect(await patch('persistentvolume', 'old', { spec: { persistentVolumeReclaimPolicy: 'Retain' } })).toContain(
      'patched',
    );
    await expect(patch('volumesnapshotclass', 'old', { parameters: { compression: 'off' } })).rejects.toMatchObject({
      stderr: expect.stringContaining('parameters must be empty'),
    });
    await apply([named(volume({}), 'good'), named(snapshotClass({}), 'good')]);
    await expect(patch('volumesnapshotclass', 'good', { parameters: { compression: 'on' } })).rejects.toMatchObject({
      stderr: expect.stringContaining('parameters must be empty'),
    });
    await expect(patch('persistentvolume', 'good', { spec: { accessModes: ['ReadWriteMany'] } })).rejects.toMatchObject(
      {
        stderr: expect.stringContaining('needs a file share'),
      },
    );
    expect(await patch('persistentvolume', 'good', { spec: { accessModes: ['ReadWriteOncePod'] } })).toContain(
      'patched',
    );
  });

  it('refuse what no vCenter is new enough for', async () => {
    const vcenters = [{ server: 'vc.example.com', version: '6.7.3' }];
    await apply(renderAdmissionPolicies({ snapshots: true, attributesClasses: true, vcenters }));
    for (const [object, needs] of [
      [storageClass({ 'csi.storage.k8s.io/fstype': 'nfs4' }), 'file volumes need vCenter 7.0 Update 1'],
      [volume({}, { volumeHandle: `file:${handle}` }), 'file volumes need vCenter 7.0 Update 1'],
      [snapshotClass({}), 'snapshots and copies of volumes need vCenter 7.0 Update 3'],
      [attributesClass({ storagePolicyName: 'gold' }), 'need vCenter 8.0 Update 1'],
    ] as const)
      await waitFor(
        () =>
          create(object).then(
            () => false,
            ({ stderr }: { readonly stderr?: string }) =>
              stderr?.includes(`${needs}; vc.example.com is 6.7 Update 3`) === true,
          ),
        { what: needs, timeoutMs: 60_000 },
      );
    await expect(create(storageClass({ 'csi.storage.k8s.io/fstype': 'ext4' }))).resolves.toContain('created');
  });
});
