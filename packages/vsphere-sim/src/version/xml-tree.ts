import { SaxesParser, type SaxesTagNS } from 'saxes';

/** An element as another project's parser reads it, namespaces resolved. */
export interface XmlElement {
  readonly name: string;
  readonly namespace: string;
  /** `type`, of a reference to a managed object. */
  readonly refType: string | undefined;
  /** `xsi:type` without its prefix, and whether that prefix is the one of XML Schema. */
  readonly type: { readonly name: string; readonly isSchema: boolean } | undefined;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const xsi = 'http://www.w3.org/2001/XMLSchema-instance';
const xsd = 'http://www.w3.org/2001/XMLSchema';

const typeOf = (parser: SaxesParser<{ xmlns: true }>, tag: SaxesTagNS): XmlElement['type'] => {
  const attribute = Object.values(tag.attributes).find(({ local, uri }) => local === 'type' && uri === xsi);
  if (!attribute) return undefined;
  const [first = '', second] = attribute.value.split(':');
  return second === undefined
    ? { name: first, isSchema: false }
    : { name: second, isSchema: parser.resolve(first) === xsd };
};

/** Throws an Error if the text is not well-formed. */
export const readXmlTree = (text: string): XmlElement => {
  const parser = new SaxesParser({ xmlns: true });
  const open: { element: Omit<XmlElement, 'text'>; children: XmlElement[]; text: string }[] = [];
  let root: XmlElement | undefined;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    const children: XmlElement[] = [];
    const refType = tag.attributes['type']?.value;
    const element = { name: tag.local, namespace: tag.uri, refType, type: typeOf(parser, tag), children };
    open.push({ element, children, text: '' });
  });
  parser.on('text', (piece) => {
    const top = open.at(-1);
    if (top) top.text += piece;
  });
  parser.on('closetag', () => {
    const closed = open.pop();
    if (!closed) return;
    const element = { ...closed.element, text: closed.text };
    const parent = open.at(-1);
    if (parent) parent.children.push(element);
    else root = element;
  });
  parser.write(text).close();
  if (!root) throw new Error('no element found');
  return root;
};
