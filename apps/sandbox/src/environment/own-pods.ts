import { isDeepStrictEqual } from 'node:util';
import type { KubeClient } from '@vdo/kube/client';
import { type Container, configMaps, type Pod, type Volume } from '@vdo/kube/types/core';
import type { KubeObject, OwnerReference } from '@vdo/kube/types/object';
import type { PodTemplate } from '@vdo/kube/types/workloads';
import { containerCommand } from '../process-kubelet/container-command.ts';
import { demo } from './demo-objects.ts';

/** Pods of an external cluster that may run as processes of this machine. */
export interface OwnPods {
  /** A quick check, without requests: whether the pod can be one of ours. */
  isClaimed(pod: Pod): boolean;
  /** Whether this sandbox, or the operator that it installed, created the pod. */
  isOurs(pod: Pod): Promise<boolean>;
}

interface Workload extends KubeObject {
  readonly spec: {
    readonly template: PodTemplate;
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

const controllerOf = ({ metadata }: KubeObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

const tokenFolder = '/var/run/secrets/kubernetes.io/serviceaccount';
const isToken = ({ name, projected }: Volume): boolean =>
  name.startsWith('kube-api-access-') && projected !== undefined;

/** The fields that decide what a container runs here; the API server adds tokens, host ports and resources to a pod. */
const essence = ({ name, image, command, args, env, volumeDevices, volumeMounts = [] }: Container): unknown => ({
  ...{ name, image, command, args, env, volumeDevices },
  volumeMounts: volumeMounts.filter(({ mountPath }) => mountPath !== tokenFolder),
});

/** Everybody who can create pods can set any owner: a pod that runs something else than its workload is a forgery. */
const isOf = ({ spec }: Pod, { spec: { template, volumeClaimTemplates = [] } }: Workload): boolean => {
  const claims = new Set(volumeClaimTemplates.map(({ metadata }) => metadata.name));
  const volumes = (all: readonly Volume[] = []) => all.filter((one) => !isToken(one) && !claims.has(one.name));
  const same = (pick: (spec: PodTemplate['spec']) => unknown) => isDeepStrictEqual(pick(spec), pick(template.spec));
  return (
    same(({ containers }) => containers.map(essence)) &&
    same((all) => volumes(all.volumes)) &&
    same(({ serviceAccountName = 'default' }) => serviceAccountName)
  );
};

/** Flags and variables with which Node would load another program. */
const harmlessFlag = /^--(max-semi-space-size|max-old-space-size|heap-growing-percent|v8-pool-size)=\d{1,6}$/;
const harmlessFlags = ['--optimize-for-size', '--single-threaded-gc'];
const harmlessVariable = /^(MALLOC_[A-Z_]+|NODE_NAME|POD_[A-Z]+)$/;

/** Users who can edit the workload must not choose the program: it must be one of ours, with known flags. */
const runsOurs = (pod: Pod, container: Container): boolean => {
  const { app, nodeFlags } = containerCommand(pod, container, { address: '', paths: (path) => path });
  return (
    ['operator', 'cpi', 'csi'].includes(app) &&
    nodeFlags.every((flag) => harmlessFlags.includes(flag) || harmlessFlag.test(flag)) &&
    (container.env ?? []).every(({ name }) => harmlessVariable.test(name))
  );
};

export const createOwnPods = (options: {
  readonly kube: KubeClient;
  /** Namespaces of the operator and the drivers. */
  readonly namespace: string;
  /** UIDs of the workloads that this sandbox has applied itself. */
  readonly made: ReadonlySet<string>;
  /** ConfigMap in which the operator lists the objects that it has applied. */
  readonly inventory: string;
}): OwnPods => {
  const { kube, namespace, made } = options;

  const find = async (home: string, { apiVersion, kind, name, uid }: OwnerReference): Promise<Workload | undefined> => {
    const resource = await kube.resourceFor(apiVersion, kind);
    const found = await kube.find(resource, { namespace: home, name });
    return found?.metadata.uid === uid ? (found as unknown as Workload) : undefined;
  };

  const isMade = async (uid: string): Promise<boolean> => {
    if (made.has(uid)) return true;
    const list = await kube.find(configMaps, { namespace, name: options.inventory });
    // The operator that wrote the list runs in a namespace that this sandbox has created.
    const refs = JSON.parse(list?.data?.['objects'] ?? '[]') as readonly { readonly uid?: string }[];
    return refs.some((ref) => ref.uid === uid);
  };

  const workloadOf = async (pod: Pod, home: string): Promise<Workload | undefined> => {
    const owner = controllerOf(pod);
    const direct = owner && (await find(home, owner));
    const above = direct && controllerOf(direct);
    return above ? find(home, above) : direct;
  };

  return {
    isClaimed: ({ metadata }) =>
      metadata.namespace === namespace ||
      (metadata.namespace === demo.namespace && metadata.labels?.['app'] === demo.name),
    isOurs: async (pod) => {
      const { containers } = pod.spec;
      const isDemo = pod.metadata.namespace === demo.namespace && containers.every(({ image }) => image === demo.image);
      const isProgram = pod.metadata.namespace === namespace && containers.every((one) => runsOurs(pod, one));
      if (!isDemo && !isProgram) return false;
      const workload = await workloadOf(pod, pod.metadata.namespace ?? '');
      return workload !== undefined && isOf(pod, workload) && (await isMade(workload.metadata.uid ?? ''));
    },
  };
};
