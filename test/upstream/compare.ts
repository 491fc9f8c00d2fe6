import type { AnyObject } from '@vdo/kube/types/object';
import { type Facet, facetsOf } from './facets.ts';

/** A way in which our manifests differ on purpose from those of a release. */
export interface Reason {
  /** `-`: theirs, and not ours. `+`: ours, and not theirs. */
  readonly line: RegExp;
  readonly because: string;
}

export interface Comparison {
  /** `- theirs` and `+ ours`, for which there is no reason. */
  readonly unexplained: readonly string[];
  readonly explained: readonly { readonly line: string; readonly because: string }[];
  /** How many lines both have. */
  readonly same: number;
}

/** Where the namespaced objects without a namespace go when somebody applies them as they stand. */
const placed = (object: AnyObject, fallback: string): AnyObject => {
  const isCluster = /^(Cluster|CSIDriver|Namespace|ValidatingWebhook|StorageClass|CustomResource|PriorityClass)/.test(
    object.kind,
  );
  if (isCluster || object.metadata.namespace) return object;
  return { ...object, metadata: { ...object.metadata, namespace: fallback } };
};

/** What the manifests of a release have and ours have not, and the reverse. Pure. */
export const compareManifests = (
  theirs: readonly AnyObject[],
  ours: readonly AnyObject[],
  reasons: readonly Reason[],
  namespace = 'default',
): Comparison => {
  const lists = [theirs, ours].map((objects) => facetsOf(objects.map((object) => placed(object, namespace))));
  const [left = [], right = []] = lists;
  const [inLeft, inRight] = [new Set(left), new Set(right)];
  const lines: readonly Facet[] = [
    ...left.filter((line) => !inRight.has(line)).map((line) => `- ${line}`),
    ...right.filter((line) => !inLeft.has(line)).map((line) => `+ ${line}`),
  ];
  const judged = lines.map((line) => ({ line, because: reasons.find((reason) => reason.line.test(line))?.because }));
  return {
    unexplained: judged.filter(({ because }) => because === undefined).map(({ line }) => line),
    explained: judged.flatMap(({ line, because }) => (because === undefined ? [] : [{ line, because }])),
    same: left.filter((line) => inRight.has(line)).length,
  };
};
