import { scalars } from './scalars.ts';
import type { ArrayField, Field, NamedField, ObjectType, OptionalField, ScalarField } from './schema.ts';
import { base64, boolean, byte, dateTime, double, float, int, long, short, string } from './schema.ts';

/** The instructions for one element: compiled once per type, found by element name while streaming. */
export type Plan =
  | { readonly kind: 'scalar'; readonly wireName: string; readonly codec: ScalarField<unknown>['codec'] }
  | { readonly kind: 'ref' }
  | { readonly kind: 'any' }
  /** Holds children of any name; each is read by its own xsi:type (the detail of a SOAP fault). */
  | { readonly kind: 'children' }
  | ObjectPlan;

export interface FieldPlan {
  readonly name: string;
  readonly repeated: boolean;
  readonly required: boolean;
  readonly item: Plan;
  /** The version that brought it, unless every version has it. */
  readonly since?: string | undefined;
  /** Omitted if the version is older; otherwise the request would be refused. */
  readonly omissible?: boolean;
  /** Omitted from a reply if it cannot be read; otherwise the whole reply would fail. */
  readonly contained?: boolean;
}

export interface ObjectPlan {
  readonly kind: 'object';
  readonly name: string;
  readonly base: ObjectPlan | undefined;
  /** Its xsi:type is always sent. */
  readonly open: boolean;
  /** The version that brought it, unless every version has it. */
  readonly since?: string | undefined;
  /** In wire order, inherited ones first. */
  readonly order: readonly FieldPlan[];
  readonly fields: ReadonlyMap<string, FieldPlan>;
  readonly arrays: readonly string[];
  readonly required: readonly string[];
  /** Set on a SOAP body: unknown elements are recorded by name instead of skipped. */
  readonly notesUnknown: boolean;
}

export interface ResolvedType {
  /** Without prefix. */
  readonly name: string;
  /** Undefined for unknown types and for `anyType`. */
  readonly plan: Plan | undefined;
  /** For `ArrayOfX`: the plan of X. */
  readonly item: Plan | undefined;
}

/** What is known about the types besides their fields. */
export interface TypeNotes {
  /** `Type` or `Type.field` → the version that brought it. */
  readonly since: Readonly<Record<string, string>>;
  /** `Type.field` that may be omitted for older versions. */
  readonly omissible: ReadonlySet<string>;
  /** `Type.field` that is omitted from a reply if it cannot be read. */
  readonly contained: ReadonlySet<string>;
  /** A type that is not declared here → its nearest base type that is. */
  readonly bases: Readonly<Record<string, string>>;
}

/** The wire types one endpoint knows. A value, not a global: several can live side by side. */
export interface Registry {
  /** The features of the version in use; absent: all. What the version lacks is not sent. */
  readonly speaks?: ((since: string) => boolean) | undefined;
  /** The plan of a data object type by its wire name. */
  find(name: string): ObjectPlan | undefined;
  /** The plans of all data object types. */
  names(): readonly string[];
  /** The plan of an xsi:type that is not a data object: `string`, `int`, `ManagedObjectReference`, … */
  primitive(name: string): Plan | undefined;
  planOf(type: ObjectType): ObjectPlan;
  /** The meaning of an xsi:type attribute, including its prefix. */
  resolve(attribute: string): ResolvedType;
  /** True if the value's `$type` is `type` or extends it. */
  is<V extends object>(value: unknown, type: ObjectType<V>): value is V & { readonly $type: string };
}

const isObjectType = (value: unknown): value is ObjectType =>
  typeof value === 'object' && value !== null && (value as { readonly kind?: unknown }).kind === 'object';

const scalarPlan = (field: ScalarField<unknown>): Plan => ({
  kind: 'scalar',
  wireName: field.wireName,
  codec: field.codec,
});

const primitives: ReadonlyMap<string, Plan> = new Map<string, Plan>([
  ...[string, boolean, byte, short, int, long, float, double, dateTime].map((field): [string, Plan] => [
    field.wireName.slice(4),
    scalarPlan(field),
  ]),
  ['base64Binary', scalarPlan(base64)],
  ['anyURI', { kind: 'scalar', wireName: 'xsd:anyURI', codec: scalars.string }],
  ['ManagedObjectReference', { kind: 'ref' }],
  ['anyType', { kind: 'any' }],
]);

interface Draft {
  kind: 'object';
  name: string;
  base: ObjectPlan | undefined;
  open: boolean;
  since: string | undefined;
  order: FieldPlan[];
  fields: Map<string, FieldPlan>;
  arrays: string[];
  required: string[];
  notesUnknown: boolean;
}

