import { type Conversion, createDecoder, type DecodeLimits, type DecoderOptions } from './decode.ts';
import { encodeElement, escapeXml } from './encode.ts';
import type { FieldPlan, ObjectPlan, Plan, Registry } from './registry.ts';
import type { Input, Method, RequestOf, ResponseOf } from './schema.ts';
import { WireError } from './wire-error.ts';

/** Header elements that vCenter understands. */
export interface SoapHeader {
  /** Appears in vCenter's logs. */
  readonly operationID?: string | undefined;
  /** The session, for endpoints that require it here instead of as a cookie (`/pbm`). */
  readonly vcSessionCookie?: string | undefined;
  /** A `wsse:Security` element, sent unchanged. Only written, never read. */
  readonly security?: string | undefined;
}

export interface SoapFault {
  readonly faultcode: string;
  readonly faultstring: string;
  /** The typed fault, `{ $type: 'NotAuthenticated', … }`, if the server sent one. */
  readonly fault: { readonly $type: string; readonly [field: string]: unknown } | undefined;
}

export type SoapReply<S> = { readonly ok: true; readonly value: S } | { readonly ok: false; readonly fault: SoapFault };

export interface SoapRequest {
  readonly header: SoapHeader;
  /** The method's name as sent; `method` is undefined if the endpoint does not have it. */
  readonly name: string;
  readonly method: Method | undefined;
  readonly args: Readonly<Record<string, unknown>>;
}

const opening =
  '<?xml version="1.0" encoding="UTF-8"?>\n<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"' +
  ' xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">';
const closing = '</soapenv:Body></soapenv:Envelope>';

const withNamespace = (xml: string, name: string, namespace: string): string =>
  `<${name} xmlns="${escapeXml(namespace)}"${xml.slice(name.length + 1)}`;

const headerXml = ({ operationID, vcSessionCookie, security = '' }: SoapHeader): string => {
  const parts = [
    operationID === undefined ? '' : `<operationID>${escapeXml(operationID)}</operationID>`,
    vcSessionCookie === undefined ? '' : `<vcSessionCookie>${escapeXml(vcSessionCookie)}</vcSessionCookie>`,
    security,
  ].join('');
  return parts === '' ? '' : `<soapenv:Header>${parts}</soapenv:Header>`;
};

/** The element in the body of a request. */
export const encodeContent = <M extends Method>(registry: Registry, method: M, args: RequestOf<M>): string =>
  withNamespace(
    encodeElement(registry, method.name, registry.planOf(method.request), args),
    method.name,
    method.namespace,
  );

/** Client side: a request as XML. */
export const encodeRequest = <M extends Method>(
  registry: Registry,
  method: M,
  call: { readonly args: RequestOf<M>; readonly header?: SoapHeader },
): string => {
  const content = encodeContent(registry, method, call.args);
  return `${opening}${headerXml(call.header ?? {})}<soapenv:Body>${content}${closing}`;
};

/** Server side: a reply as XML. */
export const encodeReply = <M extends Method>(registry: Registry, method: M, value: Input<ResponseOf<M>>): string => {
  const { name } = method.response;
  const body = encodeElement(registry, name, registry.planOf(method.response), { returnval: value });
  return `${opening}<soapenv:Body>${withNamespace(body, name, method.namespace)}${closing}`;
};

/** Server side: a fault as XML. Send it with HTTP status 500. */
export const encodeFault = (
  registry: Registry,
  options: {
    readonly namespace: string;
    readonly message: string;
    /** `ServerFaultCode` by default. */
    readonly code?: string;
    readonly fault?: { readonly $type: string };
  },
): string => {
  const { fault } = options;
  const name = `${fault?.$type ?? ''}Fault`;
  const detail =
    fault === undefined
      ? ''
      : `<detail>${withNamespace(encodeElement(registry, name, { kind: 'any' }, fault), name, options.namespace)}</detail>`;
  const code = escapeXml(options.code ?? 'ServerFaultCode');
  return `${opening}<soapenv:Body><soapenv:Fault><faultcode>${code}</faultcode><faultstring>${escapeXml(options.message)}</faultstring>${detail}</soapenv:Fault>${closing}`;
};

const objectPlan = (name: string, fields: readonly FieldPlan[], notesUnknown = false): ObjectPlan => ({
  kind: 'object',
  name,
  base: undefined,
  open: false,
  order: fields,
  fields: new Map(fields.map((field) => [field.name, field])),
  arrays: [],
  required: [],
  notesUnknown,
});

