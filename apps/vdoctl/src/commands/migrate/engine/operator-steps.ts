import { names } from '@vdo/config/names';
import { deployments } from '@vdo/kube/types/workloads';
import { type ClusterFacts, replicasOf } from './cluster-facts.ts';
import type { Before } from './record.ts';
import type { Scene } from './scene.ts';
import type { Action, Step } from './step.ts';
import { waitUntil } from './wait.ts';

const scale = async (
  { kube, signal }: Pick<Scene, 'kube' | 'signal'>,
  key: { readonly namespace: string; readonly name: string },
  replicas: number,
): Promise<void> => {
  await kube.patch(deployments, key, { type: 'merge', body: { spec: { replicas } } }, { signal });
};

/** Stops a Deployment and waits until all its pods are gone, so that they cannot change anything. */
export const stop = async (
  scene: Scene,
  key: { readonly namespace: string; readonly name: string },
  say: (text: string) => void,
): Promise<void> => {
  const { kube, signal } = scene;
  const found = await kube.find(deployments, key, { signal });
  if (!found) return;
  if (replicasOf(found) !== 0) await scale(scene, key, 0);
  await waitUntil(
    scene,
    `the pods of Deployment ${key.namespace}/${key.name} to end`,
    async () => {
      const now = await kube.find(deployments, key, { signal });
      const observed = (now?.status?.observedGeneration ?? 0) >= (now?.metadata.generation ?? 0);
      const left = now?.status?.replicas ?? 0;
      return !now || (observed && left === 0) || `${left} of its pods still exist`;
    },
    say,
  );
};

/** The operator of upstream VDO is stopped, not deleted: it is kept for undo until the migration is finished. */
export const upstreamOperatorStep = (scene: Scene, facts: ClusterFacts, before: Before['formerOperator']): Step => {
  const { upstreamOperator } = facts;
  const namespace = before?.namespace ?? upstreamOperator?.metadata.namespace ?? names.namespace;
  const key = { namespace, name: names.upstreamOperator };
  const isManaged = upstreamOperator?.metadata.labels?.['olm.owner'] !== undefined;
  const running = replicasOf(upstreamOperator) ?? 0;
  return {
    id: 'stop-former-operator',
    where: namespace,
    forward: {
      what: 'stop the operator of upstream VDO, which would revert changes; the drivers keep running',
      who: isManaged ? 'you' : 'vdoctl',
      isDone: running === 0,
      ...(isManaged
        ? {
            commands: [
              `# in namespace ${namespace}: delete the Subscription of upstream VDO and the ClusterServiceVersion ${upstreamOperator?.metadata.labels?.['olm.owner'] ?? ''}`,
            ],
          }
        : { perform: (say) => stop(scene, key, say) }),
    },
    ...(before && before.replicas > 0
      ? {
          back: {
            what: 'start the operator of upstream VDO again',
            who: 'vdoctl',
            isDone: upstreamOperator === undefined ? undefined : running === before.replicas,
            ...(upstreamOperator ? { perform: () => scale(scene, key, before.replicas) } : {}),
            commands: upstreamOperator ? [] : ['# install upstream VDO again, in the same way as before'],
          },
        }
      : {}),
  };
};

export const operatorStep = (scene: Scene, facts: ClusterFacts, before: Before | undefined): Step => {
  const { operator, hasCrd } = facts;
  const { namespace } = scene;
  const key = { namespace, name: names.operator };
  const wasThere = before?.operatorReplicas ?? null;
  const running = replicasOf(operator);
  // CRDs are created before the Deployment, so an interrupted install has CRDs and no operator. If the CRDs existed before the
  // migration and the Deployment did not, the operator is run in another way.
  const runsElsewhere = wasThere === null && (before?.hadDefinition ?? true);
  const backOf = (): Action =>
    wasThere === null
      ? {
          what: 'remove the operator, which the migration installed',
          who: 'vdoctl',
          isDone: operator === undefined && !hasCrd,
          perform: () => scene.removeOperator(),
        }
      : {
          what: 'start the operator again, as before',
          who: 'vdoctl',
          isDone: running === wasThere,
          perform: () => scale(scene, key, wasThere),
        };
  return {
    id: 'operator',
    where: 'cluster',
    forward: {
      what: 'install the operator',
      who: 'vdoctl',
      isDone: hasCrd && (running === null ? runsElsewhere : running > 0),
      perform: async () => {
        if (running === 0) await scale(scene, key, Math.max(1, wasThere ?? 1));
        else await scene.installOperator();
      },
      commands: ['vdoctl install'],
    },
    ...(before && runsElsewhere ? {} : { back: backOf() }),
  };
};
