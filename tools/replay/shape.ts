import type { Exchange } from '@vdo/vdoctl/commands/vsphere/qualify/exchange';
import { readXmlTree, type XmlElement } from '@vdo/vsphere-sim/version/xml-tree';

/** What a reply is made of, without its values: `returnval.objects.propSet.val(VirtualMachineGuestState)`. */
export type Shape = ReadonlySet<string>;

const pathsOf = (element: XmlElement, above: string, into: Set<string>): void => {
  const type = element.type && !element.type.isSchema ? `(${element.type.name})` : '';
  const path = above === '' ? `${element.name}${type}` : `${above}.${element.name}${type}`;
  into.add(path);
  for (const child of element.children) pathsOf(child, path, into);
};

const keysOf = (value: unknown, above: string, into: Set<string>): void => {
  if (Array.isArray(value)) for (const one of value) keysOf(one, `${above}[]`, into);
  else if (typeof value === 'object' && value !== null)
    for (const [key, held] of Object.entries(value)) {
      const path = above === '' ? key : `${above}.${key}`;
      into.add(path);
      keysOf(held, path, into);
    }
};

export const shapeOf = ({ status, reply }: Pick<Exchange, 'status' | 'reply'>): Shape => {
  const shape = new Set<string>();
  if (status === 0) return shape;
  shape.add(`HTTP ${status}`);
  if (reply.trimStart().startsWith('<')) {
    const [content] = readXmlTree(reply).children.find(({ name }) => name === 'Body')?.children ?? [];
    for (const child of content?.children ?? []) if (child.name !== 'faultstring') pathsOf(child, '', shape);
  } else if (reply !== '') keysOf(JSON.parse(reply), '', shape);
  return shape;
};
