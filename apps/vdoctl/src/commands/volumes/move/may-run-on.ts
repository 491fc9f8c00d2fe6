import type { PersistentVolume } from '@vdo/kube/types/core';

type Labels = Readonly<Record<string, string>>;

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

const holds = ({ key, operator, values = [] }: Requirement, labels: Labels): boolean => {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'DoesNotExist':
      return value === undefined;
    default:
      return value !== undefined;
  }
};

/** True if pods with the volume may run on a node with these labels: one term of its node affinity holds, or it has none. */
export const mayRunOn = ({ spec }: PersistentVolume, labels: Labels): boolean => {
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms;
  if (!terms) return true;
  return terms.some(({ matchExpressions = [] }) =>
    (matchExpressions as readonly Requirement[]).every((one) => holds(one, labels)),
  );
};
