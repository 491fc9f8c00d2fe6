import { createHash } from 'node:crypto';
import { redactText, redactValue } from '@vdo/base/redact';
import type { AnyObject } from '@vdo/kube/types/object';

/** Removes secrets from collected data. */
export interface Redactor {
  text(text: string): string;
  object(object: AnyObject): unknown;
}

const hidden = '[redacted]';
/** Shorter values would hide parts of ordinary words. */
const shortestSecret = 4;

const decoded = (object: AnyObject): readonly string[] => {
  const { data, stringData } = object as { data?: Record<string, string>; stringData?: Record<string, string> };
  return [
    ...Object.values(data ?? {}).map((value) => Buffer.from(value, 'base64').toString('utf8')),
    ...Object.values(stringData ?? {}),
  ];
};

/** Enough to see whether two clusters have the same value, not enough to guess it. */
const fingerprint = (base64: string): string => {
  const bytes = Buffer.from(base64, 'base64');
  return `${hidden} ${bytes.length} bytes, sha256 ${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`;
};

const withoutData = (secret: AnyObject): unknown => {
  const { data = {} } = secret as { data?: Record<string, string> };
  const { stringData: _, ...rest } = secret as AnyObject & { stringData?: unknown };
  const metadata = { ...secret.metadata, annotations: undefined, managedFields: undefined };
  return {
    ...rest,
    metadata,
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, fingerprint(value)])),
  };
};

/**
 * Knows the values of the given Secrets and hides them in all texts, together with everything that looks like a
 * password. User names stay: they are needed to understand what went wrong.
 */
export const createRedactor = (secrets: readonly AnyObject[]): Redactor => {
  const isUserName = (value: string): boolean => /^[^\s@\\]+(@|\\)[^\s@\\]+$/.test(value);
  const values = secrets
    .flatMap(decoded)
    .flatMap((value) => [value, value.trim(), ...value.split(/\r?\n/)])
    .filter((value) => value.length >= shortestSecret && !isUserName(value))
    .flatMap((value) => [value, Buffer.from(value).toString('base64'), encodeURIComponent(value)]);
  // The longest first: one value may be part of another.
  const known = [...new Set(values)].sort((left, right) => right.length - left.length);
  const text = (input: string): string =>
    known.reduce((out, value) => out.replaceAll(value, hidden), redactText(input));
  const deep = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(deep);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deep(item)]));
  };
  return {
    text,
    object: (object) => (object.kind === 'Secret' ? withoutData(object) : deep(redactValue(object, { depth: 32 }))),
  };
};
