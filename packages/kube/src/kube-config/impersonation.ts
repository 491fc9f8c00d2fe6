import type { HttpHeaders } from '@vdo/base/http';
import { type Settings, textOf } from './settings.ts';

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** Names of extra fields may contain characters that header names may not, such as a slash. */
const headerName = (key: string): string =>
  `impersonate-extra-${encodeURIComponent(key.toLowerCase()).replace(/[()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`.toLowerCase();

/** The headers with which a user impersonates another one: `as`, `as-uid`, `as-groups`, `as-user-extra`. */
export const impersonationHeaders = (user: Settings): HttpHeaders => {
  const name = textOf(user['as']);
  if (name === undefined) return {};
  const uid = textOf(user['as-uid']);
  const groups = textsOf(user['as-groups']);
  const extra = Object.entries((user['as-user-extra'] ?? {}) as Settings)
    .map(([key, values]) => [headerName(key), textsOf(values).join('\n')] as const)
    .filter(([, values]) => values !== '');
  return {
    'impersonate-user': name,
    ...(uid !== undefined && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': groups.join('\n') }),
    ...Object.fromEntries(extra),
  };
};
