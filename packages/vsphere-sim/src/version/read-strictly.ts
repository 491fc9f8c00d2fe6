import { type FieldFacts, familyOf, type MethodFacts } from '@vdo/vsphere/wire/table/read-table';
import { typeTable } from '@vdo/vsphere/wire/table/type-table';
import { faults } from '../sim-fault.ts';
import type { Caller } from './profile.ts';
import { isScalar, scalarPattern } from './scalar-patterns.ts';
import type { XmlElement } from './xml-tree.ts';

/*
 * Reads a request as a live vCenter does: by the published types of the caller's version, in order, refusing what it does
 * not know. It shares nothing with the client but the table. "Unexpected element tag" is what a live one says; how the other
 * refusals are worded is assumed.
 */

const refuse = (message: string): never => {
  throw faults.invalidRequest(message);
};

type Shape = Pick<FieldFacts, 'type' | 'isRef'>;

const checkRef = (element: XmlElement, declared: string): void => {
  if (element.refType === undefined || element.text.trim() === '')
    refuse(`"${element.name}" is no reference to a managed object`);
  const table = typeTable();
  const { refType = '' } = element;
  if (table.types.has(refType) && table.types.has(declared) && !table.extends(refType, declared))
    refuse(`"${element.name}" refers to a ${refType}, not to a ${declared}`);
};

const checkScalar = (element: XmlElement, type: string): void => {
  if (element.children.length > 0) refuse(`Unexpected element tag "${element.children[0]?.name}" seen`);
  if (!scalarPattern(type).test(element.text)) refuse(`"${element.name}" holds no ${type}`);
};

/** In a place of any type: what the element says it is. */
const checkAny = (element: XmlElement, caller: Caller): void => {
  const type = element.type ?? refuse(`"${element.name}" does not tell its type`);
  if (type.isSchema || isScalar(type.name)) checkScalar(element, type.name);
  else if (type.name.startsWith('ArrayOf')) {
    const item = shapeOf(type.name.slice('ArrayOf'.length));
    for (const child of element.children) checkElement(child, item, caller);
  } else checkElement(element, shapeOf(type.name), caller);
};

/** Of a type as `xsi:type` names it; names of scalars are capitalised inside those of arrays. */
const shapeOf = (name: string): Shape => {
  if (name === 'ManagedObjectReference') return { type: 'ManagedObject', isRef: true };
  const lower = name.charAt(0).toLowerCase() + name.slice(1);
  return { type: isScalar(lower) ? lower : name, isRef: false };
};

const actualType = (element: XmlElement, declared: string, { version }: Caller): string => {
  const table = typeTable();
  const name = element.type?.name ?? declared;
  const facts = table.types.get(name);
  if (!facts || facts.kind === 'object' || !table.knows(version, facts.since))
    return refuse(`Unknown type "${name}" of element "${element.name}"`);
  if (name !== declared && !table.extends(name, declared))
    refuse(`"${element.name}" is declared as ${declared}, which ${name} does not extend`);
  return name;
};

const checkElement = (element: XmlElement, { type, isRef }: Shape, caller: Caller): void => {
  const table = typeTable();
  const values = table.enums.get(type)?.values;
  if (isRef) checkRef(element, type);
  else if (type === 'anyType') checkAny(element, caller);
  else if (isScalar(type)) checkScalar(element, type);
  else if (values) {
    if (!values.includes(element.text.trim())) refuse(`"${element.text.trim()}" is no ${type}`);
  } else {
    const actual = actualType(element, type, caller);
    checkFields(element.children, table.fieldsOf(actual), { owner: `data object of type ${actual}`, caller });
  }
};

/** Of the service that brought a field. pyvmomi sends it in that namespace, govmomi in that of the call. */
const namespaceOf = (since: string): string => {
  const family = familyOf(since);
  return family === 'vim' ? 'urn:vim25' : `urn:${family}`;
};

/** Children must follow each other as the fields do; only arrays repeat; only optional ones may be missing. */
const checkFields = (
  children: readonly XmlElement[],
  fields: readonly FieldFacts[],
  { owner, caller }: { readonly owner: string; readonly caller: Caller },
): void => {
  const { knows } = typeTable();
  const known = fields.filter(({ since }) => knows(caller.version, since));
  let at = 0;
  for (const child of children) {
    const place = known.findIndex(({ name }, i) => i >= at && name === child.name);
    const field =
      known[place] ?? refuse(`Unexpected element tag "${child.name}" seen while parsing serialized ${owner}`);
    requireBetween(known, at, place, owner);
    if (child.namespace !== caller.namespace && child.namespace !== namespaceOf(field.since))
      refuse(`Element "${child.name}" is in the namespace "${child.namespace}"`);
    checkElement(child, field, caller);
    at = field.isArray ? place : place + 1;
  }
  const last = known[at];
  const begun = last?.isArray && children.at(-1)?.name === last.name;
  requireBetween(known, begun ? at + 1 : at, known.length, owner);
};

const requireBetween = (fields: readonly FieldFacts[], from: number, to: number, owner: string): void => {
  // An array without elements cannot be told from one that is missing.
  const missing = fields.slice(from, to).find(({ isOptional, isArray }) => !isOptional && !isArray);
  if (missing) refuse(`Required property ${missing.name} is missing from ${owner}`);
};

const methodIn = (body: XmlElement, caller: Caller): MethodFacts => {
  const facts = typeTable().method(caller.namespace, body.name);
  if (facts && typeTable().knows(caller.version, facts.since)) return facts;
  throw faults.invalidRequest(`Unable to resolve WSDL method name ${body.name} for ${caller.version}`);
};

/** govmomi signs it without a namespace, and is served. */
const signed = new Set(['LoginByToken']);

/** Throws InvalidRequest if a vCenter of the caller's version would not take the request. */
export const readStrictly = (envelope: XmlElement, caller: Caller): void => {
  const content = envelope.children.find(({ name }) => name === 'Body')?.children ?? [];
  const body = (content.length === 1 ? content[0] : undefined) ?? refuse('The SOAP body must hold one element');
  const method = methodIn(body, caller);
  const isSpoken = [caller.namespace, namespaceOf(method.since), ...(signed.has(method.name) ? [''] : [])].includes(
    body.namespace,
  );
  if (!isSpoken)
    refuse(`${body.name} is in the namespace "${body.namespace}", but the action is of ${caller.namespace}`);
  const [target, ...params] = body.children;
  if (target?.name !== '_this') throw faults.invalidRequest('The managed object to call is missing: _this');
  checkRef(target, method.object);
  const spoken = { ...caller, namespace: body.namespace };
  checkFields(params, method.params, { owner: `parameters of ${method.name}`, caller: spoken });
};
