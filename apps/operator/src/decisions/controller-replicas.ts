import type { AdvancedSpec, ComponentSpec } from '@vdo/config/api/advanced-spec';
import { labelKeys } from '@vdo/config/names';
import type { Node } from '@vdo/kube/types/core';
import type { DriverKind } from '@vdo/releases/matrix';

/** Temporary taints of Kubernetes: a node counts as if they were already gone. */
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
 * The replicas of a controller if the spec does not set them: two if two nodes can run them, so that the loss of a node costs no more
 * than a change of the leader. Cordoned and unresponsive nodes count, so that a drain does not change the number.
 */
export const controllerReplicas = (
  nodes: readonly Node[],
  advanced: Pick<AdvancedSpec, 'cpi' | 'csiController'>,
): Readonly<Record<DriverKind, number>> => {
  const replicasOf = (adjust: ComponentSpec | undefined): number =>
    nodes.filter((node) => canTake(node, adjust)).length >= 2 ? 2 : 1;
  return { cpi: replicasOf(advanced.cpi), csi: replicasOf(advanced.csiController) };
};
