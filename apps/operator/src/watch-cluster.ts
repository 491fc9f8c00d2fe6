import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { accountSecrets } from '@vdo/config/driver-accounts';
import { names } from '@vdo/config/names';
import { type ObjectRef, refOf } from '@vdo/kube/apply/object-ref';
import type { KubeClient } from '@vdo/kube/client';
import { createInformer, type InformerOptions, type ObservableInformer } from '@vdo/kube/create-informer';
import type { Change } from '@vdo/kube/informer';
import { type ClusterRole, clusterRoleBindings, clusterRoles, roleBindings } from '@vdo/kube/types/cluster';
import {
  type ConfigMap,
  configMaps,
  type Node,
  nodes,
  type Pod,
  pods,
  secrets,
  serviceAccounts,
} from '@vdo/kube/types/core';
import type { KubeObject, ObjectMeta } from '@vdo/kube/types/object';
import { apiVersionOf, type Resource } from '@vdo/kube/types/resource';
import { csiDrivers, storageClasses } from '@vdo/kube/types/storage';
import { managedByLabel } from '@vdo/kube/types/well-known';
import { type DaemonSet, type Deployment, daemonSets, deployments } from '@vdo/kube/types/workloads';
import { driverRoleLabel } from '@vdo/releases/render/roles/driver-role';
import { driverLabel, managedLabels } from '@vdo/releases/render/shared/labels';
import { sameNode, trimNode, trimPod, trimSecret } from './trim-objects.ts';

export interface WatchOptions extends Pick<InformerOptions<KubeObject>, 'clock' | 'random' | 'logger' | 'backoff'> {
  readonly client: KubeClient;
  readonly namespace: string;
  /** The objects that the spec names: only these can affect the drivers. */
  readonly inputs: () => Inputs;
  readonly onNode: () => void;
  /** An object of the drivers has changed, or was deleted if there is no metadata. `isReport`: only its status changed. */
  readonly onObject: (ref: ObjectRef, metadata: ObjectMeta | undefined, isReport: boolean) => void;
  readonly onInput: () => void;
  /** A pod of an upstream controller of storage has changed. */
  readonly onUpstreamPod: (change: Change<Pod>) => void;
}

/** Names of the ConfigMaps and Secrets that users write for the operator. */
export interface Inputs {
  readonly document: readonly string[];
  readonly secret: readonly string[];
}

export const inputsOf = (resource: VSphereDrivers | undefined): Inputs => {
  const { updates, cni, vcenters = [], images, cpi, csi } = (resource?.spec ?? {}) as Partial<VSphereDrivers['spec']>;
  return {
    document: [updates?.matrix, cni?.manifest].flatMap((source) => source?.configMap?.name ?? []),
    secret: [...accountSecrets({ vcenters, cpi, csi }), ...(images?.pullSecrets ?? [])],
  };
};

export interface ClusterWatch {
  nodes(): readonly Node[];
  /** Changes with the content of a Secret; empty if the Secret does not exist. */
  secretVersion(name: string): string;
  /** The resourceVersion of a ConfigMap in the operator's namespace, from the watch; undefined if it does not exist. */
  documentVersion(name: string): string | undefined;
  /** The ClusterRoles that drivers are bound to, from the watch; undefined before its first list. */
  driverRoles(): readonly ClusterRole[] | undefined;
  waitForSync(options: { readonly signal: AbortSignal }): Promise<void>;
  run(signal: AbortSignal): Promise<void>;
}

const managed = managedByLabel;
// For workloads the spec and the pod counts matter: a new resourceVersion alone says nothing.
const trimWorkload = <T extends Deployment | DaemonSet>({ apiVersion, kind, metadata, status }: T): T =>
  ({ ...trim({ apiVersion, kind, metadata }), status }) as unknown as T;
const sameWorkload = (before: KubeObject, after: KubeObject): boolean => {
  const said = ({ metadata, ...rest }: KubeObject) => {
    const { generation, labels, uid, deletionTimestamp } = metadata;
    return JSON.stringify([generation, labels, uid, deletionTimestamp, rest]);
  };
  return after.metadata.generation !== undefined && said(before) === said(after);
};

// For most objects only the fact of a change matters; their content is read when it is needed.
const trim = <T extends KubeObject>({ apiVersion, kind, metadata }: T): T =>
  ({ apiVersion, kind, metadata: { ...metadata, annotations: {} } }) as unknown as T;

