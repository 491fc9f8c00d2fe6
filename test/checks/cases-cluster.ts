import { VdoError } from '@vdo/base/vdo-error';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { configMaps, nodes, persistentVolumes, pods } from '@vdo/kube/types/core';
import { csiNodes, storageClasses, volumeAttachments } from '@vdo/kube/types/storage';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import type { CheckCase } from './check-case.ts';
import { type CheckHouse, patchSpec } from './check-house.ts';
import { namespace, server } from './house-model.ts';
import {
  attachment,
  clusterId,
  csiDriver,
  csiNodeObject,
  daemonSet,
  deployment,
  makeVolume,
  nodeObject,
  persistentVolume,
  podObject,
  put,
  snapshotCrd,
  storageClass,
} from './house-objects.ts';

const dayMs = 24 * 3_600_000;
const setMatrix = (house: CheckHouse, change: object): void => {
  const { releases } = house.world;
  house.world.releases = { ...releases, ...(releases.matrix ? { matrix: { ...releases.matrix, ...change } } : {}) };
};
const setDriver = (house: CheckHouse, kind: string, verdict: 'inside' | 'too-new'): void => {
  const drivers = house.world.releases.drivers.map((driver) =>
    driver.kind === kind && driver.kubernetes ? { ...driver, kubernetes: { ...driver.kubernetes, verdict } } : driver,
  );
  house.world.releases = { ...house.world.releases, drivers };
};
const remakeClass = async (
  { kube }: CheckHouse,
  name: string,
  parameters: Readonly<Record<string, string>>,
): Promise<void> => {
  await kube.delete(storageClasses, { name });
  await put(kube, storageClasses, storageClass(name, parameters));
};

