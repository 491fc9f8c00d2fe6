import type { Exchange } from '../exchange.ts';
import type { Redactor } from './redactor.ts';

export const hidden = '[redacted]';
/** Elements whose content is always hidden. */
const secretElements = new Set([
  'password',
  'vcSessionCookie',
  'BinarySecurityToken',
  'Security',
  'Signature',
  'base64Token',
]);
const secretKeys = /pass(?:word|wd)?$|secret|token|session|authorization|cookie|private/i;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decode = (text: string): string =>
  text.replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{2,4});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
const encode = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Only attributes that state a type. */
const attributesOf = (tag: string): string =>
  [...tag.matchAll(/\s([\w:.-]{1,64})="([^"<>]{0,512})"/g)]
    .filter(
      ([, name = '']) => name === 'type' || name.endsWith(':type') || name === 'xmlns' || name.startsWith('xmlns:'),
    )
    .map(([, name, value]) => ` ${name}="${value}"`)
    .join('');

/** A tag with its kept attributes; empty for comments, instructions and CDATA markers. */
const redactTag = (tag: string, open: string[]): string => {
  const [head, name] = /^<\/?(?:[\w.-]{1,64}:)?([\w.-]{1,128})/.exec(tag) ?? [];
  if (head === undefined || name === undefined) return '';
  if (tag.startsWith('</')) {
    open.pop();
    return `${head}>`;
  }
  const isEmpty = tag.endsWith('/>');
  if (!isEmpty) open.push(name);
  return `${head}${attributesOf(tag)}${isEmpty ? '/>' : '>'}`;
};

/** The same document with all texts replaced. */
export const redactXml = (xml: string, redactor: Redactor): string => {
  const open: string[] = [];
  const redactText = (text: string): string => {
    if (!open.some((name) => secretElements.has(name))) return encode(redactor.text(decode(text)));
    return text.trim() === '' ? '' : hidden;
  };
  return [...xml.matchAll(/<[^<>]{0,65536}>|[^<>]+/g)]
    .map(([piece]) => (piece.startsWith('<') ? redactTag(piece, open) : redactText(piece)))
    .join('');
};

const redactJson = (value: unknown, redactor: Redactor): unknown => {
  if (typeof value === 'string') return redactor.text(value);
  if (Array.isArray(value)) return value.map((one) => redactJson(one, redactor));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [
      redactor.text(key),
      secretKeys.test(key) && typeof held !== 'object' ? hidden : redactJson(held, redactor),
    ]),
  );
};

const redactBody = (body: string, redactor: Redactor): string => {
  if (body.trim() === '') return '';
  if (body.trimStart().startsWith('<')) return redactXml(body, redactor);
  try {
    return JSON.stringify(redactJson(JSON.parse(body), redactor));
  } catch {
    return hidden;
  }
};

/** Operations whose requests and replies contain almost only secrets. */
const isAboutSecrets = ({ path }: Pick<Exchange, 'path'>): boolean =>
  /^\/(?:sts|sso-adminserver)\/|\/session$/.test(path);

/** An exchange that can be shared publicly. */
export const redactExchange = (exchange: Exchange, redactor: Redactor): Exchange => {
  const { path, request, reply, call } = exchange;
  const isPage = /html/i.test(exchange.contentType);
  const secret = (body: string): string => (body === '' ? '' : JSON.stringify(hidden));
  return {
    ...exchange,
    call: call.startsWith(`${exchange.method} `) ? redactor.text(call) : call,
    path: redactor.text(path),
    request: isAboutSecrets(exchange) ? secret(request) : redactBody(request, redactor),
    reply: isPage || isAboutSecrets(exchange) ? secret(reply) : redactBody(reply, redactor),
  };
};
