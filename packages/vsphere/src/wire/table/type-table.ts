import { typeTableText } from './gen/type-table.ts';
import { type FieldFacts, type MethodFacts, methodKey, readTable, type TypeFactsTable } from './read-table.ts';

/** The types and methods of a vCenter, from an independent source. */
export interface TypeTable extends TypeFactsTable {
  /** All fields of a data object type, inherited ones first, in wire order. */
  fieldsOf(type: string): readonly FieldFacts[];
  /** True if `type` is `base` or extends it. */
  extends(type: string, base: string): boolean;
  /** Of `urn:vim25`, `urn:vsan`, `urn:pbm` or `urn:sso`. */
  method(namespace: string, name: string): MethodFacts | undefined;
  /** True if a caller with `version` gets something that exists since `since`. */
  knows(version: string, since: string): boolean;
}

const families: Readonly<Record<string, string>> = {
  'urn:vim25': 'vim',
  'urn:vsan': 'vsan',
  'urn:pbm': 'pbm',
  'urn:sso': 'sso',
};

const createTypeTable = (facts: TypeFactsTable): TypeTable => {
  const allFields = new Map<string, readonly FieldFacts[]>();
  const ancestors = new Map<string, ReadonlySet<string>>();

  const fieldsOf = (type: string): readonly FieldFacts[] => {
    const known = allFields.get(type);
    if (known) return known;
    const own = facts.types.get(type);
    // Fields that every data object could have in version 2.0 but that none has.
    const fields = own && type !== 'DynamicData' ? [...fieldsOf(own.base), ...own.fields] : [];
    allFields.set(type, fields);
    return fields;
  };

  const ancestorsOf = (version: string): ReadonlySet<string> => {
    const known = ancestors.get(version);
    if (known) return known;
    const all = new Set([version]);
    for (const parent of facts.parents.get(version) ?? []) for (const one of ancestorsOf(parent)) all.add(one);
    ancestors.set(version, all);
    return all;
  };

  return {
    ...facts,
    fieldsOf,
    extends: (type, base) => {
      for (let name: string | undefined = type; name !== undefined; name = facts.types.get(name)?.base)
        if (name === base) return true;
      return false;
    },
    // A version of vSAN or of storage policies includes a version of vim with all its types.
    method: (namespace, name) =>
      facts.methods.get(methodKey(families[namespace] ?? '', name)) ??
      (namespace in families ? facts.methods.get(methodKey('vim', name)) : undefined),
    knows: (version, since) => ancestorsOf(version).has(since),
  };
};

let table: TypeTable | undefined;

/** Read when it is first asked for, and once. */
export const typeTable = (): TypeTable => {
  table ??= createTypeTable(readTable(typeTableText));
  return table;
};
