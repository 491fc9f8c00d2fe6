import { withoutTrailing } from '@vdo/base/cut-text';
import { VdoError } from '@vdo/base/vdo-error';

/** The account of a vCenter. */
export interface Account {
  readonly username: string;
  readonly password: string;
}

/** The content of a Secret for one vCenter, with everything that a check reports. */
export interface AccountLookup {
  readonly account?: Account;
  /** The missing keys, in the spelling to add. Empty if the account was found. */
  readonly missingKeys: readonly string[];
  /** Keys whose value ended with a line break, which was removed. */
  readonly trailingNewlineKeys: readonly string[];
}

/** Values of a Secret as text: `data` of the Kubernetes API is base64. */
export const decodeSecretData = (
  data: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  );

const sameServer = (left: string, right: string): boolean => left.trim().toLowerCase() === right.trim().toLowerCase();

/** The names of the two keys under which the Secret keeps the account of the server, in the order of precedence. */
const keyPairs = (data: Readonly<Record<string, string>>, server: string): readonly (readonly [string, string])[] => {
  const keys = Object.keys(data);
  const spelled = (suffix: string): string =>
    keys.find((key) => key.endsWith(suffix) && sameServer(key.slice(0, -suffix.length), server)) ??
    `${server}${suffix}`;
  // A key of a Secret cannot contain a colon, so an IPv6 address is a value: server_a, username_a, password_a.
  const numbered = keys
    .filter((key) => key.startsWith('server_') && key.length > 'server_'.length && sameServer(data[key] ?? '', server))
    .map((key) => key.slice('server_'.length))
    .map((suffix): readonly [string, string] => [`username_${suffix}`, `password_${suffix}`]);
  return [[spelled('.username'), spelled('.password')], ...numbered, ['username', 'password']];
};

/**
 * Finds the account of a vCenter in the (decoded) data of a Secret. Supported are `<server>.username` with
 * `<server>.password`, `server_X` with `username_X` and `password_X`, and plain `username` with `password`.
 */
export const findAccount = (data: Readonly<Record<string, string>>, server: string): AccountLookup => {
  const pairs = keyPairs(data, server);
  const used = pairs.find((pair) => pair.some((key) => key in data));
  const [usernameKey, passwordKey] =
    used ?? (server.includes(':') ? ['username', 'password'] : [`${server}.username`, `${server}.password`]);
  const value = (key: string): string => withoutTrailing(data[key] ?? '', '\r\n');
  const keys = [usernameKey, passwordKey];
  const missingKeys = keys.filter((key) => value(key) === '');
  const trailingNewlineKeys = keys.filter((key) => /[\r\n]$/.test(data[key] ?? ''));
  if (missingKeys.length > 0) return { missingKeys, trailingNewlineKeys };
  return { account: { username: value(usernameKey), password: value(passwordKey) }, missingKeys, trailingNewlineKeys };
};

export interface AccountOptions {
  /** Decoded data. */
  readonly data: Readonly<Record<string, string>>;
  readonly server: string;
  /** The Secret or folder in messages, such as `Secret vmware-system-vdo/vcenter`. */
  readonly source: string;
}

/** Like {@link findAccount}, or throws VdoError SecretKeysMissing with the keys to add. */
export const readAccount = ({ data, server, source }: AccountOptions): Account => {
  const { account, missingKeys } = findAccount(data, server);
  if (account) return account;
  const present = Object.keys(data).sort();
  throw new VdoError({
    code: 'SecretKeysMissing',
    message: `${source} has no account for vCenter ${server}: ${missingKeys.join(' and ')} missing or empty; it has ${present.length > 0 ? present.join(', ') : 'no keys'}`,
    remedy: `Add ${missingKeys.join(' and ')} to ${source}.`,
    details: { server, missingKeys, presentKeys: present },
  });
};
