import type { Node, PodSpec, Taint, Toleration } from '@vdo/kube/types/core';
import { getIn, listOf, objectOf } from '../json.ts';
import { expressionMatcher, type Labels } from '../selectors/label-selector.ts';

const tolerates = (toleration: Toleration, taint: Taint): boolean => {
  const isAnyKey = !toleration.key && toleration.operator === 'Exists';
  const isEffect = !toleration.effect || toleration.effect === taint.effect;
  const isValue = toleration.operator === 'Exists' || (toleration.value ?? '') === (taint.value ?? '');
  return isEffect && (isAnyKey || (toleration.key === taint.key && isValue));
};

/** Of a cordoned node: Kubernetes treats it as this taint, also before the taint is there. */
const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Taints of a node that keep a pod away. */
export const repellingTaints = (
  { spec: { taints = [], unschedulable } }: Node,
  tolerations: readonly Toleration[],
): readonly Taint[] =>
  [...taints, ...(unschedulable ? [cordon] : [])]
    .filter(({ effect }) => effect !== 'PreferNoSchedule')
    .filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));

const termMatches = (term: unknown, node: Node): boolean => {
  const labels: Labels = node.metadata.labels ?? {};
  const fields: Labels = { 'metadata.name': node.metadata.name ?? '' };
  const { matchExpressions, matchFields } = objectOf(term);
  return (
    listOf(matchExpressions).every((expression) => expressionMatcher(expression)(labels)) &&
    listOf(matchFields).every((expression) => expressionMatcher(expression)(fields))
  );
};

const termsOf = ({ affinity }: PodSpec): unknown =>
  getIn(affinity, ['nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms']);

/** The only node that the required affinity names, as for a DaemonSet's pod; undefined if it names none. */
export const namedNode = (spec: PodSpec): string | undefined => {
  const terms = listOf(termsOf(spec));
  const [field, ...others] = listOf(objectOf(terms[0])['matchFields']).map(objectOf);
  const [name, ...more] = listOf(field?.['values']);
  const isOne = terms.length === 1 && others.length === 0 && more.length === 0 && field?.['operator'] === 'In';
  return isOne && field?.['key'] === 'metadata.name' && typeof name === 'string' ? name : undefined;
};

/** Whether a node has what `nodeSelector` and the required node affinity ask for. */
export const isSelected = (node: Node, spec: PodSpec): boolean => {
  const labels = node.metadata.labels ?? {};
  const terms = termsOf(spec);
  return (
    Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value) &&
    (!Array.isArray(terms) || terms.some((term) => termMatches(term, node)))
  );
};
