import { createRegistry } from '@vdo/vsphere/wire/registry';
import { array, defineMethod, defineType, long, optional, ref, string } from '@vdo/vsphere/wire/schema';
import { typeTable } from '@vdo/vsphere/wire/table/type-table';
import { CnsVolumeExtendSpec, CnsVolumeId } from '@vdo/vsphere/wire/types/cns';
import { wireTypes } from '@vdo/vsphere/wire/wire-types';
import { describe, expect, it } from 'vitest';
import { usedMethods } from '../../tools/vsphere-schema/used.ts';
import { compareFields, compareWire, sentTypes } from './compare-wire.ts';

describe('the wire types', () => {
  it('are those that vCenter has: names, order, base types, what may be absent', () => {
    expect(compareWire(typeTable(), { registry: wireTypes, methods: usedMethods })).toEqual([]);
  });

  it('are told from a source that holds what is used', () => {
    expect(typeTable().sources).toEqual(['pyvmomi 9.1.1.0', 'govmomi v0.55.1']);
    expect(usedMethods.length).toBeGreaterThan(90);
    expect(wireTypes.names().length).toBeGreaterThan(250);
  });
});

describe('a defect of a wire type is found:', () => {
  /** Every list of fields that a request may hold: of methods and of the types that they are sent. */
  const sentLists = [
    ...usedMethods.map((method) => ({
      name: `${method.name}()`,
      order: wireTypes.planOf(method.request).order.slice(1),
      facts: typeTable().method(method.namespace, method.name)?.params ?? [],
    })),
    ...[...sentTypes(wireTypes, usedMethods)].map((name) => ({
      name,
      order: wireTypes.find(name)?.order ?? [],
      facts: typeTable().fieldsOf(name),
    })),
  ];

  it('any one field of any request renamed', () => {
    const missed = sentLists.flatMap(({ name, order, facts }) =>
      order.flatMap((field, at) => {
        const renamed = order.with(at, { ...field, name: `${field.name}X` });
        return compareFields(name, renamed, facts, true).length > 0 ? [] : [`${name}.${field.name}`];
      }),
    );
    expect(missed).toEqual([]);
    expect(sentLists.flatMap(({ order }) => order).length).toBeGreaterThan(300);
  });

  it('any two neighbouring fields of any request in the wrong order', () => {
    const missed = sentLists.flatMap(({ name, order, facts }) =>
      order.slice(1).flatMap((field, at) => {
        const before = order[at];
        const moved = before ? order.with(at, field).with(at + 1, before) : order;
        return compareFields(name, moved, facts, true).length > 0 ? [] : [`${name}.${field.name}`];
      }),
    );
    expect(missed).toEqual([]);
  });

  const extend = (fields: Parameters<typeof defineType>[1], options: Parameters<typeof defineType>[2] = {}) =>
    compareWire(typeTable(), {
      registry: createRegistry([{ one: defineType('CnsVolumeExtendSpec', fields, options) }]),
      methods: [
        defineMethod('CnsExtendVolume', {
          namespace: 'urn:vsan',
          request: { _this: ref, extendSpecs: array(defineType('CnsVolumeExtendSpec', fields, options)) },
          response: ref,
        }),
      ],
    });
  const volumeId = CnsVolumeId;
  const capacityInMb = long;

  it('none in the right one', () => {
    expect(extend({ volumeId, capacityInMb })).toEqual([]);
  });

  it.each([
    ['renamed', { volumeId, capacityMb: long }, 'CnsVolumeExtendSpec.capacityMb: not there'],
    ['moved', { capacityInMb, volumeId }, 'CnsVolumeExtendSpec.volumeId: stands earlier there'],
    ['left out', { volumeId }, 'CnsVolumeExtendSpec.capacityInMb: must be sent'],
    ['optional', { volumeId, capacityInMb: optional(long) }, 'CnsVolumeExtendSpec.capacityInMb: must be sent'],
    [
      'of another type',
      { volumeId, capacityInMb: string },
      'CnsVolumeExtendSpec.capacityInMb: string here, long there',
    ],
    ['repeated', { volumeId, capacityInMb: array(long) }, 'CnsVolumeExtendSpec.capacityInMb: repeats here only'],
  ])('a field that is %s', (_name, fields, deviation) => {
    expect(extend(fields)).toContain(deviation);
  });

  it('another base type', () => {
    expect(extend({ volumeId, capacityInMb }, { extends: defineType('CnsVolumeSource', {}) })).toContain(
      'CnsVolumeExtendSpec: extends DynamicData',
    );
  });

  it.each([
    ['name', 'CnsGrowVolume', 'urn:vsan', 'CnsGrowVolume(): urn:vsan has no such method'],
    ['namespace', 'CnsExtendVolume', 'urn:vim25', 'CnsExtendVolume(): urn:vim25 has no such method'],
  ])('another %s of a method', (_what, name, namespace, deviation) => {
    const request = { _this: ref, extendSpecs: array(CnsVolumeExtendSpec) };
    const methods = [defineMethod(name, { namespace, request, response: ref })];
    expect(compareWire(typeTable(), { registry: wireTypes, methods })).toContain(deviation);
  });

  it('what is read as always there and may be absent', () => {
    const registry = createRegistry([{ one: defineType('OptionValue', { key: string, value: string }) }]);
    expect(compareWire(typeTable(), { registry, methods: [] })).toContain('OptionValue.value: may be absent');
  });
});
