import type { z } from 'zod';
import type { CustomResourceDefinition } from '../types/cluster.ts';
import type { KubeObject } from '../types/object.ts';
import type { Resource } from '../types/resource.ts';
import { structuralSchema, type ValidationRule } from './structural-schema.ts';

export interface CrdOptions {
  readonly resource: Resource<KubeObject>;
  readonly names: {
    readonly singular: string;
    readonly listKind: string;
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  };
  /** Of the object without metadata: `spec`, `status`. */
  readonly schema: z.ZodType;
  readonly rules?: readonly ValidationRule[];
  readonly printerColumns?: readonly Readonly<Record<string, unknown>>[];
  readonly labels?: Readonly<Record<string, string>>;
}

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** The CustomResourceDefinition of a zod schema: one served and stored version with a status subresource. */
export const createCrd = (options: CrdOptions): CustomResourceDefinition => {
  const { resource, names } = options;
  const { type: _, ...schema } = structuralSchema(options.schema, options.rules);
  return plain({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${resource.plural}.${resource.group}`, ...(options.labels ? { labels: options.labels } : {}) },
    spec: {
      group: resource.group,
      scope: resource.namespaced ? 'Namespaced' : 'Cluster',
      names: { plural: resource.plural, kind: resource.kind, ...names },
      versions: [
        {
          name: resource.version,
          served: true,
          storage: true,
          subresources: { status: {} },
          ...(options.printerColumns ? { additionalPrinterColumns: options.printerColumns } : {}),
          schema: { openAPIV3Schema: { type: 'object', ...schema } },
        },
      ],
    },
  });
};
