import { describe, expect, it } from 'vitest';
import { vsphereDriversJsonSchema, vsphereDriversPrinterColumns } from './vsphere-drivers.ts';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const fields = (schema: Schema, path: string): readonly (readonly [string, Schema])[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return [[own, field] as const, ...fields(field, own)];
  }),
  ...(schema.items ? fields(schema.items, `${path}[]`) : []),
];
const root = vsphereDriversJsonSchema() as Schema;
const all = fields(root, '');

describe('the VSphereDrivers schema', () => {
  it('describes every field', () => {
    expect(all.length).toBeGreaterThan(120);
    expect(all.filter(([, { description }]) => !description?.endsWith('.')).map(([path]) => path)).toEqual([]);
  });

  it('bounds every text and list, because CEL rules on unbounded values are refused', () => {
    const unbounded = all.filter(
      ([, field]) =>
        (field.type === 'string' && !field.enum && field.maxLength === undefined) ||
        (field.type === 'array' && field.maxItems === undefined),
    );
    expect(unbounded.map(([path]) => path)).toEqual([]);
  });

  it('shows only columns of existing fields', () => {
    const known = new Set(all.map(([path]) => path.replaceAll('[]', '')));
    const paths = vsphereDriversPrinterColumns
      .map(({ jsonPath }) => jsonPath.replace(/\[\?\([^)]*\)\]/g, '').slice(1))
      .filter((path) => !path.startsWith('metadata.'));
    expect(paths.filter((path) => !known.has(path))).toEqual([]);
  });
});
