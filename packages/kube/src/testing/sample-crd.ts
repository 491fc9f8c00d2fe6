import { z } from 'zod';
import { createCrd } from '../crd/create-crd.ts';
import type { CustomResourceDefinition } from '../types/cluster.ts';
import type { KubeObject } from '../types/object.ts';
import type { Resource } from '../types/resource.ts';

export interface Thing extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface SampleDefinition {
  readonly resource: Resource<Thing>;
  readonly crd: CustomResourceDefinition;
  thing(name: string, spec: Thing['spec']): Thing;
}

const thingSchema = z.object({
  spec: z.object({
    size: z.int().min(1).max(9).describe('How many.'),
    color: z.enum(['red', 'green']).default('red'),
    nested: z.object({ retries: z.int().default(3) }).prefault({}),
    labels: z.record(z.string(), z.string()).optional(),
    servers: z.array(z.object({ host: z.string().min(1), port: z.int().default(443) })).optional(),
  }),
  status: z.object({ phase: z.string().optional(), observedGeneration: z.int().optional() }).optional(),
});

/** A CRD with defaults, limits, lists and maps, in a group of its own. */
export const sampleDefinition = (group: string): SampleDefinition => define(group, thingSchema);

const rangeSchema = z.object({ spec: z.object({ low: z.int(), high: z.int() }) });
const rangeRules = [
  { path: 'spec', rule: 'self.low <= self.high', message: 'low must not exceed high', fieldPath: '.low' },
  { path: '', rule: "self.metadata.name == 'only'", message: 'there is only one' },
];

/** A CRD with CEL rules: `low` ≤ `high`, and only one object, named `only`. */
export const sampleCelDefinition = (group: string): SampleDefinition => define(group, rangeSchema, rangeRules);

const define = (group: string, schema: z.ZodType, rules: typeof rangeRules = []): SampleDefinition => {
  const resource: Resource<Thing> = { group, version: 'v1', plural: 'things', kind: 'Thing', namespaced: false };
  const printerColumns = [{ name: 'Color', type: 'string', jsonPath: '.spec.color' }];
  const names = { singular: 'thing', listKind: 'ThingList' };
  return {
    resource,
    crd: createCrd({ resource, names, schema, rules, printerColumns }),
    thing: (name, spec) => ({ apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name }, spec }),
  };
};
