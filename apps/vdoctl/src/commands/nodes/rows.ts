import type { CheckOutcome } from '@vdo/checks/check';
import type { ClusterFacts, NodeFacts } from '@vdo/checks/facts';
import { worstFirst } from '@vdo/checks/summarize';

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
  readonly problems: readonly Pick<CheckOutcome, 'id' | 'result' | 'message' | 'remedy'>[];
}

const uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized';

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
    problems: outcomes
      .filter(({ object, result }) => object.kind === 'Node' && object.name === name && result !== 'Pass')
      .filter(({ result }) => result !== 'Skipped')
      .toSorted(worstFirst)
      .map(({ id, result, message, remedy }) => ({ id, result, message, remedy })),
  };
};

/** One row per node, with everything that does not fit. */
export const nodeRows = (facts: ClusterFacts, outcomes: readonly CheckOutcome[]): readonly NodeRow[] =>
  facts.nodes.map((node) => rowOf(node, outcomes)).toSorted((left, right) => left.node.localeCompare(right.node));
