import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import { createLeaderElector } from '@vdo/kube/create-leader-elector';
import type { Pod } from '@vdo/kube/types/core';
import { distributionLabel, driverLabel } from '@vdo/releases/render/shared/labels';
import type { OperatorStory } from '../../../stories/operator/create-operator-story.ts';

/** Plays the controllers of the drivers: each acts only while it holds the Lease that its pod's arguments name. */
export interface Acting {
  open(story: OperatorStory): void;
  lead(pod: Pod, signal: AbortSignal): Promise<void>;
  /** What acted beside a controller of the other distribution, or of its own. */
  readonly violations: readonly string[];
}

interface Post {
  /** What only one may do at a time. */
  readonly duty: string;
  readonly lease: { readonly namespace: string; readonly name: string };
}

const argument = (pod: Pod, name: string): string | undefined =>
  pod.spec.containers
    .flatMap(({ args = [] }) => args as readonly string[])
    .find((one) => one.startsWith(`--${name}=`))
    ?.slice(name.length + 3);

/** By the rules of the cloud controller manager and of the external attacher, whose defaults are these. */
const postOf = (pod: Pod): Post | undefined => {
  const isNodeAgent = pod.metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet');
  if (pod.metadata.labels?.[driverLabel] === 'cpi')
    return {
      duty: 'cloud controller manager',
      lease: {
        namespace: argument(pod, 'leader-elect-resource-namespace') ?? 'kube-system',
        name: argument(pod, 'leader-elect-resource-name') ?? 'cloud-controller-manager',
      },
    };
  if (pod.metadata.labels?.[driverLabel] !== 'csi' || isNodeAgent) return undefined;
  return {
    duty: 'attacher',
    lease: {
      namespace: argument(pod, 'leader-election-namespace') ?? pod.metadata.namespace ?? '',
      name: 'external-attacher-leader-csi-vsphere-vmware-com',
    },
  };
};

export const createActing = (seed: number): Acting => {
  const random = createSeededRandom(seed);
  const acting = new Map<string, Map<string, string>>();
  const violations: string[] = [];
  let story: OperatorStory | undefined;
  return {
    open: (opened) => {
      story = opened;
    },
    lead: async (pod, signal) => {
      const post = postOf(pod);
      if (!post || !story) return;
      const { duty, lease } = post;
      const identity = `${pod.metadata.namespace}/${pod.metadata.name} (${pod.metadata.labels?.[distributionLabel]})`;
      const others = acting.get(duty) ?? new Map<string, string>();
      acting.set(duty, others);
      const elector = createLeaderElector({
        client: story.kube,
        clock: story.clock,
        random,
        logger: silentLogger,
        lease,
        identity,
        retryPeriodMs: 5_000,
      });
      await elector
        .run(signal, async (leading) => {
          for (const other of others.values()) violations.push(`two act as ${duty}: ${identity} beside ${other}`);
          others.set(identity, identity);
          await new Promise<void>((resolve) => leading.addEventListener('abort', () => resolve(), { once: true }));
          others.delete(identity);
        })
        .catch(() => {});
    },
    violations,
  };
};
