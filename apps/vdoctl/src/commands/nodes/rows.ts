import type { CheckOutcome } from '@vdo/checks/check';
import type { ClusterFacts, NodeFacts } from '@vdo/checks/facts';
import { worstFirst } from '@vdo/checks/summarize';
import { taintKeys } from '@vdo/config/names';

export interface NodeRow {
  readonly node: string;
  readonly vm: string | null;
  readonly vcenter: string | null;
  readonly power: string | null;
  readonly tools: 'running' | 'not running' | null;
  readonly hardwareVersion: number | null;
  readonly uuid: string | null;
  readonly providerId: string | null;
  readonly addresses: readonly string[];
  readonly initialized: boolean;
  readonly problems: readonly Pick<CheckOutcome, 'id' | 'result' | 'reason' | 'message' | 'remedy' | 'commands'>[];
}

const uninitialized = taintKeys.uninitialized;

const problemsOf = (node: string, outcomes: readonly CheckOutcome[]): NodeRow['problems'] => {
  const all = outcomes
    .filter(({ object }) => object.kind === 'Node' && object.name === node)
    .filter(({ result }) => result !== 'Pass' && result !== 'Skipped');
  // A check that could not run because of another problem of the node adds no information.
  const named = new Set(all.filter(({ result }) => result !== 'Unknown').map(({ id }) => `See ${id}.`));
  return all
    .filter(({ reason, remedy }) => reason !== 'DependsOnFailure' || !named.has(remedy))
    .toSorted(worstFirst)
    .map(({ id, result, reason, message, remedy, commands }) => ({
      id,
      result,
      reason,
      message,
      remedy,
      ...(commands ? { commands } : {}),
    }));
};

const rowOf = ({ node, vm, resolution }: NodeFacts, outcomes: readonly CheckOutcome[]): NodeRow => {
  const name = node.metadata.name ?? '';
  const found = vm ?? (resolution?.state === 'found' ? resolution.vm : undefined);
  return {
    node: name,
    vm: found?.name ?? null,
    vcenter: found?.server ?? null,
    power: found?.powerState ?? null,
    tools: found ? (found.toolsRunning ? 'running' : 'not running') : null,
    hardwareVersion: vm?.hardwareVersion ?? null,
    uuid: found?.uuid ?? null,
    providerId: node.spec.providerID ?? null,
    addresses: (node.status?.addresses ?? [])
      .filter(({ type }) => type === 'InternalIP' || type === 'ExternalIP')
      .map(({ address }) => address),
    initialized: !(node.spec.taints ?? []).some(({ key }) => key === uninitialized),
    problems: problemsOf(name, outcomes),
  };
};

/** One row per node, with all its problems. */
export const nodeRows = (facts: ClusterFacts, outcomes: readonly CheckOutcome[]): readonly NodeRow[] =>
  facts.nodes.map((node) => rowOf(node, outcomes)).toSorted((left, right) => left.node.localeCompare(right.node));
