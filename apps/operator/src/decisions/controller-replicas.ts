import type { AdvancedSpec, ComponentSpec } from '@vdo/config/api/advanced-spec';
import { labelKeys } from '@vdo/config/names';
import type { Node } from '@vdo/kube/types/core';
import type { DriverKind } from '@vdo/releases/matrix';

/** Taints that Kubernetes puts on a node for a while; what waits for them to go is counted as if they were gone. */
const passing = /^node\.(cloudprovider\.)?kubernetes\.io\//;
const controlPlane = [labelKeys.controlPlane, 'node-role.kubernetes.io/master'];

type Taint = NonNullable<Node['spec']['taints']>[number];

const tolerates = (taint: Taint, tolerations: ComponentSpec['tolerations']): boolean =>
  controlPlane.includes(taint.key) ||
  tolerations.some(
    ({ key, operator, value, effect }) =>
      (key === undefined || key === taint.key) &&
      (effect === undefined || effect === taint.effect) &&
      (operator === 'Exists' || (value ?? '') === (taint.value ?? '')),
  );

const canTake = ({ metadata, spec }: Node, adjust: ComponentSpec | undefined): boolean => {
  const labels = metadata.labels ?? {};
  const selector = { 'kubernetes.io/os': 'linux', ...adjust?.nodeSelector };
  const isSelected = Object.entries(selector).every(([key, value]) => labels[key] === value);
  const hindering = (spec.taints ?? []).filter(
    ({ key, effect }) => effect !== 'PreferNoSchedule' && !passing.test(key),
  );
  return isSelected && hindering.every((taint) => tolerates(taint, adjust?.tolerations ?? []));
};

/**
 * How many pods a controller gets where the spec does not say: two if two nodes can take them, so that the loss of a node costs no more
 * than a change of the leader. A node that is cordoned or silent counts: a drain must not move the number.
 */
export const controllerReplicas = (
  nodes: readonly Node[],
  advanced: Pick<AdvancedSpec, 'cpi' | 'csiController'>,
): Readonly<Record<DriverKind, number>> => {
  const replicasOf = (adjust: ComponentSpec | undefined): number =>
    nodes.filter((node) => canTake(node, adjust)).length >= 2 ? 2 : 1;
  return { cpi: replicasOf(advanced.cpi), csi: replicasOf(advanced.csiController) };
};