/** Watches everything that affects the drivers, so that a change is noticed within a second. */
export const watchCluster = (options: WatchOptions): ClusterWatch => {
  const { namespace, inputs, onNode, onObject, onInput, onUpstreamPod, ...common } = options;
  const nodeInformer = createInformer({ ...common, resource: nodes, transform: trimNode });
  nodeInformer.onChange(({ object, previous }) => {
    if (!previous || !sameNode(previous, object)) onNode();
  });

  const all: Pick<ObservableInformer<KubeObject>, 'run' | 'waitForSync'>[] = [nodeInformer];
  const tell = <T extends KubeObject>(resource: Resource<T>, { type, object, previous }: Change<T>): void => {
    if (type === 'updated' && previous && sameWorkload(previous, object)) return;
    const ref = refOf({ ...object, apiVersion: apiVersionOf(resource), kind: resource.kind });
    const isReport =
      type === 'updated' && 'status' in object && previous?.metadata.generation === object.metadata.generation;
    onObject(ref, type === 'deleted' ? undefined : object.metadata, isReport);
  };
  const isOurs = ({ metadata }: KubeObject): boolean => metadata.labels?.[managed] === managedLabels[managed];
  const follow = <T extends KubeObject>(resource: Resource<T>, selection: Partial<InformerOptions<T>>): void => {
    const informer = createInformer<T>({ ...common, transform: trim, ...selection, resource });
    informer.onChange((change) => tell(resource, change));
    all.push(informer);
  };

  const secretInformer = createInformer({ ...common, resource: secrets, namespace, transform: trimSecret });
  secretInformer.onChange((change) => {
    if (isOurs(change.object)) tell(secrets, change);
    else if (inputs().secret.includes(change.object.metadata.name ?? '')) onInput();
  });
  all.push(secretInformer);
  for (const place of new Set([namespace, names.upstreamCsiNamespace, names.systemNamespace])) {
    follow(deployments, { namespace: place, labelSelector: driverLabel, transform: trimWorkload });
    follow(daemonSets, { namespace: place, labelSelector: driverLabel, transform: trimWorkload });
  }
  const upstreamPods = createInformer<Pod>({
    ...common,
    resource: pods,
    namespace: names.upstreamCsiNamespace,
    labelSelector: `${driverLabel}=csi,app=${names.csiController}`,
    transform: trimPod,
  });
  upstreamPods.onChange(onUpstreamPod);
  all.push(upstreamPods);
  // Removed RBAC objects must be restored as fast as a workload.
  const ours = { labelSelector: `${managed}=${managedLabels[managed]}` };
  follow(serviceAccounts, { namespace, ...ours });
  follow(clusterRoleBindings, ours);
  const roleInformer = createInformer<ClusterRole>({
    ...common,
    resource: clusterRoles,
    labelSelector: driverRoleLabel,
    transform: ({ rules = [], ...role }) => ({ ...trim(role), rules }),
  });
  roleInformer.onChange((change) => tell(clusterRoles, change));
  all.push(roleInformer);
  for (const place of new Set([namespace, names.upstreamCsiNamespace, names.systemNamespace]))
    follow(roleBindings, { namespace: place, ...ours });
  follow(csiDrivers, ours);
  follow(storageClasses, ours);

  const documents = createInformer<ConfigMap>({ ...common, resource: configMaps, namespace, transform: trim });
  documents.onChange((change) => {
    if (isOurs(change.object)) tell(configMaps, change);
    else if (inputs().document.includes(change.object.metadata.name ?? '')) onInput();
  });
  all.push(documents);

  return {
    nodes: () => nodeInformer.list(),
    secretVersion: (name) => secretInformer.get(`${namespace}/${name}`)?.metadata.resourceVersion ?? '',
    documentVersion: (name) => documents.get(`${namespace}/${name}`)?.metadata.resourceVersion,
    driverRoles: () => (roleInformer.hasSynced() ? roleInformer.list() : undefined),
    waitForSync: async (waiting) => {
      // The watches that a pass reads from. The others only start it, and a missing permission must not keep it from reporting that.
      await Promise.all([nodeInformer, secretInformer].map((informer) => informer.waitForSync(waiting)));
    },
    run: async (signal) => {
      await Promise.all(all.map((informer) => informer.run(signal)));
    },
  };
};