const strip = (field: Field<unknown>): { readonly leaf: Field<unknown>; repeated: boolean; optional: boolean } => {
  let leaf = field;
  let repeated = false;
  let optional = false;
  while (leaf.kind === 'optional' || leaf.kind === 'array') {
    if (leaf.kind === 'array') repeated = true;
    else optional = true;
    leaf = (leaf as ArrayField<unknown> | OptionalField<unknown>).of;
  }
  return { leaf, repeated, optional };
};

const noNotes: TypeNotes = { since: {}, omissible: new Set(), contained: new Set(), bases: {} };

/**
 * Collects every data object type that the given modules export (pass `import * as vm from './types/vm.ts'`) and every
 * type these refer to. Throws if a name is declared twice, which would be a bug.
 */
export const createRegistry = (
  modules: readonly Readonly<Record<string, unknown>>[],
  { since, omissible, contained, bases }: TypeNotes = noNotes,
): Registry => {
  const byName = new Map<string, ObjectPlan>();
  const byType = new Map<ObjectType, ObjectPlan>();
  const types = new Map<string, ObjectType>();

  const leafPlan = (leaf: Field<unknown>): Plan => {
    if (leaf.kind === 'scalar') return scalarPlan(leaf as ScalarField<unknown>);
    if (leaf.kind === 'ref' || leaf.kind === 'any') return { kind: leaf.kind };
    if (leaf.kind === 'object') return planOf(leaf as ObjectType);
    const { name } = leaf as NamedField<unknown>;
    const type = types.get(name);
    if (!type) throw new Error(`wire type ${name} is referred to by name but not in the registry`);
    return planOf(type);
  };

  const planOf = (type: ObjectType): ObjectPlan => {
    const known = byType.get(type);
    if (known) return known;
    const draft: Draft = {
      kind: 'object',
      name: type.name,
      base: type.base && planOf(type.base),
      open: type.open,
      since: since[type.name],
      order: [],
      fields: new Map(),
      arrays: [],
      required: [],
      notesUnknown: false,
    };
    byType.set(type, draft);
    if (draft.base) draft.order.push(...draft.base.order);
    for (const [name, field] of Object.entries(type.fields)) {
      const { leaf, repeated, optional } = strip(field);
      const key = `${type.name}.${name}`;
      draft.order.push({
        name,
        repeated,
        required: !repeated && !optional,
        item: leafPlan(leaf),
        since: since[key],
        omissible: omissible.has(key),
        contained: contained.has(key),
      });
      if (repeated && !optional) draft.arrays.push(name);
    }
    draft.arrays.unshift(...(draft.base?.arrays ?? []));
    draft.required.push(...draft.order.filter((field) => field.required).map((field) => field.name));
    for (const field of draft.order) draft.fields.set(field.name, field);
    return draft;
  };

  for (const type of modules.flatMap((module) => Object.values(module)).filter(isObjectType)) {
    if (types.has(type.name) && types.get(type.name) !== type)
      throw new Error(`wire type ${type.name} is defined twice`);
    types.set(type.name, type);
  }
  for (const type of types.values()) byName.set(type.name, planOf(type));
  for (const [type, plan] of [...byType]) if (!byName.has(type.name)) byName.set(type.name, plan);

  /** A subtype that is not declared here is read and returned as its nearest base type that is. */
  const nearest = (name: string): ObjectPlan | undefined => byName.get(name) ?? byName.get(bases[name] ?? '');

  const resolved = new Map<string, ResolvedType>();
  const resolveName = (name: string): ResolvedType => {
    if (!name.startsWith('ArrayOf')) {
      const plan = primitives.get(name) ?? nearest(name);
      return { name, plan: plan?.kind === 'any' ? undefined : plan, item: undefined };
    }
    // Element types of arrays are capitalized: ArrayOfString, ArrayOfInt.
    const item = name.slice(7);
    const plan = byName.get(item) ?? primitives.get(item) ?? primitives.get(lowerFirst(item));
    return { name, plan: undefined, item: plan ?? { kind: 'any' } };
  };

  const extendsPlan = (plan: ObjectPlan | undefined, name: string): boolean =>
    plan !== undefined && (plan.name === name || extendsPlan(plan.base, name));

  return {
    find: (name) => byName.get(name),
    names: () => [...byName.keys()],
    primitive: (name) => primitives.get(name),
    planOf,
    resolve: (attribute) => {
      const known = resolved.get(attribute);
      if (known) return known;
      const type = resolveName(attribute.slice(attribute.indexOf(':') + 1));
      // Names that a server invents must not fill the memory.
      if (type.plan && attribute.length < 100) resolved.set(attribute, type);
      return type;
    },
    is: <V extends object>(value: unknown, type: ObjectType<V>): value is V & { readonly $type: string } => {
      if (typeof value !== 'object' || value === null) return false;
      const { $type } = value as { readonly $type?: unknown };
      return typeof $type === 'string' && ($type === type.name || extendsPlan(nearest($type), type.name));
    },
  };
};

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
