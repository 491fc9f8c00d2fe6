import { unsupportedMediaType } from '../api-error.ts';
import { isObject, type JsonObject, listOf, objectOf } from '../json.ts';

type Scalar = 'string' | 'bytes' | 'bool' | 'int';
interface Field {
  readonly name: string;
  readonly type: Scalar | Message;
  readonly many?: 'list' | 'map';
}
type Message = Readonly<Record<number, Field>>;

const text = (name: string): Field => ({ name, type: 'string' });
const number = (name: string): Field => ({ name, type: 'int' });
const part = (name: string, type: Message): Field => ({ name, type });
const map = (name: string, value: Scalar): Field => ({
  name,
  type: { 1: text('key'), 2: { name: 'value', type: value } },
  many: 'map',
});

const metadata = part('metadata', {
  1: text('name'),
  2: text('generateName'),
  3: text('namespace'),
  11: map('labels', 'string'),
  12: map('annotations', 'string'),
  14: { ...text('finalizers'), many: 'list' },
});
const attributes = ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'].map((name, index) => [
  index + 1,
  text(name),
]);

// Numbers from the generated.proto files of k8s.io/api: the kinds that kubectl's own commands send this way.
const messages: Readonly<Record<string, Message>> = {
  Namespace: { 1: metadata },
  ConfigMap: { 1: metadata, 2: map('data', 'string'), 3: map('binaryData', 'bytes') },
  Secret: { 1: metadata, 2: map('data', 'bytes'), 3: text('type'), 4: map('stringData', 'string') },
  ServiceAccount: { 1: metadata },
  TokenRequest: {
    1: metadata,
    2: part('spec', { 1: { ...text('audiences'), many: 'list' }, 4: number('expirationSeconds') }),
  },
  SelfSubjectReview: { 1: metadata },
  SelfSubjectAccessReview: {
    1: metadata,
    2: part('spec', { 1: part('resourceAttributes', Object.fromEntries(attributes)) }),
  },
  DeleteOptions: {
    1: number('gracePeriodSeconds'),
    2: part('preconditions', { 1: text('uid'), 2: text('resourceVersion') }),
    4: text('propagationPolicy'),
    5: { ...text('dryRun'), many: 'list' },
  },
};
const envelope: Message = {
  1: part('typeMeta', { 1: text('apiVersion'), 2: text('kind') }),
  2: { name: 'raw', type: 'bytes' },
};

const readVarint = (bytes: Buffer, start: number): { readonly value: number; readonly end: number } => {
  let value = 0n;
  let at = start;
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[at++] ?? 0;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return { value: Number(BigInt.asIntN(64, value)), end: at };
  }
};

interface Entry {
  readonly field: number;
  /** Of a number or a boolean. */
  readonly number: number;
  /** Of anything with a length. */
  readonly block: Buffer | undefined;
}

function* entriesOf(bytes: Buffer): Generator<Entry> {
  for (let at = 0; at < bytes.length; ) {
    const key = readVarint(bytes, at);
    const { value, end } = readVarint(bytes, key.end);
    const isBlock = (key.value & 7) === 2;
    at = isBlock ? end + value : end;
    yield { field: key.value >>> 3, number: value, block: isBlock ? bytes.subarray(end, at) : undefined };
  }
}

const decodedValue = ({ number, block }: Entry, type: Field['type']): unknown => {
  if (block === undefined) return type === 'bool' ? number !== 0 : number;
  if (typeof type !== 'string') return decode(block, type);
  return block.toString(type === 'bytes' ? 'base64' : 'utf8');
};

/** Decodes the fields a schema names. Empty texts are absent values: Go writes them all. */
const decode = (bytes: Buffer, message: Message): JsonObject => {
  const result: Record<string, unknown> = {};
  for (const entry of entriesOf(bytes)) {
    const field = message[entry.field];
    if (!field) continue;
    const { name, many } = field;
    const value = decodedValue(entry, field.type);
    if (many === 'list') result[name] = [...listOf(result[name]), value];
    else if (many === 'map' && isObject(value))
      result[name] = { ...objectOf(result[name]), [String(value['key'] ?? '')]: value['value'] ?? '' };
    else if (value !== '') result[name] = value;
  }
  return result;
};

export const protobufType = 'application/vnd.kubernetes.protobuf';

/** Reads a body in Kubernetes' protobuf, of the few kinds that kubectl's commands write so. Replies are always JSON. */
export const decodeProtobuf = (bytes: Buffer): JsonObject => {
  const magicLength = 4;
  const { typeMeta, raw } = decode(bytes.subarray(magicLength), envelope);
  const { apiVersion, kind } = isObject(typeMeta) ? typeMeta : {};
  const message = messages[String(kind)];
  if (!message) throw unsupportedMediaType(`${protobufType} with a ${String(kind)}`, ['application/json']);
  return { apiVersion, kind, ...decode(Buffer.from(String(raw ?? ''), 'base64'), message) };
};
