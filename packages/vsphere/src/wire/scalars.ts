import { WireError } from './wire-error.ts';

/** Text of an element ↔ value. `format` returns unescaped text. */
export interface ScalarCodec {
  parse(text: string): unknown;
  format(value: unknown): string;
}

const malformed = (expected: string, text: string): WireError =>
  new WireError('malformed', `expected ${expected}, got "${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`);

const wrongType = (expected: string, value: unknown): WireError =>
  new WireError('unencodable', `expected ${expected}, got ${value === null ? 'null' : typeof value}`);

const string: ScalarCodec = {
  parse: (text) => text,
  format: (value) => {
    if (typeof value !== 'string') throw wrongType('a string', value);
    return value;
  },
};

const boolean: ScalarCodec = {
  parse: (text) => {
    const word = text.trim();
    if (word === 'true' || word === '1') return true;
    if (word === 'false' || word === '0') return false;
    throw malformed('true or false', text);
  },
  format: (value) => {
    if (typeof value !== 'boolean') throw wrongType('a boolean', value);
    return value ? 'true' : 'false';
  },
};

const integer: ScalarCodec = {
  parse: (text) => {
    const number = Number(text);
    if (!Number.isInteger(number) || text.trim() === '') throw malformed('an integer', text);
    return number;
  },
  format: (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType('an integer', value);
    return String(value);
  },
};

const long: ScalarCodec = {
  parse: (text) => {
    if (!/^\s*[+-]?\d+\s*$/.test(text)) throw malformed('a 64-bit integer', text);
    return BigInt(text.trim().replace(/^\+/, ''));
  },
  format: (value) => {
    if (typeof value !== 'bigint') throw wrongType('a bigint', value);
    if (BigInt.asIntN(64, value) !== value) throw new WireError('unencodable', `${value} does not fit into 64 bits`);
    return String(value);
  },
};

const special: Readonly<Record<string, number>> = { INF: Infinity, '-INF': -Infinity, NaN: Number.NaN };

const double: ScalarCodec = {
  parse: (text) => {
    const word = text.trim();
    const number = special[word] ?? (word === '' ? Number.NaN : Number(word));
    if (Number.isNaN(number) && word !== 'NaN') throw malformed('a number', text);
    return number;
  },
  format: (value) => {
    if (typeof value !== 'number') throw wrongType('a number', value);
    return Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF';
  },
};

const dateTime: ScalarCodec = {
  parse: (text) => {
    const word = text.trim();
    // Without a time zone, the XML schema leaves it open, and JavaScript would use that of the machine. vCenter means UTC.
    const date = new Date(/(Z|[+-]\d\d:\d\d)$/.test(word) ? word : `${word}Z`);
    if (Number.isNaN(date.getTime())) throw malformed('a date and time', text);
    return date;
  },
  format: (value) => {
    if (!(value instanceof Date) || Number.isNaN(value.getTime())) throw wrongType('a date', value);
    return value.toISOString();
  },
};

const base64: ScalarCodec = {
  parse: (text) => new Uint8Array(Buffer.from(text, 'base64')),
  format: (value) => {
    if (!(value instanceof Uint8Array)) throw wrongType('bytes', value);
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  },
};

export const scalars = { string, boolean, integer, long, double, dateTime, base64 } as const;
