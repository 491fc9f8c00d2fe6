import type { AnyOf, ArrayField, Field, NamedField, ObjectType, OptionalField } from '@vdo/vsphere/wire/schema';
import { typeTable } from '@vdo/vsphere/wire/table/type-table';

/*
 * A caller is answered in the version it names: properties that are newer are left out, and a type it cannot know is widened
 * to the nearest base type that it knows. What is widened to nothing, such as a storage result for a vim caller, is withheld.
 */

type Values = Readonly<Record<string, unknown>>;

/** What must be looked at in objects of a type for one version. */
interface Plan {
  /** The type as this version knows it; undefined if it knows none of its bases. */
  readonly type: string | undefined;
  readonly dropped: ReadonlySet<string>;
  /** Fields that may hold something to narrow, with their declared type. */
  readonly deep: ReadonlyMap<string, string>;
  /** Without them the object says nothing. */
  readonly required: ReadonlySet<string>;
}

const isPlain = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof Uint8Array);

/** The name of the type that a field of ours declares; undefined for scalars and references. */
const declaredIn = (field: Field<unknown>): string | undefined => {
  if (field.kind === 'optional' || field.kind === 'array')
    return declaredIn((field as OptionalField<unknown> | ArrayField<unknown>).of);
  if (field.kind === 'object' || field.kind === 'named') return (field as ObjectType | NamedField<unknown>).name;
  return field.kind === 'any' ? 'anyType' : undefined;
};

/** Narrows replies to one version. */
export interface Narrower {
  narrow(declared: string, value: unknown): unknown;
}

const withheld = Symbol('withheld');

const createNarrower = (version: string): Narrower => {
  const table = typeTable();
  const plans = new Map<string, Plan>();
  const risky = new Map<string, boolean>();
  const subtypes = new Map<string, string[]>();
  for (const { name, base } of table.types.values()) subtypes.set(base, [...(subtypes.get(base) ?? []), name]);

  const knows = (since: string): boolean => table.knows(version, since);

  const search = (type: string, visited: Set<string>): boolean => {
    if (type === 'anyType') return true;
    const facts = table.types.get(type);
    const known = risky.get(type);
    if (known !== undefined) return known;
    if (!facts || facts.kind === 'object' || visited.has(type)) return false;
    visited.add(type);
    const found =
      !knows(facts.since) ||
      table.fieldsOf(type).some((field) => !knows(field.since) || (!field.isRef && search(field.type, visited))) ||
      (subtypes.get(type) ?? []).some((one) => search(one, visited));
    if (found) risky.set(type, true);
    return found;
  };

  /** True if an object declared so may hold anything that this version does not know. */
  const mayChange = (type: string): boolean => {
    const visited = new Set<string>();
    const found = search(type, visited);
    // Types refer to each other in circles: only a search that found nothing anywhere clears those it met.
    if (!found) for (const one of visited) risky.set(one, false);
    return found;
  };

  const planOf = (type: string): Plan => {
    const known = plans.get(type);
    if (known) return known;
    let widened: string | undefined = type;
    while (widened !== undefined) {
      const facts = table.types.get(widened);
      if (!facts || knows(facts.since)) break;
      widened = facts.base;
    }
    const spoken = widened === 'DynamicData' || widened === undefined ? undefined : widened;
    const fields = table.fieldsOf(type);
    const kept = new Set(spoken === undefined ? [] : table.fieldsOf(spoken).map(({ name }) => name));
    const plan: Plan = {
      type: table.types.has(type) ? spoken : type,
      dropped: new Set(fields.filter(({ name, since }) => !knows(since) || !kept.has(name)).map(({ name }) => name)),
      deep: new Map(
        fields.filter((field) => !field.isRef && mayChange(field.type)).map((field) => [field.name, field.type]),
      ),
      required: new Set(fields.filter(({ isOptional, isArray }) => !isOptional && !isArray).map(({ name }) => name)),
    };
    plans.set(type, plan);
    return plan;
  };

  const narrowAny = (value: Values): unknown => {
    if ('$field' in value) {
      const { $field, value: held } = value as unknown as AnyOf;
      const declared = declaredIn($field);
      if (declared === undefined) return value;
      const inner = narrow(declared, held);
      return inner === withheld ? withheld : { ...value, value: inner };
    }
    return typeof value['$type'] === 'string' ? narrowObject(value['$type'], value) : value;
  };

  const narrowObject = (declared: string, value: Values): unknown => {
    const actual = typeof value['$type'] === 'string' ? value['$type'] : declared;
    const plan = planOf(actual);
    if (plan.type === undefined) return withheld;
    const narrowed: Record<string, unknown> = {};
    for (const [name, held] of Object.entries(value)) {
      if (plan.dropped.has(name)) continue;
      const type = plan.deep.get(name);
      const inner = type === undefined ? held : narrow(type, held);
      if (inner !== withheld) narrowed[name] = inner;
      else if (plan.required.has(name)) return withheld;
    }
    return plan.type === actual ? narrowed : { ...narrowed, $type: plan.type };
  };

  const narrow = (declared: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => narrow(declared, one)).filter((one) => one !== withheld);
    if (!isPlain(value)) return value;
    if (declared === 'anyType') return narrowAny(value);
    return mayChange(declared) ? narrowObject(declared, value) : value;
  };

  return {
    narrow: (declared, value) => {
      const narrowed = narrow(declared, value);
      return narrowed === withheld ? undefined : narrowed;
    },
  };
};

const narrowers = new Map<string, Narrower>();

/** Kept: what a version knows does not change. */
export const narrowerOf = (version: string): Narrower => {
  const known = narrowers.get(version);
  if (known) return known;
  const created = createNarrower(version);
  narrowers.set(version, created);
  return created;
};
