import type { KubeClient } from '@vdo/kube/client';
import { daemonSets } from '@vdo/kube/types/workloads';
import { readBackup } from '../engine/backup.ts';
import { stop } from '../engine/operator-steps.ts';
import { restoreObject } from '../engine/restore.ts';
import type { Scene } from '../engine/scene.ts';
import type { Step } from '../engine/step.ts';
import { waitUntil } from '../engine/wait.ts';
import type { DriverWorkload } from './driver-workloads.ts';

/** A label that no node has, to stop a DaemonSet: it has no replica count that could be set to 0. */
const stoppedSelector = 'vdo.vmware.com/stopped-for-migration';

const isStopped = ({ kind, workload }: DriverWorkload): boolean => {
  if (kind === 'Deployment') return (workload.spec as { replicas?: number }).replicas === 0;
  const selector = (workload.spec.template.spec as { nodeSelector?: Readonly<Record<string, string>> }).nodeSelector;
  return selector?.[stoppedSelector] !== undefined;
};

const stopDaemonSet = async (scene: Scene, { namespace, name }: DriverWorkload, say: (text: string) => void) => {
  const { kube, signal } = scene;
  const key = { namespace, name };
  const body = { spec: { template: { spec: { nodeSelector: { [stoppedSelector]: 'true' } } } } };
  await kube.patch(daemonSets, key, { type: 'merge', body }, { signal });
  await waitUntil(
    scene,
    `the pods of DaemonSet ${namespace}/${name} to end`,
    async () => {
      const now = await kube.find(daemonSets, key, { signal });
      const observed = (now?.status?.observedGeneration ?? 0) >= (now?.metadata.generation ?? 0);
      const left = now?.status?.currentNumberScheduled ?? 0;
      return !now || (observed && left === 0) || `${left} of its pods still exist`;
    },
    say,
  );
};

const restore = async (kube: KubeClient, { kind, namespace, name }: DriverWorkload, signal: AbortSignal) => {
  const before = (await readBackup(kube, signal)).find(
    (object) => object.kind === kind && object.metadata.name === name && object.metadata.namespace === namespace,
  );
  if (before) await restoreObject(kube, before, signal);
};

/** How to stop other tools from managing the drivers without removing them. */
const letGoCommands: Readonly<Record<string, readonly string[]>> = {
  'Argo CD': ['argocd app set APP --sync-policy none', 'argocd app delete APP --cascade=false'],
  Flux: [
    'flux suspend kustomization NAME   # or: flux suspend helmrelease NAME',
    '# then remove the driver from the applied manifests, with prune: false',
  ],
  OLM: ['# delete the Subscription that installed the driver, and its ClusterServiceVersion'],
};

/** Tools that would restore the previous driver when they next reconcile. Helm only acts when it is run. */
export const managerSteps = (workloads: readonly DriverWorkload[]): readonly Step[] => {
  const managers = new Map(
    workloads.flatMap((one) => (one.manager && one.manager !== 'Helm' ? [[one.manager, one]] : [])),
  );
  return [...managers].map(([manager, { kind, namespace, name }]) => ({
    id: `release-${manager.toLowerCase().replaceAll(' ', '-')}`,
    where: namespace,
    forward: {
      what: `stop ${manager} from managing ${kind} ${name}, without removing it`,
      who: 'you',
      isDone: undefined,
      commands: letGoCommands[manager] ?? [],
    },
    back: {
      what: `let ${manager} manage ${kind} ${name} again`,
      who: 'you',
      isDone: undefined,
      commands: manager === 'Flux' ? ['flux resume kustomization NAME   # or: flux resume helmrelease NAME'] : [],
    },
  }));
};

/**
 * Drivers with names or namespaces that the operator does not manage, such as those of the Helm chart of the cloud controller manager. They
 * would run beside the operator's drivers, with another Lease, or on the same port and socket.
 */
export const retireSteps = (scene: Scene, workloads: readonly DriverWorkload[]): readonly Step[] =>
  workloads
    .filter(({ isUsual }) => !isUsual)
    .map((one): Step => {
      const { kind, namespace, name } = one;
      const stopped = isStopped(one);
      return {
        id: `stop-${kind.toLowerCase()}-${namespace}-${name}`,
        where: namespace,
        forward: {
          what: `stop ${kind} ${name}; it is kept without pods until the migration is finished`,
          who: 'vdoctl',
          isDone: stopped,
          perform: (say) =>
            kind === 'Deployment' ? stop(scene, { namespace, name }, say) : stopDaemonSet(scene, one, say),
        },
        back: {
          what: `start ${kind} ${name} again`,
          who: 'vdoctl',
          isDone: !stopped,
          perform: () => restore(scene.kube, one, scene.signal),
        },
      };
    });