const one = (name: string, item: Plan): FieldPlan => ({ name, repeated: false, required: false, item });

const envelopePlan = (registry: Registry, bodyFields: readonly FieldPlan[]): ObjectPlan => {
  const text = registry.primitive('string') ?? { kind: 'any' };
  const header = objectPlan('Header', [one('operationID', text), one('vcSessionCookie', text)]);
  return objectPlan('Envelope', [one('Header', header), one('Body', objectPlan('Body', bodyFields, true))]);
};

const faultPlan = (registry: Registry): FieldPlan => {
  const text = registry.primitive('string') ?? { kind: 'any' };
  return one(
    'Fault',
    objectPlan('Fault', [one('faultcode', text), one('faultstring', text), one('detail', { kind: 'children' })]),
  );
};

type Chunk = Uint8Array | string;

interface RawEnvelope {
  readonly Header?: SoapHeader;
  readonly Body?: Readonly<Record<string, unknown>> & { readonly $unknown?: string };
}

const decode = async (
  chunks: AsyncIterable<Chunk> | Iterable<Chunk>,
  options: DecodeLimits & {
    readonly registry: Registry;
    readonly root: ObjectPlan;
    readonly convert?: Conversion | undefined;
    readonly onUnreadable?: DecoderOptions['onUnreadable'];
  },
): Promise<RawEnvelope> => {
  const decoder = createDecoder({ ...options, rootName: 'Envelope' });
  for await (const chunk of chunks) decoder.write(chunk);
  return decoder.end() as RawEnvelope;
};

const isTyped = (value: unknown): value is { readonly $type: string } =>
  typeof value === 'object' && value !== null && typeof (value as { readonly $type?: unknown }).$type === 'string';

const toFault = (raw: unknown): SoapFault => {
  const { faultcode, faultstring, detail } = raw as {
    readonly faultcode?: string;
    readonly faultstring?: string;
    readonly detail?: readonly unknown[];
  };
  const fault = detail?.find(isTyped) as SoapFault['fault'];
  return { faultcode: faultcode ?? '', faultstring: faultstring ?? '', fault };
};

/** Client side: reads the reply or fault of a method from a streamed body. Throws WireError. */
export const decodeReply = async <M extends Method>(
  chunks: AsyncIterable<Chunk> | Iterable<Chunk>,
  method: M,
  options: DecodeLimits & Pick<DecoderOptions, 'registry' | 'convert' | 'onUnreadable'>,
): Promise<SoapReply<ResponseOf<M>>> => {
  const { registry } = options;
  const reply = one(method.response.name, registry.planOf(method.response));
  const { Body } = await decode(chunks, { ...options, root: envelopePlan(registry, [reply, faultPlan(registry)]) });
  if (Body?.['Fault'] !== undefined) return { ok: false, fault: toFault(Body['Fault']) };
  const value = Body?.[method.response.name] as { readonly returnval?: ResponseOf<M> } | undefined;
  if (value) return { ok: true, value: value.returnval as ResponseOf<M> };
  throw new WireError('malformed', `expected ${method.response.name}, got ${Body?.$unknown ?? 'an empty body'}`);
};

/** Server side: creates a reader of requests for the methods of one endpoint. */
export const createRequestDecoder = (
  registry: Registry,
  methods: readonly Method[],
): ((chunks: AsyncIterable<Chunk> | Iterable<Chunk>, limits?: DecodeLimits) => Promise<SoapRequest>) => {
  const byName = new Map(methods.map((method) => [method.name, method]));
  const root = envelopePlan(
    registry,
    methods.map((method) => one(method.name, registry.planOf(method.request))),
  );
  return async (chunks, limits = {}) => {
    const { Header = {}, Body } = await decode(chunks, { ...limits, registry, root });
    const name = Object.keys(Body ?? {}).find((key) => byName.has(key));
    const header: SoapHeader = { operationID: Header.operationID, vcSessionCookie: Header.vcSessionCookie };
    if (name !== undefined)
      return { header, name, method: byName.get(name), args: Body?.[name] as Readonly<Record<string, unknown>> };
    if (Body?.$unknown === undefined) throw new WireError('malformed', 'the SOAP body is empty');
    return { header, name: Body.$unknown, method: undefined, args: {} };
  };
};
