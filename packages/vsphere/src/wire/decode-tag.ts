import type { FieldPlan, ObjectPlan, Registry, ResolvedType } from './registry.ts';
import type { XmlAttribute } from './xml-scanner.ts';

/** The content of a start tag, parsed once for all identical tags. */
export interface Tag {
  /** Without prefix. */
  readonly name: string;
  /** Of its `xsi:type`. */
  readonly type: ResolvedType | undefined;
  /** The `type` of a reference to a managed object. */
  readonly refType: string;
  readonly nil: boolean;
  /** The plan in which it was met last, and its field there. */
  plan: ObjectPlan | undefined;
  field: FieldPlan | undefined;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

export const toTag = (registry: Registry, name: string, attributes: readonly XmlAttribute[]): Tag => {
  let xsiType = '';
  let refType = '';
  let nil = false;
  for (const { name: attribute, value } of attributes) {
    if (attribute === 'type') refType = value;
    else if (attribute.endsWith(':type')) xsiType = value;
    else if (attribute.endsWith(':nil')) nil = value === 'true' || value === '1';
  }
  const type = xsiType === '' ? undefined : registry.resolve(xsiType);
  return { name: localName(name), type, refType, nil, plan: undefined, field: undefined };
};

/** The field of an object that the tag fills. */
export const fieldOf = (tag: Tag, plan: ObjectPlan): FieldPlan | undefined => {
  if (tag.plan !== plan) {
    tag.plan = plan;
    tag.field = plan.fields.get(tag.name);
  }
  return tag.field;
};
