import { readFileSync } from 'node:fs';
import { isVdoError } from '@vdo/base/vdo-error';
import { type VSphereDrivers, vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { AnyObject } from '@vdo/kube/types/object';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSpec } from './decisions/read-spec.ts';
import { createSimTestbed, type SimTestbed, server } from './testing/sim-testbed.ts';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** The way to a field: names, and 0 for the first item of a list. */
type Path = readonly (string | number)[];

const crdFile = new URL('../../../deploy/crds/vdo.vmware.com_vspheredrivers.yaml', import.meta.url);
const specSchema = parse(readFileSync(crdFile, 'utf8')).spec.versions[0].schema.openAPIV3Schema.properties
  .spec as Schema;

const fieldsOf = (schema: Schema, path: Path = []): readonly { readonly path: Path; readonly schema: Schema }[] => [
  ...(path.length > 0 && schema.type ? [{ path, schema }] : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, child]) => fieldsOf(child, [...path, name])),
  ...(schema.items ? fieldsOf(schema.items, [...path, 0]) : []),
];

/** Of another type than the field. */
const wrongFor = ({ type }: Schema): unknown => (type === 'object' || type === 'array' ? 7 : { not: 'this' });

const withValue = (base: unknown, [head, ...rest]: Path, value: unknown): unknown => {
  if (head === undefined) return value;
  if (typeof head === 'number') return [withValue((base as readonly unknown[] | undefined)?.[0], rest, value)];
  const object = (base ?? {}) as Readonly<Record<string, unknown>>;
  return { ...object, [head]: withValue(object[head], rest, value) };
};

const text = (path: Path): string =>
  path.reduce<string>(
    (reported, part) => (typeof part === 'number' ? `${reported}[${part}]` : `${reported}.${part}`),
    'spec',
  );

const { objectType: _, ...untyped } = vsphereDrivers;
const good = { distribution: 'Native', vcenters: [{ server, credentialsSecret: 'vcenter' }], cpi: {}, csi: {} };
const fields = fieldsOf(specSchema).map(({ path, schema }) => ({
  name: text(path),
  spec: withValue(good, path, wrongFor(schema)) as Readonly<Record<string, unknown>>,
}));

describe('a value of the wrong type', () => {
  let testbed: SimTestbed;
  beforeAll(async () => {
    testbed = await createSimTestbed({ start: false });
  });
  afterAll(() => testbed.stop());

  it('is possible in many fields', () => {
    expect(fields.length).toBeGreaterThan(80);
  });

  it.each(fields)('in $name is told by its name, and refused by the API server', async ({ name, spec }) => {
    const metadata = { name: 'cluster' };
    const resource = { apiVersion: 'vdo.vmware.com/v1beta1', kind: 'VSphereDrivers', metadata, spec };
    let reported = 'nothing';
    try {
      readSpec(resource as unknown as VSphereDrivers);
    } catch (error) {
      if (isVdoError(error, 'ConfigInvalid')) reported = `${error.message} ${error.remedy}`;
    }
    expect(reported).toContain(name);
    await expect(testbed.kube.create<AnyObject>(untyped, resource)).rejects.toMatchObject({ code: 'KubeInvalid' });
  });
});
