import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createCrd } from './create-crd.ts';
import { structuralSchema } from './structural-schema.ts';

const schema = z.object({
  spec: z.object({
    servers: z
      .array(
        z.object({ host: z.string().min(1).describe('Host name.'), port: z.int().min(1).max(65_535).default(443) }),
      )
      .min(1),
    labels: z.record(z.string(), z.string()).optional(),
    options: z.object({ retries: z.int().default(3) }).prefault({}),
  }),
});

describe('structural schema', () => {
  it('keeps types, limits, descriptions, defaults and what is required', () => {
    const spec = (structuralSchema(schema).properties as Record<string, Record<string, unknown>>).spec;
    expect(spec).toMatchObject({
      type: 'object',
      required: ['servers'],
      properties: {
        servers: {
          type: 'array',
          minItems: 1,
          items: {
            required: ['host'],
            properties: {
              host: { type: 'string', minLength: 1, description: 'Host name.' },
              port: { type: 'integer', default: 443, minimum: 1, maximum: 65_535 },
            },
          },
        },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        options: { type: 'object', default: { retries: 3 }, properties: { retries: { type: 'integer', default: 3 } } },
      },
    });
    expect(JSON.stringify(spec)).not.toContain('9007199254740991');
  });

  it('puts CEL rules where they belong, and nothing of them but CEL', () => {
    const rules = [
      { path: '', rule: "self.metadata.name == 'cluster'", message: 'one only', holds: () => true },
      { path: 'spec.servers[]', rule: 'self.port > 0', message: 'port', fieldPath: '.port' },
    ];
    const result = structuralSchema(schema, rules) as {
      properties: { spec: { properties: { servers: { items: Record<string, unknown> } } } };
    } & Record<string, unknown>;
    expect(result['x-kubernetes-validations']).toEqual([
      { rule: "self.metadata.name == 'cluster'", message: 'one only' },
    ]);
    expect(result.properties.spec.properties.servers.items['x-kubernetes-validations']).toEqual([
      { rule: 'self.port > 0', message: 'port', fieldPath: '.port' },
    ]);
  });

  it('refuses a rule for a field that does not exist', () => {
    expect(() => structuralSchema(schema, [{ path: 'spec.nope', rule: 'true', message: 'm' }])).toThrow(
      'no field nope',
    );
  });

  it('refuses what a CustomResourceDefinition cannot hold', () => {
    expect(() =>
      structuralSchema(
        z.object({ a: z.discriminatedUnion('k', [z.object({ k: z.literal('x') }), z.object({ k: z.literal('y') })]) }),
      ),
    ).toThrow('which a CRD does not support');
  });
});

describe('CRD', () => {
  it('has one stored version with a status subresource', () => {
    const resource = { group: 'g.example', version: 'v1', plural: 'things', kind: 'Thing', namespaced: false };
    const crd = createCrd({ resource, names: { singular: 'thing', listKind: 'ThingList' }, schema });
    expect(crd.metadata.name).toBe('things.g.example');
    expect(crd.spec).toMatchObject({
      scope: 'Cluster',
      versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} } }],
    });
  });
});