/** Datastores, policies, classes and volumes. */
export const storageCases: readonly CheckCase[] = [
  {
    check: 'ST/datastore-accessible',
    when: 'a datastore is lost',
    breaks: ({ vsphere }) => vsphere.control.setDatastoreAccessible('shared-vmfs', false),
    result: 'Fail',
    reason: 'DatastoreInaccessible',
    names: ['shared-vmfs', 'govc datastore.info'],
    repair: ({ vsphere }) => vsphere.control.setDatastoreAccessible('shared-vmfs', true),
  },
  {
    check: 'ST/datastore-accessible',
    when: 'a datastore is in maintenance',
    breaks: ({ vsphere }) => vsphere.control.write('shared-vmfs', { 'summary.maintenanceMode': 'inMaintenance' }),
    result: 'Warn',
    reason: 'DatastoreInMaintenance',
    names: ["govc datastore.maintenance.exit 'shared-vmfs'"],
    repair: 'run',
  },
  {
    check: 'ST/datastore-shared',
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
    check: 'ST/free-space',
    when: 'a datastore is almost full',
    breaks: ({ vsphere }) => vsphere.control.write('shared-vmfs', { 'summary.freeSpace': 100n * 1024n ** 3n }),
    result: 'Warn',
    reason: 'DatastoreAlmostFull',
    names: ['100 GiB of 4096 GiB', 'govc volume.rm'],
    repair: ({ vsphere }) => vsphere.control.write('shared-vmfs', { 'summary.freeSpace': 900n * 1024n ** 3n }),
  },
  {
    check: 'ST/policy-exists',
    when: 'a class names a policy that is not there',
    breaks: ({ kube }) => put(kube, storageClasses, storageClass('silver', { storagepolicyname: 'silver' })),
    result: 'Fail',
    reason: 'PolicyMissing',
    names: ['"silver"', 'govc storage.policy.ls', 'kubectl replace --force'],
    repair: (house) => remakeClass(house, 'silver', { storagepolicyname: 'gold' }),
  },
  {
    check: 'ST/policy-compatible',
    when: 'the datastores of a policy are not shared',
    breaks: ({ kube }) => put(kube, storageClasses, storageClass('bronze', { storagepolicyname: 'bronze' })),
    result: 'Fail',
    reason: 'PolicyWithoutDatastore',
    names: ['"bronze"', 'govc tags.attach'],
    repair: (house) => remakeClass(house, 'bronze', { storagepolicyname: 'gold' }),
  },
  {
    check: 'ST/storage-classes',
    when: 'a class has a parameter of the in-tree provider',
    breaks: ({ kube }) => put(kube, storageClasses, storageClass('old', { diskformat: 'thin' })),
    result: 'Fail',
    reason: 'UnknownParameter',
    names: ['diskformat', 'kubectl replace --force'],
    repair: (house) => remakeClass(house, 'old', {}),
  },
  {
    check: 'ST/storage-classes',
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
    check: 'ST/volume-health',
    when: 'a volume is not accessible',
    breaks: ({ vsphere }) => vsphere.control.setVolumeHealth(vsphere.volumes.list()[0]?.id ?? '', 'red'),
    result: 'Fail',
    reason: 'VolumeInaccessible',
    names: ['ST/datastore-accessible'],
    repair: ({ vsphere }) => vsphere.control.setVolumeHealth(vsphere.volumes.list()[0]?.id ?? '', 'green'),
  },
  {
    check: 'ST/orphan-volumes',
    when: 'a volume is no PersistentVolume',
    breaks: (house) => makeVolume(house, 'forgotten'),
    result: 'Warn',
    reason: 'OrphanVolumes',
    names: ['forgotten', 'govc volume.rm'],
    repair: 'run',
  },
  {
    check: 'ST/cluster-id-unique',
    when: 'another cluster has the same id',
    breaks: async (house) => {
      for (const index of [1, 2, 3]) await makeVolume(house, `theirs-${index}`);
    },
    result: 'Fail',
    reason: 'ClusterIdShared',
    names: [clusterId, '3 of the 4'],
    // The other cluster takes an id of its own.
    repair: async (house) => {
      for (const { id, name } of house.vsphere.volumes.list()) {
        if (!name.startsWith('theirs-')) continue;
        await house.settle(house.admin.cns.deleteVolume(id, { fence: { assertHeld: () => {} } }));
        await makeVolume(house, name, 'cluster-2');
      }
    },
  },
  {
    check: 'ST/cluster-id-unique',
    when: 'the id was changed',
    breaks: (house) => patchSpec(house, (spec) => ({ ...spec, csi: { ...spec.csi, clusterId: 'another' } })),
    result: 'Fail',
    reason: 'ClusterIdChanged',
    names: [`"clusterId":"${clusterId}"`],
    repair: 'run',
  },
  {
    check: 'ST/cluster-id-unique',
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
    names: ['upstream VDO', '"clusterId":"UNIQUE-ID"'],
    repair: async (house) => {
      await house.kube.delete(configMaps, { namespace, name: 'vsphere-csi-cluster-id' });
      patchSpec(house, (spec) => ({ ...spec, csi: { ...spec.csi, clusterId: 'unique-id' } }));
    },
  },
  {
    check: 'ST/attach-stuck',
    when: 'a volume waits to be attached',
    breaks: async (house) => {
      await put(house.kube, volumeAttachments, attachment('attachment-2', false));
      await house.clock.advance(8 * 60_000);
    },
    result: 'Fail',
    reason: 'AttachStuck',
    names: ['8 minutes', 'kubectl describe volumeattachment attachment-2'],
    repair: ({ kube }) => put(kube, volumeAttachments, attachment('attachment-2', true)),
  },
  {
    check: 'ST/attach-stuck',
    when: 'a volume waits to be detached from a node that is gone',
    breaks: async (house) => {
      const stuck = attachment('attachment-2', true, 'gone');
      await put(house.kube, volumeAttachments, {
        ...stuck,
        metadata: { name: 'attachment-2', finalizers: ['external-attacher/csi-vsphere-vmware-com'] },
      });
      await house.kube.delete(volumeAttachments, { name: 'attachment-2' });
      await house.clock.advance(8 * 60_000);
    },
    result: 'Fail',
    reason: 'DetachStuck',
    names: ['Node gone is gone', '"finalizers":null'],
    repair: 'run',
  },
  {
    check: 'ST/in-tree-volumes-left',
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

/** The storage driver and its workloads. */
export const csiCases: readonly CheckCase[] = [
  {
    check: 'CS/node-registered',
    when: 'the kubelet does not know the driver',
    breaks: async (house) => {
      await house.kube.delete(csiNodes, { name: 'node-1' });
      await house.clock.advance(6 * 60_000);
    },
    result: 'Fail',
    reason: 'NotRegistered',
    names: [csiDriver, 'spec.advanced.kubeletPath', 'spec.nodeName=node-1'],
    repair: ({ kube }) => put(kube, csiNodes, csiNodeObject(1)),
  },
  {
    check: 'CS/workloads-ready',
    when: 'the controller crashes',
    breaks: async ({ kube }) => {
      await put(kube, deployments, deployment('vsphere-csi-controller', { driver: 'csi', ready: 0 }));
      await put(kube, pods, podObject('vsphere-csi-controller-0', { waiting: { reason: 'CrashLoopBackOff' } }));
    },
    result: 'Fail',
    reason: 'WorkloadsNotReady',
    names: ['0 of 1', 'kubectl -n vmware-system-vdo logs vsphere-csi-controller-0 -c main --previous'],
    repair: ({ kube }) => put(kube, deployments, deployment('vsphere-csi-controller', { driver: 'csi' })),
  },
  {
    check: 'CS/foreign-manager',
    when: 'the upstream driver runs too',
    breaks: ({ kube }) => put(kube, deployments, deployment('vsphere-csi-controller', { where: 'vmware-system-csi' })),
    result: 'Fail',
    reason: 'ForeignManager',
    names: [
      'vmware-system-csi/vsphere-csi-controller',
      'kubectl -n vmware-system-csi delete deployment vsphere-csi-controller',
    ],
    repair: 'run',
  },
  {
    check: 'CS/snapshot-crds',
    when: 'a CRD is missing',
    breaks: ({ kube }) => kube.delete(customResourceDefinitions, { name: 'volumesnapshots.snapshot.storage.k8s.io' }),
    result: 'Fail',
    reason: 'SnapshotCrdMissing',
    names: ['"install":true', 'kubectl apply -k'],
    repair: ({ kube }) => put(kube, customResourceDefinitions, snapshotCrd('volumesnapshots', 'VolumeSnapshot')),
  },
  {
    check: 'CS/topology-keys',
    when: 'the driver registered before there was topology',
    breaks: async ({ kube }) => {
      await kube.delete(csiNodes, { name: 'node-1' });
      await put(kube, csiNodes, csiNodeObject(1, []));
    },
    result: 'Fail',
    reason: 'TopologyKeysMissing',
    names: ['topology.kubernetes.io/zone', 'delete pod -l app=vsphere-csi-node --field-selector spec.nodeName=node-1'],
    repair: async ({ kube }) => {
      await kube.delete(csiNodes, { name: 'node-1' });
      await put(kube, csiNodes, csiNodeObject(1));
    },
  },
];

/** Versions, images and the cluster around the drivers. */
export const clusterCases: readonly CheckCase[] = [
  ...(['CPI', 'CSI'] as const).map(
    (kind): CheckCase => ({
      check: kind === 'CPI' ? 'VR/cpi-skew' : 'VR/csi-range',
      when: 'Kubernetes is newer than the release knows',
      breaks: (house) => setDriver(house, kind, 'too-new'),
      result: 'Fail',
      reason: 'KubernetesTooNew',
      names: ['v1.34.4', '1.28 to 1.37', '"policy":"Automatic"'],
      repair: (house) => setDriver(house, kind, 'inside'),
    }),
  ),
  {
    check: 'VR/kubelet-skew',
    when: 'a kubelet is four minors behind',
    breaks: ({ kube }) => {
      const node = nodeObject(1);
      const nodeInfo = { ...node.status.nodeInfo, kubeletVersion: 'v1.30.1+rke2r1' };
      return put(kube, nodes, { ...node, status: { ...node.status, nodeInfo } });
    },
    result: 'Fail',
    reason: 'KubeletSkew',
    names: ['v1.30.1+rke2r1', '1.31 to 1.34', 'kubeadm upgrade node'],
    repair: ({ kube }) => put(kube, nodes, nodeObject(1)),
  },
  {
    check: 'VR/matrix-age',
    when: 'the matrix is a year old',
    breaks: (house) => setMatrix(house, { publishedMs: house.clock.now() - 365 * dayMs }),
    result: 'Warn',
    reason: 'MatrixStale',
    names: ['365 days', 'spec.updates.matrix'],
    repair: (house) => setMatrix(house, { publishedMs: house.clock.now() }),
  },
  {
    check: 'VR/matrix-signature',
    when: 'the matrix is signed by a stranger',
    breaks: (house) => setMatrix(house, { source: 'https://example.com/matrix.json', signature: 'untrusted' }),
    result: 'Fail',
    reason: 'MatrixUntrusted',
    names: ['spec.updates.trustedKeys'],
    repair: (house) => setMatrix(house, { signature: 'trusted' }),
  },
  {
    check: 'VR/matrix-signature',
    when: 'the configured matrix cannot be read',
    breaks: (house) =>
      setMatrix(house, {
        refused: new VdoError({ code: 'MatrixInvalid', message: 'it is no JSON', remedy: 'Publish a corrected one.' }),
      }),
    result: 'Fail',
    reason: 'MatrixInvalid',
    names: ['it is no JSON', 'in use is matrix 7'],
    repair: (house) => setMatrix(house, { refused: undefined }),
  },
  {
    check: 'VR/image-pull',
    when: 'the registry does not have the image',
    breaks: ({ kube }) =>
      put(
        kube,
        pods,
        podObject('vsphere-csi-controller-0', { waiting: { reason: 'ImagePullBackOff', message: 'not found' } }),
      ),
    result: 'Fail',
    reason: 'ImagePullBackOff',
    names: ['registry.example/vdo:1.0.0', 'spec.images.registry'],
    repair: ({ kube }) => put(kube, pods, podObject('vsphere-csi-controller-0')),
  },
  {
    check: 'CL/cni-ready',
    when: 'no CNI is installed',
    breaks: async ({ kube }) => {
      await kube.delete(daemonSets, { namespace: 'kube-system', name: 'antrea-agent' });
      const node = nodeObject(1);
      const message =
        'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:cni plugin not initialized';
      await put(kube, nodes, {
        ...node,
        status: { ...node.status, conditions: [{ type: 'Ready', status: 'False', message }] },
      });
    },
    result: 'Fail',
    reason: 'CniNotReady',
    names: ['no known CNI', 'spec.cni.manifest'],
    repair: async ({ kube }) => {
      await put(kube, daemonSets, daemonSet('antrea-agent', { where: 'kube-system' }));
      await put(kube, nodes, nodeObject(1));
    },
  },
  {
    check: 'CL/dns-resolves-vcenter',
    when: 'the cluster does not know the domain of the vCenter',
    breaks: (house) => {
      house.world.clusterDns.delete(server);
    },
    result: 'Fail',
    reason: 'ClusterDnsFails',
    names: ['NXDOMAIN', 'example.com:53 { forward', 'kubectl -n kube-system edit configmap coredns'],
    repair: (house) => {
      house.world.clusterDns.set(server, ['10.10.0.2']);
    },
  },
  {
    check: 'CL/admission-allows',
    when: 'pod security refuses the pods',
    breaks: (house) => house.enforcePodSecurity(),
    result: 'Fail',
    reason: 'PodSecurityForbids',
    names: ['violates PodSecurity', 'pod-security.kubernetes.io/enforce=privileged'],
    repair: 'run',
  },
];
