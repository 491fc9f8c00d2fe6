import type { Attempt, AttemptDeps } from '@vdo/acts/attempt';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import type { Answer } from '@vdo/acts/evidence';
import { deleteNode } from '@vdo/acts/objects/delete-node';
import { withoutClusterId } from '@vdo/acts/sole-use';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Logger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import { isVdoError, toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import type { Informer } from '@vdo/kube/informer';
import { type Node, nodes as nodeResource, type Taint } from '@vdo/kube/types/core';
import type { NodeQuery } from '@vdo/vsphere/inventory/node-inventory';
import { decideFate, deletionPaused, type Fate, type ReferenceState, type Sighting } from '../decisions/node-fate.ts';
import { identifyNode } from '../decisions/node-identity.ts';
import { isReady, shutdownTaint, withoutTaintKey } from '../decisions/taints.ts';
import { knownVm } from '../decisions/vm-annotation.ts';
import type { NodeMetrics } from '../nodes/node-metrics.ts';
import type { NodeReporter } from '../nodes/node-reporter.ts';
import type { NodeWriter } from '../nodes/node-writer.ts';
import type { NodeVms } from '../vms/node-vms.ts';
import type { DeletionBudget } from './deletion-budget.ts';

export interface LifecycleOptions {
  readonly nodes: Pick<Informer<Node>, 'get' | 'list' | 'doubt'>;
  readonly vms: Pick<NodeVms, 'find' | 'prove'>;
  readonly client: KubeClient;
  readonly writer: NodeWriter;
  readonly fence: Fence;
  readonly reporter: NodeReporter;
  readonly budget: DeletionBudget;
  readonly clock: Clock;
  readonly random: Random;
  readonly actLog: AttemptDeps['log'];
  readonly logger: Logger;
  readonly metrics: Pick<NodeMetrics, 'lookedFor'>;
  /** Time between the two proofs that a VM is gone; 60 s by default. */
  readonly confirmAfterMs?: number;
}

/** How often a node that is not ready is checked. While its VM is watched, this costs no call. */
const checkPeriodMs = 32_000;
/** The same for a node whose VM cannot be proven gone. This has been reported, so it may take longer. */
const unprovenPeriodMs = 256_000;

const neverSeen: ReferenceState = {
  proof: 'none',
  because: 'this program has never seen its VM, so it has no managed object reference to check',
};

interface Observed {
  readonly sighting: Sighting;
  /** vCenter's answer about the managed object reference, if it was asked. */
  readonly proof?: Answer<ReferenceState>;
}

const stale = (name: string): VdoError =>
  new VdoError({
    code: 'EvidenceMissing',
    message: `node ${name} has changed since this program cached it. The Node is kept`,
    remedy: 'No action needed: the Node is checked again when the watch reports the change.',
  });

/** Taints nodes whose VM is powered off and deletes nodes whose VM is proven gone. */
export const createLifecycleReconciler = (options: LifecycleOptions): Reconcile => {
  const { nodes, clock, reporter, budget, confirmAfterMs = 60_000 } = options;
  const goneSinceMs = new Map<string, number>();

  const observe = async (node: Node, query: NodeQuery, attempt: Attempt, signal: AbortSignal): Promise<Observed> => {
    try {
      const { powerState } = await options.vms.find(query);
      return { sighting: { state: 'present', powerState } };
    } catch (error) {
      signal.throwIfAborted();
      if (!isVdoError(error, 'NodeVmNotFound')) return { sighting: { state: 'unknown', error: toVdoError(error) } };
    }
    const known = knownVm(node);
    if (!known) return { sighting: { state: 'missing', reference: neverSeen } };
    try {
      const proof = await attempt.ask(`VM ${known.ref.value} on ${known.server}`, () => options.vms.prove(known));
      return { sighting: { state: 'missing', reference: proof.value }, proof };
    } catch (error) {
      signal.throwIfAborted();
      return { sighting: { state: 'unknown', error: toVdoError(error) } };
    }
  };

  /** Reads the Node again, so that a node that has become ready is not tainted, and one that is not ready keeps its taint. */
  const markShutDown = (node: Node, isOff: boolean, signal: AbortSignal) => {
    const decide = (current: Node) => {
      const others: readonly Taint[] = withoutTaintKey(current.spec.taints ?? [], shutdownTaint.key);
      const change = isReady(current) === isOff ? undefined : { taints: isOff ? [...others, shutdownTaint] : others };
      return { initializes: false, node: change, addresses: undefined };
    };
    return options.writer.write(node, decide, { signal });
  };

  const spend = async (name: string): Promise<VdoError | undefined> => {
    try {
      return (await budget.spend(() => nodes.list().length)) ? undefined : deletionPaused(name);
    } catch (error) {
      return toVdoError(error);
    }
  };

  /** Returns the reason why it did not delete the Node. */
  const remove = async (node: Node, attempt: Attempt, proof: Answer<ReferenceState>): Promise<VdoError | undefined> => {
    const { name = '', uid } = node.metadata;
    const message = `Deleting node ${name} because its VM no longer exists in vCenter`;
    options.fence.assertHeld();
    const refusal = await spend(name);
    if (refusal) return refusal;
    options.fence.assertHeld();
    const seen = await attempt.read(nodeResource, { name });
    // Deleted, registered again under the same name, or ready again, and the watch has not reported it yet.
    if (seen.kind === 'absent' || seen.uid !== uid || isReady(seen.object)) {
      nodes.doubt();
      return stale(name);
    }
    await deleteNode(attempt, seen, [proof]);
    reporter.note(node, 'DeletingNode', message);
    options.logger.warn('deleted a node whose VM is gone', { node: name, providerID: node.spec.providerID });
    return undefined;
  };

  /** Returns the problem because of which the Node is kept. */
  const carryOut = async (
    node: Node,
    fate: Fate,
    { attempt, proof }: { readonly attempt: Attempt; readonly proof?: Answer<ReferenceState> | undefined },
    signal: AbortSignal,
  ): Promise<VdoError | undefined> => {
    if (fate.action === 'untaint' || fate.action === 'taint') await markShutDown(node, fate.action === 'taint', signal);
    const problem = fate.action === 'delete' && proof ? await remove(node, attempt, proof) : undefined;
    return fate.action === 'report' ? fate.problem : problem;
  };

  const remember = (name: string, sighting: Sighting | undefined): number | undefined => {
    const proven = sighting?.state === 'missing' && sighting.reference.proof === 'gone';
    const since = goneSinceMs.get(name);
    if (!proven) goneSinceMs.delete(name);
    else if (since === undefined) goneSinceMs.set(name, clock.monotonicMs());
    return proven ? since : undefined;
  };

  return async (name, { signal }) => {
    const node = nodes.get(name);
    const identity = node && identifyNode(node);
    // Without a vSphere providerID it is not known which VM the node had.
    if (!node || identity?.kind !== 'managed' || !node.spec.providerID) {
      goneSinceMs.delete(name);
      return undefined;
    }
    const { client, random, fence, actLog: log } = options;
    const attempt = beginAttempt(
      { client, clock, random, fence, log, soleUse: withoutClusterId },
      { act: 'delete Node', subject: name, signal },
    );
    const { sighting, proof }: Partial<Observed> = isReady(node)
      ? {}
      : await observe(node, identity.query, attempt, signal);
    if (sighting) options.metrics.lookedFor(sighting.state);
    const fate = decideFate({
      node,
      sighting,
      goneSinceMs: remember(name, sighting),
      nowMs: clock.monotonicMs(),
      confirmAfterMs,
    });
    const problem = await carryOut(node, fate, { attempt, proof }, signal);
    reporter.report(node, 'lifecycle', problem);
    if (isReady(node) || (fate.action === 'delete' && !problem)) return undefined;
    if (fate.action === 'confirm') return { requeueAfterMs: fate.afterMs };
    const periodMs = problem ? unprovenPeriodMs : checkPeriodMs;
    return { requeueAfterMs: periodMs - (clock.now() % periodMs) };
  };
};
