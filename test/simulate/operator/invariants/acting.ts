import { aborted } from '@vdo/base/async/aborted';
import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import { createLeaderElector } from '@vdo/kube/create-leader-elector';
import type { Pod } from '@vdo/kube/types/core';
import { distributionLabel, driverLabel } from '@vdo/releases/render/shared/labels';
import type { OperatorStory } from '../../../stories/operator/create-operator-story.ts';

/**
 * Plays the drivers. Controllers act only while they hold the Lease that their pod's arguments name; node agents, which have none, as long
 * as they run: they share the socket and the registration of their node.
 */
export interface Acting {
  open(story: OperatorStory): void;
  lead(pod: Pod, signal: AbortSignal): Promise<void>;
  /** What acted beside a controller of the other distribution, or of its own. */
  readonly violations: readonly string[];
}

interface Post {
  /** What only one may do at a time. */
  readonly duty: string;
  /** Absent: who runs acts. */
  readonly lease?: { readonly namespace: string; readonly name: string };
}

/** Longer than those of real ones, which changes nothing but the cost: they keep to the same rules. */
const leaseTimes = { leaseDurationMs: 60_000, renewDeadlineMs: 40_000, retryPeriodMs: 15_000 };

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
  if (pod.metadata.labels?.[driverLabel] !== 'csi') return undefined;
  if (isNodeAgent) return { duty: `node agent of ${pod.spec.nodeName}` };
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
      const act = async (until: AbortSignal): Promise<void> => {
        for (const other of others.values()) violations.push(`two act as ${duty}: ${identity} beside ${other}`);
        others.set(identity, identity);
        await aborted(until);
        others.delete(identity);
      };
      if (!lease) return act(signal);
      const elector = createLeaderElector({
        client: story.kube,
        clock: story.clock,
        random,
        logger: silentLogger,
        lease,
        identity,
        ...leaseTimes,
      });
      await elector.run(signal, act).catch(() => {});
    },
    violations,
  };
};
