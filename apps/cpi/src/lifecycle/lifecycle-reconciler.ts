import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Logger } from '@vdo/base/logger';
import { isVdoError, toVdoError, type VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import type { Informer } from '@vdo/kube/informer';
import { type Node, nodes as nodeResource, type Taint } from '@vdo/kube/types/core';
import type { NodeQuery } from '@vdo/vsphere/inventory/node-inventory';
import { decideFate, deletionPaused, type Fate, type ReferenceState, type Sighting } from '../decisions/node-fate.ts';
import { identifyNode } from '../decisions/node-identity.ts';
import { isReady, shutdownTaint, withoutTaintKey } from '../decisions/taints.ts';
import { knownVm } from '../decisions/vm-annotation.ts';
import type { NodeReporter } from '../nodes/node-reporter.ts';
import type { NodeWriter } from '../nodes/node-writer.ts';
import type { NodeVms } from '../vms/node-vms.ts';
import type { DeletionBudget } from './deletion-budget.ts';

export interface LifecycleOptions {
  readonly nodes: Pick<Informer<Node>, 'get' | 'list'>;
  readonly vms: Pick<NodeVms, 'find' | 'prove'>;
  readonly client: Pick<KubeClient, 'delete'>;
  readonly writer: NodeWriter;
  readonly fence: Fence;
  readonly reporter: NodeReporter;
  readonly budget: DeletionBudget;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Between the two proofs that a VM is gone. Default 60 s. */
  readonly confirmAfterMs?: number;
}

/** A node that is not ready is looked at this often; while its VM is watched that costs no call. */
const lookPeriodMs = 32_000;
/** One whose end cannot be proven: a person has been told. */
const unprovenPeriodMs = 256_000;

const neverSeen: ReferenceState = {
  proof: 'none',
  because: 'this program has never seen its VM, so there is no reference to ask for',
};

/** Marks nodes whose VM is off and removes nodes whose VM is proven gone. */
export const createLifecycleReconciler = (options: LifecycleOptions): Reconcile => {
  const { nodes, clock, reporter, budget, confirmAfterMs = 60_000 } = options;
  const goneSinceMs = new Map<string, number>();

  const look = async (node: Node, query: NodeQuery, signal: AbortSignal): Promise<Sighting> => {
    try {
      const { powerState } = await options.vms.find(query);
      return { state: 'present', powerState };
    } catch (error) {
      signal.throwIfAborted();
      if (!isVdoError(error, 'NodeVmNotFound')) return { state: 'unknown', error: toVdoError(error) };
    }
    const known = knownVm(node);
    try {
      return { state: 'missing', reference: known ? await options.vms.prove(known) : neverSeen };
    } catch (error) {
      signal.throwIfAborted();
      return { state: 'unknown', error: toVdoError(error) };
    }
  };

  const setTaints = (node: Node, change: (taints: readonly Taint[]) => readonly Taint[], signal: AbortSignal) => {
    const decide = (current: Node) => ({
      initializes: false,
      node: { taints: change(current.spec.taints ?? []) },
      addresses: undefined,
    });
    return options.writer.write(node, decide, { signal });
  };
  const withoutShutdown = (taints: readonly Taint[]) => withoutTaintKey(taints, shutdownTaint.key);

  const spend = async (name: string): Promise<VdoError | undefined> => {
    try {
      return (await budget.spend(() => nodes.list().length)) ? undefined : deletionPaused(name);
    } catch (error) {
      return toVdoError(error);
    }
  };

  /** Gives the reason why it did not. */
  const remove = async (node: Node, signal: AbortSignal): Promise<VdoError | undefined> => {
    const { name = '', uid } = node.metadata;
    const message = `Deleting node ${name} because its VM no longer exists in vCenter`;
    options.fence.assertHeld();
    const refusal = await spend(name);
    if (refusal) return refusal;
    options.fence.assertHeld();
    reporter.note(node, 'DeletingNode', message);
    options.logger.warn('deleting a node whose VM is gone', { node: name, providerID: node.spec.providerID });
    // The uid keeps a node alive that registered anew under the same name.
    await options.client.delete(nodeResource, { name }, { signal, ...(uid === undefined ? {} : { uid }) });
    return undefined;
  };

  /** Gives the problem that keeps the node. */
  const carryOut = async (node: Node, fate: Fate, signal: AbortSignal): Promise<VdoError | undefined> => {
    if (fate.action === 'untaint') await setTaints(node, withoutShutdown, signal);
    if (fate.action === 'taint') await setTaints(node, (taints) => [...withoutShutdown(taints), shutdownTaint], signal);
    const problem = fate.action === 'delete' ? await remove(node, signal) : undefined;
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
    // Without a providerID of vSphere nothing says which VM a node had.
    if (!node || identity?.kind !== 'managed' || !node.spec.providerID) {
      goneSinceMs.delete(name);
      return undefined;
    }
    const sighting = isReady(node) ? undefined : await look(node, identity.query, signal);
    const fate = decideFate({
      node,
      sighting,
      goneSinceMs: remember(name, sighting),
      nowMs: clock.monotonicMs(),
      confirmAfterMs,
    });
    const problem = await carryOut(node, fate, signal);
    reporter.report(node, 'lifecycle', problem);
    if (isReady(node) || (fate.action === 'delete' && !problem)) return undefined;
    if (fate.action === 'confirm') return { requeueAfterMs: fate.afterMs };
    const periodMs = problem ? unprovenPeriodMs : lookPeriodMs;
    return { requeueAfterMs: periodMs - (clock.now() % periodMs) };
  };
};
