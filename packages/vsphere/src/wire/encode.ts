import { versionText } from './api-version.ts';
import type { MoRef } from './moref.ts';
import type { ObjectPlan, Plan, Registry } from './registry.ts';
import type { AnyOf, ArrayField, Field, NamedField, ObjectType, OptionalField, ScalarField } from './schema.ts';
import { WireError } from './wire-error.ts';

// All characters that are not allowed in XML 1.0, even escaped, then all that must be escaped.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
/** Also matches complete surrogate pairs, which are rare: such a text is then checked in detail. */
const surrogate = /[\ud800-\udfff]/;
const special = /[&<>"\r]/;
const specials = /[&<>"\r]/g;
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** Escapes text for an element or attribute. Throws WireError `unencodable` for characters that XML does not allow, without quoting the text. */
export const escapeXml = (text: string): string => {
  if (forbidden.test(text) || (surrogate.test(text) && /\p{Surrogate}/u.test(text)))
    throw new WireError(
      'unencodable',
      'contains a control character or half of a surrogate pair, which are not allowed in XML',
    );
  return special.test(text) ? text.replace(specials, (character) => entities[character] ?? character) : text;
};

const isRef = (value: object): value is MoRef =>
  typeof (value as Partial<MoRef>).type === 'string' && typeof (value as Partial<MoRef>).value === 'string';

/** Encodes `value` as the element `name`, according to `plan`. */
export const encodeElement = (registry: Registry, name: string, plan: Plan, value: unknown): string => {
  try {
    return element({ registry, name, plan, value });
  } catch (error) {
    throw error instanceof WireError ? error.at(name) : error;
  }
};

interface Item {
  readonly registry: Registry;
  readonly name: string;
  readonly plan: Plan;
  readonly value: unknown;
  /** For anyType, where the type must be sent. */
  readonly untyped?: boolean;
}

const element = (item: Item): string => {
  const { name, plan, value } = item;
  switch (plan.kind) {
    case 'scalar': {
      const type = item.untyped ? ` xsi:type="${plan.wireName}"` : '';
      return `<${name}${type}>${escapeXml(plan.codec.format(value))}</${name}>`;
    }
    case 'ref':
      return refElement(item);
    case 'any':
      return anyElement(item);
    case 'object':
      return objectElement(item, plan);
    case 'children':
      throw new WireError('unencodable', 'has no fixed content');
  }
};

const refElement = ({ name, value, untyped }: Item): string => {
  if (typeof value !== 'object' || value === null || !isRef(value))
    throw new WireError('unencodable', 'expected a managed object reference');
  const type = untyped ? ' xsi:type="ManagedObjectReference"' : '';
  return `<${name} type="${escapeXml(value.type)}"${type}>${escapeXml(value.value)}</${name}>`;
};

const isTooNew = ({ speaks }: Registry, since: string | undefined): since is string =>
  since !== undefined && speaks !== undefined && !speaks(since);

const objectElement = (item: Item, declared: ObjectPlan): string => {
  const { registry, name, value } = item;
  if (typeof value !== 'object' || value === null)
    throw new WireError('unencodable', `expected ${declared.name}, got ${value === null ? 'null' : typeof value}`);
  const { $type } = value as { readonly $type?: string };
  const actual = $type === undefined || $type === declared.name ? declared : (registry.find($type) ?? declared);
  const typeName = $type ?? declared.name;
  if (isTooNew(registry, actual.since))
    throw new WireError('newer', `${actual.name} exists since ${versionText(actual.since)}`);
  const type = item.untyped || declared.open || typeName !== declared.name ? ` xsi:type="${escapeXml(typeName)}"` : '';
  return `<${name}${type}>${content(registry, actual, value as Readonly<Record<string, unknown>>)}</${name}>`;
};

const content = (registry: Registry, plan: ObjectPlan, value: Readonly<Record<string, unknown>>): string => {
  let xml = '';
  for (const field of plan.order) {
    const held = value[field.name];
    if (held === undefined) {
      if (field.required) throw new WireError('unencodable', `${plan.name} needs ${field.name}`);
      continue;
    }
    if (isTooNew(registry, field.since)) {
      if (field.omissible || (Array.isArray(held) && held.length === 0)) continue;
      throw new WireError('newer', `${plan.name}.${field.name} exists since ${versionText(field.since)}`);
    }
    if (!field.repeated) xml += encodeElement(registry, field.name, field.item, held);
    else for (const one of held as readonly unknown[]) xml += encodeElement(registry, field.name, field.item, one);
  }
  return xml;
};

const anyElement = (item: Item): string => {
  const { registry, value } = item;
  const typed = (wireName: string): string => {
    const plan = registry.primitive(wireName);
    if (!plan) throw new WireError('unencodable', `unknown primitive ${wireName}`);
    return element({ ...item, plan, untyped: true });
  };
  switch (typeof value) {
    case 'string':
      return typed('string');
    case 'boolean':
      return typed('boolean');
    case 'bigint':
      return typed('long');
    case 'number':
      return typed(Number.isInteger(value) ? 'int' : 'double');
    case 'object':
      break;
    default:
      throw new WireError('unencodable', `a ${typeof value} has no wire type`);
  }
  if (value instanceof Date) return typed('dateTime');
  if (value instanceof Uint8Array) return typed('base64Binary');
  if (Array.isArray(value)) return listElement(item, value);
  if (value !== null && '$field' in value) return fieldElement(item, value as AnyOf);
  const { $type } = (value ?? {}) as { readonly $type?: string };
  if ($type !== undefined) {
    const plan = registry.find($type);
    if (!plan) throw new WireError('unencodable', `unknown wire type ${$type}`);
    return objectElement({ ...item, untyped: true }, plan);
  }
  if (value !== null && isRef(value)) return typed('ManagedObjectReference');
  throw new WireError('unencodable', 'needs a $type here');
};

const fieldElement = (item: Item, { $field, value }: AnyOf): string => {
  const { leaf, repeated } = leafOf($field);
  if (repeated) {
    const name = arrayItemName(leaf);
    const plan = planOfLeaf(item.registry, leaf);
    const items = (value as readonly unknown[]).map((one) => encodeElement(item.registry, name, plan, one)).join('');
    return `<${item.name} xsi:type="ArrayOf${upperFirst(name)}">${items}</${item.name}>`;
  }
  if (leaf.kind === 'any') return anyElement({ ...item, value });
  return element({ ...item, plan: planOfLeaf(item.registry, leaf), value, untyped: true });
};

/** An array without a known type: the type is derived from its first item, if possible. */
const listElement = (item: Item, list: readonly unknown[]): string => {
  const [first] = list;
  const name =
    typeof first === 'string'
      ? 'string'
      : typeof first === 'number'
        ? 'int'
        : typeof first === 'object' && first !== null && '$type' in first
          ? String((first as { readonly $type: unknown }).$type)
          : typeof first === 'object' && first !== null && isRef(first)
            ? 'ManagedObjectReference'
            : undefined;
  const plan = name === undefined ? undefined : (item.registry.primitive(name) ?? item.registry.find(name));
  if (name === undefined || !plan) throw new WireError('unencodable', 'set the type of this array with anyOf()');
  const items = list.map((one) => encodeElement(item.registry, name, plan, one)).join('');
  return `<${item.name} xsi:type="ArrayOf${upperFirst(name)}">${items}</${item.name}>`;
};

const leafOf = (field: Field<unknown>): { readonly leaf: Field<unknown>; readonly repeated: boolean } => {
  if (field.kind === 'array') return { leaf: leafOf((field as ArrayField<unknown>).of).leaf, repeated: true };
  return field.kind === 'optional' ? leafOf((field as OptionalField<unknown>).of) : { leaf: field, repeated: false };
};

const planOfLeaf = (registry: Registry, leaf: Field<unknown>): Plan => {
  if (leaf.kind === 'scalar') {
    const { wireName, codec } = leaf as ScalarField<unknown>;
    return { kind: 'scalar', wireName, codec };
  }
  if (leaf.kind === 'object') return registry.planOf(leaf as ObjectType);
  if (leaf.kind === 'named') return registry.find((leaf as NamedField<unknown>).name) ?? { kind: 'any' };
  return leaf.kind === 'ref' ? { kind: 'ref' } : { kind: 'any' };
};

const arrayItemName = (leaf: Field<unknown>): string => {
  if (leaf.kind === 'scalar') return (leaf as ScalarField<unknown>).wireName.replace(/^xsd:/, '');
  if (leaf.kind === 'object' || leaf.kind === 'named') return (leaf as ObjectType | NamedField<unknown>).name;
  return leaf.kind === 'ref' ? 'ManagedObjectReference' : 'anyType';
};

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
