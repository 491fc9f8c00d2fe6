import { openFence } from '@vdo/base/fence';
import type { KubeClient } from '@vdo/kube/client';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { configMaps, namespaces, nodes, persistentVolumes, pods, secrets } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { csiNodes, storageClasses, volumeAttachments } from '@vdo/kube/types/storage';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import { account, type Home, namespace, server } from './testbed-model.ts';

export const csiDriver = 'csi.vsphere.vmware.com';
export const clusterId = 'cluster-1';
const services: Resource = { group: '', version: 'v1', plural: 'services', kind: 'Service', namespaced: true };
const ours = (driver: string) => ({ 'vdo.vmware.com/driver': driver });
const fieldManager = 'testbed';

interface Parts {
  readonly kube: KubeClient;
  readonly admin: FullVCenter;
  readonly settle: <T>(work: Promise<T>) => Promise<T>;
  readonly home: Home;
}

/** Applies an object with its status. */
export const put = async (
  kube: KubeClient,
  resource: Resource,
  object: KubeObject & { readonly status?: unknown },
): Promise<void> => {
  const { status, ...rest } = object;
  await kube.apply(resource, rest, { fieldManager, force: true });
  if (status === undefined) return;
  const { name = '', namespace: where } = object.metadata;
  await kube.patch(
    resource,
    { name, ...(where ? { namespace: where } : {}) },
    { type: 'merge', body: { status } },
    { subresource: 'status' },
  );
};

export const nodeName = (index: number): string => `node-${index}`;

export const nodeObject = (index: number, uuid = demoUuid(index)) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: nodeName(index),
    labels: {
      'topology.kubernetes.io/region': 'region-1',
      'topology.kubernetes.io/zone': index <= 3 ? 'zone-a' : 'zone-b',
    },
  },
  spec: { providerID: `vsphere://${uuid}` },
  status: {
    nodeInfo: { systemUUID: uuid, kubeletVersion: 'v1.34.4', operatingSystem: 'linux' },
    addresses: [
      { type: 'InternalIP', address: `10.10.0.${10 + index}` },
      { type: 'Hostname', address: nodeName(index) },
    ],
    conditions: [{ type: 'Ready', status: 'True', message: 'kubelet is posting ready status' }],
  },
});

export const csiNodeObject = (
  index: number,
  topologyKeys = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'],
) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSINode',
  metadata: { name: nodeName(index) },
  spec: { drivers: [{ name: csiDriver, nodeID: nodeName(index), topologyKeys }] },
});

const template = (app: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'main', image: 'registry.example/vdo:1.0.0' }] },
});

export const deployment = (
  name: string,
  options: { readonly driver?: string; readonly where?: string; readonly ready?: number } = {},
) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name,
    namespace: options.where ?? namespace,
    ...(options.driver ? { labels: ours(options.driver) } : {}),
  },
  spec: { replicas: 1, selector: { matchLabels: { app: name } }, template: template(name) },
  status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: options.ready ?? 1 },
});

export const daemonSet = (
  name: string,
  options: { readonly driver?: string; readonly where?: string; readonly count?: number } = {},
) => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: {
    name,
    namespace: options.where ?? namespace,
    ...(options.driver ? { labels: ours(options.driver) } : {}),
  },
  spec: { selector: { matchLabels: { app: name } }, template: template(name) },
  status: {
    observedGeneration: 1,
    currentNumberScheduled: options.count ?? 5,
    desiredNumberScheduled: options.count ?? 5,
    updatedNumberScheduled: options.count ?? 5,
    numberReady: options.count ?? 5,
    numberMisscheduled: 0,
  },
});

export const podObject = (name: string, state: object = { running: {} }, where: string = namespace) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: where,
    labels: { app: name.replace(/-[a-z0-9]+$/, '') },
    // A drain leaves it where it is: nothing here ends pods.
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'owner', uid: 'owner', controller: true }],
  },
  spec: { nodeName: nodeName(1), containers: [{ name: 'main', image: 'registry.example/vdo:1.0.0' }] },
  status: { phase: 'Running', containerStatuses: [{ name: 'main', ready: true, restartCount: 0, state }] },
});

export const secretObject = (
  name: string,
  given: { readonly username: string; readonly password: string },
  prefix = '',
  where: string = namespace,
) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: where },
  data: {
    [`${prefix}username`]: Buffer.from(given.username).toString('base64'),
    [`${prefix}password`]: Buffer.from(given.password).toString('base64'),
  },
});

