import { labelKeys } from '@vdo/config/names';
import type { Node } from '@vdo/kube/types/core';

export type Labels = Readonly<Record<string, string>>;

/** Each property of a node with its deprecated label and its current label. */
const generations = {
  instanceType: ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
  zone: ['failure-domain.beta.kubernetes.io/zone', labelKeys.zone],
  region: ['failure-domain.beta.kubernetes.io/region', labelKeys.region],
} as const;

export interface CloudLabels {
  readonly instanceType?: string;
  readonly zone?: string;
  readonly region?: string;
}

const facts = Object.keys(generations) as readonly (keyof typeof generations)[];

/** The labels for these properties, deprecated and current. */
export const cloudLabels = (values: CloudLabels): Labels =>
  Object.fromEntries(
    facts.flatMap((fact) => {
      const value = values[fact];
      return value ? generations[fact].map((key) => [key, value]) : [];
    }),
  );

/**
 * The changes that make deprecated and current labels agree. The deprecated label decides, as in the Kubernetes cloud-node
 * controller, so that both programs come to the same result.
 */
export const reconciledLabels = (labels: Labels): Labels =>
  Object.fromEntries(
    facts.flatMap((fact) => {
      const [beta, stable] = generations[fact];
      const value = labels[beta];
      return value !== undefined && labels[stable] !== value ? [[stable, value]] : [];
    }),
  );

/** The zone and region a node is labelled with now. */
export const labelledTopology = (node: Node): { readonly zone?: string; readonly region?: string } => {
  const labels = node.metadata.labels ?? {};
  const [zone, region] = [generations.zone, generations.region].map(([beta, stable]) => labels[beta] ?? labels[stable]);
  return { ...(zone === undefined ? {} : { zone }), ...(region === undefined ? {} : { region }) };
};

const kubernetesDomain = /(^|\.)(kubernetes|k8s)\.io\//;

/** `--node-labels`: only those that the node lacks, and never one in Kubernetes' own domains. */
export const additionalLabels = (wanted: Labels, present: Labels): Labels =>
  Object.fromEntries(
    Object.entries(wanted).filter(([key]) => !kubernetesDomain.test(key) && present[key] === undefined),
  );
