import { isDeepStrictEqual } from 'node:util';
import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { SpecDraft } from './draft.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined if the spec is not valid. */
const meaningOf = (spec: unknown): unknown => {
  try {
    return parseVSphereDrivers({
      apiVersion: `${vsphereDrivers.group}/${vsphereDrivers.version}`,
      kind: vsphereDrivers.kind,
      metadata: { name: vsphereDriversName },
      spec,
    }).spec;
  } catch {
    return undefined;
  }
};

/**
 * The spec as a user would write it: without fields that only repeat the default. An API server adds all
 * defaults into the objects that it keeps.
 */
export const withoutDefaults = (spec: SpecDraft): SpecDraft => {
  const meaning = meaningOf(spec);
  if (meaning === undefined) return spec;
  const isSame = (other: unknown): boolean => isDeepStrictEqual(meaningOf(other), meaning);
  const shorten = (value: unknown, put: (part: unknown) => unknown): unknown => {
    if (Array.isArray(value)) {
      let list: readonly unknown[] = value;
      for (const [index] of value.entries()) {
        const at = (part: unknown) => list.map((old, position) => (position === index ? part : old));
        list = at(shorten(list[index], (part) => put(at(part))));
      }
      return list;
    }
    if (!isFields(value)) return value;
    let fields = value;
    for (const name of Object.keys(value)) {
      const { [name]: child, ...others } = fields;
      if (isSame(put(others))) fields = others;
      else fields = { ...fields, [name]: shorten(child, (part) => put({ ...fields, [name]: part })) };
    }
    return fields;
  };
  return shorten(spec, (part) => part) as SpecDraft;
};