export const snapshotCrd = (plural: string, kind: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: `${plural}.snapshot.storage.k8s.io`,
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-csi/external-snapshotter/pull/814' },
  },
  spec: {
    group: 'snapshot.storage.k8s.io',
    scope: 'Namespaced',
    names: { plural, kind },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

const snapshotKinds = [
  ['volumesnapshotclasses', 'VolumeSnapshotClass'],
  ['volumesnapshotcontents', 'VolumeSnapshotContent'],
  ['volumesnapshots', 'VolumeSnapshot'],
] as const;

export const storageClass = (name: string, parameters: Readonly<Record<string, string>>) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner: csiDriver,
  parameters,
});

export const persistentVolume = (name: string, source: object) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...source },
});

/** A container volume, registered under an id. */
export const makeVolume = async (parts: Parts, name: string, id = clusterId): Promise<string> => {
  const datastores = [...(await parts.admin.health.datastores(await mounted(parts.admin))).values()].filter(
    (one) => one.name === 'shared-vmfs',
  );
  const volume = await parts.settle(
    parts.admin.cns.createBlockVolume(
      {
        name,
        capacityMb: 1024n,
        datastores: datastores.map(({ ref }) => ref),
        cluster: { clusterId: id, vSphereUser: account.username, distribution: 'VANILLA' },
      },
      { fence: openFence },
    ),
  );
  return volume.id;
};

const mounted = async (admin: FullVCenter) => {
  const found = await admin.nodes.resolve([{ key: 'any', uuid: demoUuid(1) }]);
  const resolution = found.get('any');
  const host = resolution?.state === 'found' ? resolution.vm.host : undefined;
  const hosts = host ? await admin.health.hosts([host]) : new Map();
  return [...hosts.values()].flatMap(({ datastores }) => datastores);
};

/** The account where the drivers read it: of the Go programs each in its own place and way. */
export const putCopies = async (
  { kube, home }: Pick<Parts, 'kube' | 'home'>,
  given: { readonly username: string; readonly password: string },
): Promise<void> => {
  if (home.csi === namespace) return put(kube, secrets, secretObject('vsphere-credentials', given, `${server}.`));
  await put(kube, secrets, secretObject('vsphere-cloud-secret', given, `${server}.`, home.cpi));
  const file = `[VirtualCenter "${server}"]\nuser = "${given.username}"\npassword = "${given.password}"\n`;
  const metadata = { name: 'vsphere-config-secret', namespace: home.csi };
  const data = { 'csi-vsphere.conf': Buffer.from(file).toString('base64') };
  await put(kube, secrets, { apiVersion: 'v1', kind: 'Secret', metadata, ...{ data } });
};

/** Nodes, drivers and volumes of a cluster with which everything is right. */
export const fillCluster = async (parts: Parts): Promise<void> => {
  const { kube, home } = parts;
  const space = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const name of [namespace, 'vmware-system-csi']) await put(kube, namespaces, space(name));
  await put(kube, secrets, secretObject('vcenter', account));
  await putCopies(parts, account);
  const id = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'vsphere-csi-cluster-id', namespace },
    data: { clusterID: clusterId },
  };
  await put(kube, configMaps, id);
  for (const index of [1, 2, 3, 4, 5]) {
    await put(kube, nodes, nodeObject(index));
    await put(kube, csiNodes, csiNodeObject(index));
  }
  await put(kube, deployments, deployment('vsphere-csi-controller', { driver: 'csi', where: home.csi }));
  await put(kube, deployments, deployment('vsphere-cloud-controller-manager', { driver: 'cpi', where: home.cpi }));
  await put(kube, daemonSets, daemonSet('vsphere-csi-node', { driver: 'csi', where: home.csi }));
  await put(kube, daemonSets, daemonSet('antrea-agent', { where: 'kube-system' }));
  await put(kube, pods, podObject('vsphere-csi-controller-0', undefined, home.csi));
  await put(kube, storageClasses, storageClass('gold', { storagepolicyname: 'gold' }));
  for (const [plural, kind] of snapshotKinds) await put(kube, customResourceDefinitions, snapshotCrd(plural, kind));
  const dns = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kube-dns', namespace: 'kube-system' },
    spec: { clusterIP: '10.96.0.10', ports: [{ port: 53, protocol: 'UDP' }] },
  };
  await put(kube, services, dns);
  const volume = await makeVolume(parts, 'pv-1');
  await put(kube, persistentVolumes, persistentVolume('pv-1', { csi: { driver: csiDriver, volumeHandle: volume } }));
  await put(kube, volumeAttachments, attachment('attachment-1', true));
};

export const attachment = (name: string, attached: boolean, node = nodeName(1)) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  metadata: { name },
  spec: { attacher: csiDriver, nodeName: node, source: { persistentVolumeName: 'pv-1' } },
  status: { attached },
});
