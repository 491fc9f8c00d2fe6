import type { FieldFacts, MethodFacts } from '@vdo/vsphere/wire/table/read-table';
import { typeTable } from '@vdo/vsphere/wire/table/type-table';
import { isScalar, scalarPattern } from './scalar-patterns.ts';
import { readXmlTree, type XmlElement } from './xml-tree.ts';

/*
 * Reads a reply by the published types, and tells where it differs from them. Unlike a request nothing is refused: whoever made the
 * reply is right, and what differs is a fact about the table or about that vCenter.
 */

export interface Deviation {
  /** `returnval.objects.propSet.val`: names of elements, no values. */
  readonly path: string;
  readonly what: string;
  /** The table may simply not have it: a type of a newer vCenter, or one that nothing here uses. */
  readonly isUnknownType?: boolean;
}

type Shape = Pick<FieldFacts, 'type' | 'isRef'>;
type Tell = (path: string, what: string, isUnknownType?: boolean) => void;

const shapeOf = (name: string): Shape => {
  if (name === 'ManagedObjectReference') return { type: 'ManagedObject', isRef: true };
  const lower = name.charAt(0).toLowerCase() + name.slice(1);
  return { type: isScalar(lower) ? lower : name, isRef: false };
};

const checkScalar = (element: XmlElement, type: string, path: string, tell: Tell): void => {
  if (element.children.length > 0) tell(path, `holds elements where the table has ${type}`);
  else if (!scalarPattern(type).test(element.text)) tell(path, `holds no ${type}`);
};

const checkAny = (element: XmlElement, path: string, tell: Tell): void => {
  const { type } = element;
  if (!type) tell(path, 'does not tell its type');
  else if (type.isSchema || isScalar(type.name)) checkScalar(element, type.name, path, tell);
  else if (type.name.startsWith('ArrayOf')) {
    const item = shapeOf(type.name.slice('ArrayOf'.length));
    for (const child of element.children) checkElement(child, item, `${path}.${child.name}`, tell);
  } else checkElement(element, shapeOf(type.name), path, tell);
};

const checkElement = (element: XmlElement, shape: Shape, path: string, tell: Tell): void => {
  const { type } = shape;
  const values = typeTable().enums.get(type)?.values;
  if (shape.isRef) {
    if (element.refType === undefined) tell(path, 'is no reference to a managed object');
  } else if (type === 'anyType') checkAny(element, path, tell);
  else if (isScalar(type)) checkScalar(element, type, path, tell);
  else if (values) {
    if (!values.includes(element.text.trim())) tell(path, `holds a value that ${type} does not have`, true);
  } else checkObject(element, type, path, tell);
};

const checkObject = (element: XmlElement, type: string, path: string, tell: Tell): void => {
  const table = typeTable();
  const actual = element.type?.name ?? type;
  if (!table.types.has(actual)) {
    tell(path, `is of the type ${actual}`, true);
    return;
  }
  if (actual !== type && table.types.has(type) && !table.extends(actual, type))
    tell(path, `is of the type ${actual}, which does not extend ${type}`);
  checkFields(element.children, table.fieldsOf(actual), { owner: actual, path, tell });
};

const checkFields = (
  children: readonly XmlElement[],
  fields: readonly FieldFacts[],
  { owner, path, tell }: { readonly owner: string; readonly path: string; readonly tell: Tell },
): void => {
  let at = 0;
  for (const child of children) {
    const where = path === '' ? child.name : `${path}.${child.name}`;
    const place = fields.findIndex(({ name }) => name === child.name);
    const field = fields[place];
    if (!field) {
      tell(where, `is no property of ${owner}`);
      continue;
    }
    if (place < at) tell(where, `comes after properties of ${owner} that it precedes in the table`);
    at = Math.max(at, place);
    checkElement(child, field, where, tell);
  }
  for (const { name, isOptional, isArray } of fields)
    if (!isOptional && !isArray && !children.some((child) => child.name === name))
      tell(path === '' ? name : `${path}.${name}`, `is missing, and ${owner} must have it`);
};

const resultOf = ({ result, since }: MethodFacts): readonly FieldFacts[] =>
  result.type === 'void' ? [] : [{ ...result, name: 'returnval', since }];

const checkFault = (fault: XmlElement, tell: Tell): void => {
  const { types, fieldsOf } = typeTable();
  const [detail] = fault.children.find(({ name }) => name === 'detail')?.children ?? [];
  const type = detail?.type?.name ?? detail?.name.replace(/Fault$/, '');
  if (!detail || type === undefined) tell('Fault.detail', 'is missing');
  else if (!types.has(type)) tell('Fault.detail', `is of the type ${type}`, true);
  else checkFields(detail.children, fieldsOf(type), { owner: type, path: 'Fault.detail', tell });
};

/** How a SOAP reply to a method of a namespace (`urn:vim25`) differs from the table; each difference once. */
export const checkReply = (
  xml: string,
  call: { readonly namespace: string; readonly method: string },
): readonly Deviation[] => {
  const found = new Map<string, Deviation>();
  const tell: Tell = (path, what, isUnknownType = false) =>
    found.set(`${path} ${what}`, { path, what, ...(isUnknownType ? { isUnknownType } : {}) });
  let envelope: XmlElement;
  try {
    envelope = readXmlTree(xml);
  } catch {
    return [{ path: '', what: 'is no well-formed XML' }];
  }
  const [content] = envelope.children.find(({ name }) => name === 'Body')?.children ?? [];
  const facts = typeTable().method(call.namespace, call.method);
  if (!content) tell('', 'has no body');
  else if (content.name === 'Fault') checkFault(content, tell);
  else if (!facts) tell('', `is of the method ${call.method}`, true);
  else if (content.name !== `${call.method}Response`) tell('', `is a ${content.name}, not a ${call.method}Response`);
  else checkFields(content.children, resultOf(facts), { owner: `the reply to ${call.method}`, path: '', tell });
  return [...found.values()];
};
