import { preferredDatastoresCategory } from '@vdo/config/names';
import { type ConfigMap, configMaps, persistentVolumes } from '@vdo/kube/types/core';
import { storageClasses, volumeAttachments } from '@vdo/kube/types/storage';
import { destructiveCalls } from '@vdo/vsphere/destructive/destructive-calls';
import { applyRemedy } from './apply-remedy.ts';
import type { CheckCase } from './check-case.ts';
import { type CheckTestbed, patchSpec } from './check-testbed.ts';
import { namespace, server } from './testbed-model.ts';
import { attachment, clusterId, makeVolume, persistentVolume, put, storageClass } from './testbed-objects.ts';

const remakeClass = async (
  { kube }: CheckTestbed,
  name: string,
  parameters: Readonly<Record<string, string>>,
): Promise<void> => {
  await kube.delete(storageClasses, { name });
  await put(kube, storageClasses, storageClass(name, parameters));
};

const nameClusters = (testbed: CheckTestbed, ...clusters: readonly string[]): void =>
  patchSpec(testbed, ({ csi, ...spec }) => ({ ...spec, csi: { ...csi, fileVolumes: { clusters } } }));

/** Datastores, policies, classes and volumes. */
export const storageCases: readonly CheckCase[] = [
  {
    check: 'storage/datastore-accessible',
    when: 'a datastore is lost',
    breaks: ({ vsphere }) => vsphere.control.setDatastoreAccessible('shared-vmfs', false),
    result: 'Fail',
    reason: 'DatastoreInaccessible',
    names: ['shared-vmfs', 'govc object.collect'],
    repair: ({ vsphere }) => vsphere.control.setDatastoreAccessible('shared-vmfs', true),
  },
  {
    check: 'storage/datastore-accessible',
    when: 'a datastore is in maintenance',
    breaks: ({ vsphere }) => vsphere.control.write('shared-vmfs', { 'summary.maintenanceMode': 'inMaintenance' }),
    result: 'Warn',
    reason: 'DatastoreInMaintenance',
    names: ["govc datastore.maintenance.exit 'shared-vmfs'"],
    repair: 'run',
  },
  {
    check: 'storage/datastore-shared',
    when: 'one host of a zone mounts no common datastore',
    breaks: ({ vsphere }) => {
      for (const name of ['vsanDatastore', 'shared-vmfs']) {
        const host = vsphere.control.find('esx-b1.demo.example', 'HostSystem').value;
        const mounts = vsphere.control.read(name, 'host') as readonly { readonly key: { readonly value: string } }[];
        vsphere.control.write(name, { host: mounts.filter(({ key }) => key.value !== host) });
      }
    },
    result: 'Fail',
    reason: 'NoSharedDatastore',
    names: ['the nodes of region-1/zone-b', 'missing on esx-b1.demo.example', 'govc datastore.create'],
    repair: ({ vsphere }) => {
      const mounts = vsphere.control.read('shared-vmfs', 'host') as readonly object[];
      const key = vsphere.control.find('esx-b1.demo.example', 'HostSystem');
      const mountInfo = { path: '/vmfs/volumes/x', accessMode: 'readWrite', mounted: true, accessible: true };
      vsphere.control.write('shared-vmfs', { host: [...mounts, { key, mountInfo }] });
    },
  },
  {
    check: 'storage/free-space',
    when: 'a datastore is almost full',
    breaks: ({ vsphere }) => vsphere.control.write('shared-vmfs', { 'summary.freeSpace': 100n * 1024n ** 3n }),
    result: 'Warn',
    reason: 'DatastoreAlmostFull',
    names: ['100 GiB of 4096 GiB', 'vdoctl volumes'],
    repair: ({ vsphere }) => vsphere.control.write('shared-vmfs', { 'summary.freeSpace': 900n * 1024n ** 3n }),
  },
  {
    check: 'storage/free-space',
    when: 'a datastore is full',
    breaks: ({ vsphere }) => vsphere.control.write('shared-vmfs', { 'summary.freeSpace': 0n }),
    result: 'Fail',
    reason: 'DatastoreFull',
    names: ['0 GiB of 4096 GiB', 'Enlarge datastore shared-vmfs'],
    repair: ({ vsphere }) => vsphere.control.write('shared-vmfs', { 'summary.freeSpace': 900n * 1024n ** 3n }),
  },
  {
    check: 'storage/preferred-datastores',
    when: 'the tag names no zone of the nodes',
    breaks: ({ vsphere }) => vsphere.control.tag('/demo/datastore/shared-vmfs', preferredDatastoresCategory, 'zone-z'),
    result: 'Warn',
    reason: 'PreferredNowhere',
    names: ['shared-vmfs in zone-z', 'zone-a', `govc tags.detach -c '${preferredDatastoresCategory}' 'zone-z'`],
    repair: ({ vsphere }) =>
      vsphere.control.untag('/demo/datastore/shared-vmfs', preferredDatastoresCategory, 'zone-z'),
  },
  {
    check: 'storage/preferred-datastores',
    when: 'one host of the zone does not mount the datastore',
    breaks: ({ vsphere }) => {
      vsphere.control.tag('/demo/datastore/shared-vmfs', preferredDatastoresCategory, 'zone-b');
      const host = vsphere.control.find('esx-b1.demo.example', 'HostSystem').value;
      const mounts = vsphere.control.read('shared-vmfs', 'host') as readonly {
        readonly key: { readonly value: string };
      }[];
      vsphere.control.write('shared-vmfs', { host: mounts.filter(({ key }) => key.value !== host) });
    },
    result: 'Warn',
    reason: 'PreferredNotShared',
    names: ['shared-vmfs in zone-b', `govc tags.detach -c '${preferredDatastoresCategory}' 'zone-b'`],
    repair: ({ vsphere }) =>
      vsphere.control.untag('/demo/datastore/shared-vmfs', preferredDatastoresCategory, 'zone-b'),
  },
  {
    check: 'storage/file-clusters',
    when: 'a named cluster does not exist',
    breaks: (testbed) => nameClusters(testbed, 'compute-z'),
    result: 'Fail',
    reason: 'FileClusterMissing',
    names: ['compute-z', '/demo/host/compute-a'],
    repair: (testbed) => nameClusters(testbed, 'compute-a'),
  },
  {
    check: 'storage/file-clusters',
    when: 'the file service of a named cluster is disabled',
    breaks: (testbed) => {
      testbed.vsphere.control.setFileService('compute-a', false);
      nameClusters(testbed, 'compute-a');
    },
    result: 'Fail',
    reason: 'FileServiceDisabled',
    names: ['/demo/host/compute-a', 'File Service'],
    repair: ({ vsphere }) => vsphere.control.setFileService('compute-a', true),
  },
  {
    check: 'storage/policy-exists',
    when: 'a class names a policy that is not there',
    breaks: ({ kube }) => put(kube, storageClasses, storageClass('silver', { storagepolicyname: 'silver' })),
    result: 'Fail',
    reason: 'PolicyMissing',
    names: ['"silver"', 'govc storage.policy.ls', 'kubectl replace --force'],
    repair: (testbed) => remakeClass(testbed, 'silver', { storagepolicyname: 'gold' }),
  },
  {
    check: 'storage/policy-compatible',
    when: 'the datastores of a policy are not shared',
    breaks: ({ kube }) => put(kube, storageClasses, storageClass('bronze', { storagepolicyname: 'bronze' })),
    result: 'Fail',
    reason: 'PolicyWithoutDatastore',
    names: ['"bronze"', 'govc tags.attach'],
    repair: (testbed) => remakeClass(testbed, 'bronze', { storagepolicyname: 'gold' }),
  },
  {
    check: 'storage/storage-classes',
    when: 'a class has a parameter of the in-tree provider',
    breaks: ({ kube }) => put(kube, storageClasses, storageClass('old', { diskformat: 'thin' })),
    result: 'Fail',
    reason: 'UnknownParameter',
    names: ['diskformat', 'kubectl replace --force'],
    repair: (testbed) => remakeClass(testbed, 'old', {}),
  },
  {
    check: 'storage/storage-classes',
    when: 'two classes are the default',
    breaks: async ({ kube }) => {
      const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
      for (const name of ['gold', 'second'])
        await put(kube, storageClasses, {
          ...storageClass(name, {}),
          metadata: { name, annotations },
          ...(name === 'gold' ? { parameters: { storagepolicyname: 'gold' } } : {}),
        });
    },
    result: 'Warn',
    reason: 'SeveralDefaultClasses',
    names: ['gold, second'],
    repair: 'run',
  },
  {
    check: 'storage/volume-health',
    when: 'a volume is not accessible',
    breaks: ({ vsphere }) => vsphere.control.setVolumeHealth(vsphere.volumes.list()[0]?.id ?? '', 'red'),
    result: 'Fail',
    reason: 'VolumeInaccessible',
    names: ['storage/datastore-accessible'],
    repair: ({ vsphere }) => vsphere.control.setVolumeHealth(vsphere.volumes.list()[0]?.id ?? '', 'green'),
  },
  {
    check: 'storage/volume-compliance',
    when: 'the disk of a volume violates its policy',
    breaks: ({ vsphere }) => vsphere.control.setVolumeCompliance(vsphere.volumes.list()[0]?.id ?? '', 'nonCompliant'),
    result: 'Warn',
    reason: 'VolumeNonCompliant',
    names: ['1 of 1 volumes', 'pv-1', 'vdoctl volumes move'],
    repair: ({ vsphere }) => vsphere.control.setVolumeCompliance(vsphere.volumes.list()[0]?.id ?? '', 'compliant'),
  },
  {
    check: 'storage/orphan-volumes',
    when: 'a volume is no PersistentVolume',
    breaks: (testbed) => makeVolume(testbed, 'forgotten'),
    result: 'Warn',
    reason: 'OrphanVolumes',
    names: ['forgotten', 'govc volume.ls -l'],
    repair: (testbed) => {
      const orphan = testbed.vsphere.volumes.list().find(({ name }) => name === 'forgotten');
      return applyRemedy(testbed, [`govc volume.rm ${orphan?.id}`]);
    },
  },
  {
    check: 'storage/cluster-id-unique',
    when: 'another cluster has the same id',
    breaks: async (testbed) => {
      for (const index of [1, 2, 3]) await makeVolume(testbed, `theirs-${index}`);
    },
    result: 'Fail',
    reason: 'ClusterIdShared',
    names: [clusterId, '3 of the 4'],
    // The other cluster takes an id of its own.
    repair: async (testbed) => {
      for (const { id, name } of testbed.vsphere.volumes.list()) {
        if (!name.startsWith('theirs-')) continue;
        await testbed.settle(destructiveCalls(testbed.admin).deleteVolume(id, { fence: { assertHeld: () => {} } }));
        await makeVolume(testbed, name, 'cluster-2');
      }
    },
  },
  {
    check: 'storage/cluster-id-unique',
    when: 'the storage driver has seen the heartbeat of another cluster',
    breaks: ({ kube }) =>
      put(kube, configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'vsphere-csi-sync', namespace },
        data: { clusterHeartbeat: JSON.stringify({ quietBeats: 0, sign: 'volume v1 carries a heartbeat' }) },
      } as ConfigMap),
    result: 'Fail',
    reason: 'ClusterIdShared',
    names: [clusterId, 'volume v1 carries a heartbeat', 'disaster-recovery.md'],
    // The other one was stopped, and a quarter of an hour has passed.
    repair: async ({ kube }) => {
      await kube.delete(configMaps, { namespace, name: 'vsphere-csi-sync' });
    },
  },
  {
    check: 'storage/cluster-id-unique',
    when: 'the id was changed',
    breaks: (testbed) => patchSpec(testbed, (spec) => ({ ...spec, csi: { ...spec.csi, clusterId: 'another' } })),
    result: 'Fail',
    reason: 'ClusterIdChanged',
    names: [`"clusterId":"${clusterId}"`],
    repair: 'run',
  },
  {
    check: 'storage/cluster-id-unique',
    when: 'the id is the name of the vCenter',
    breaks: ({ kube }) =>
      put(kube, configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'vsphere-csi-cluster-id', namespace },
        ...{ data: { clusterID: server } },
      }),
    result: 'Warn',
    reason: 'ClusterIdIsServer',
    names: [
      'upstream VDO',
      'only cluster',
      'delete configmap vsphere-csi-cluster-id',
      'spec.csi.clusterId in the file',
    ],
    repair: async (testbed) => {
      await testbed.kube.delete(configMaps, { namespace, name: 'vsphere-csi-cluster-id' });
      patchSpec(testbed, (spec) => ({ ...spec, csi: { ...spec.csi, clusterId: 'unique-id' } }));
    },
  },
  {
    check: 'storage/attach-stuck',
    when: 'a volume waits to be attached',
    breaks: async (testbed) => {
      await put(testbed.kube, volumeAttachments, attachment('attachment-2', false));
      await testbed.clock.advance(8 * 60_000);
    },
    result: 'Fail',
    reason: 'AttachStuck',
    names: ['8 minutes', 'kubectl describe volumeattachment attachment-2', 'vdoctl logs csi-controller --since 10m'],
    repair: ({ kube }) => put(kube, volumeAttachments, attachment('attachment-2', true)),
  },
  {
    check: 'storage/attach-stuck',
    when: 'a volume waits to be detached from a node that is gone',
    breaks: async (testbed) => {
      const stuck = attachment('attachment-2', true, 'gone');
      await put(testbed.kube, volumeAttachments, {
        ...stuck,
        metadata: { name: 'attachment-2', finalizers: ['external-attacher/csi-vsphere-vmware-com'] },
      });
      await testbed.kube.delete(volumeAttachments, { name: 'attachment-2' });
      await testbed.clock.advance(8 * 60_000);
    },
    result: 'Fail',
    reason: 'DetachStuck',
    names: ['Node gone no longer exists', '"finalizers":null'],
    repair: 'run',
  },
  {
    check: 'storage/in-tree-volumes-left',
    when: 'a PersistentVolume is of the in-tree provider',
    breaks: ({ kube }) =>
      put(
        kube,
        persistentVolumes,
        persistentVolume('old', { vsphereVolume: { volumePath: '[shared-vmfs] kubevols/old.vmdk' } }),
      ),
    result: 'Fail',
    reason: 'InTreeVolumesLeft',
    names: ['old', '"inTreeMigration":true'],
    repair: 'run',
  },
];
