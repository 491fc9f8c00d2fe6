const hidden = '[redacted]';
const secretKey =
  /pass(word|wd)?$|^pwd$|secret$|token$|^authorization$|^cookie$|^set-cookie$|session(key|id)?$|private-?key$/i;

// Anyone who can name an object can write into our log, so each pattern must take time in proportion to the length of the text: repetitions are
// bounded or cannot start twice. `npm run regexes` proves it.
const textPatterns: readonly [RegExp, string][] = [
  [/(<(?:\w{1,32}:)?password(?:\s[^<>]{0,256})?>)[^<]*/gi, `$1${hidden}`],
  [/(vmware_soap_session=)"?[^";\s]+"?/gi, `$1${hidden}`],
  [/(vmware-api-session-id["']?\s{0,8}[:=]\s{0,8}["']?)[^"'\s,}]+/gi, `$1${hidden}`],
  [/(\bauthorization["']?\s{0,8}[:=]?\s{0,8}["']?(?:bearer|basic)\s{1,8})[A-Za-z0-9._~+/=-]+/gi, `$1${hidden}`],
  [/(\b(?:authorization|bearer)["']?\s{0,8}[:=]?\s{1,8})[A-Za-z0-9._~+/=-]{8,}/gi, `$1${hidden}`],
  [/(:\/\/[^\s:/@]{1,256}:)[^\s@/]{1,1024}(?=@)/gi, `$1${hidden}`],
  [/(^[ \t]{0,64}["']?[\w.-]{0,256}password["']?\s{0,8}[:=]\s{0,8})(?!\[redacted\]).+$/gim, `$1${hidden}`],
];

/** Hides passwords, session cookies, tokens and URL user info in free text (logs, SOAP, INI, YAML). */
export const redactText = (text: string): string =>
  textPatterns.reduce((out, [pattern, replacement]) => out.replace(pattern, replacement), text);

interface RedactOptions {
  /** Default 8: deeper values are not changed. */
  readonly depth?: number;
  /** Applied to each string; redactText by default. */
  readonly text?: (text: string) => string;
}

/** A copy in which the value of every key that names a secret is hidden, and every string is passed through redactText. */
export const redactValue = (value: unknown, { depth = 8, text = redactText }: RedactOptions = {}): unknown => {
  if (typeof value === 'string') return text(value);
  if (value === null || typeof value !== 'object' || depth === 0) return value;
  const inside = { depth: depth - 1, text };
  if (Array.isArray(value)) return value.map((item) => redactValue(item, inside));
  if (value instanceof Error) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      secretKey.test(key) && item !== undefined && item !== '' ? hidden : redactValue(item, inside),
    ]),
  );
};
