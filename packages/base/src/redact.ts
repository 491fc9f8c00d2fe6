const hidden = '[redacted]';
const secretKey =
  /pass(word|wd)?$|^pwd$|secret$|token$|^authorization$|^cookie$|^set-cookie$|session(key|id)?$|private-?key$/i;

const textPatterns: readonly [RegExp, string][] = [
  [/(<(?:\w+:)?password[^>]*>)[^<]*(<)/gi, `$1${hidden}$2`],
  [/(vmware_soap_session=)"?[^";\s]+"?/gi, `$1${hidden}`],
  [/(vmware-api-session-id["']?\s*[:=]\s*["']?)[^"'\s,}]+/gi, `$1${hidden}`],
  [/(\b(?:authorization|bearer)\b["']?\s*[:=]?\s*(?:bearer|basic)?\s+)[A-Za-z0-9._~+/=-]{8,}/gi, `$1${hidden}`],
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]+:)[^\s@/]+(@)/gi, `$1${hidden}$2`],
  [/(^\s*["']?[\w.-]*password["']?\s*[:=]\s*)(?!\[redacted\]).+$/gim, `$1${hidden}`],
];

/** Hides passwords, session cookies, tokens and URL user info in free text (logs, SOAP, INI, YAML). */
export const redactText = (text: string): string =>
  textPatterns.reduce((out, [pattern, replacement]) => out.replace(pattern, replacement), text);

/** A copy in which the value of every key that names a secret is hidden, and every string is passed through redactText. */
export const redactValue = (value: unknown, depth = 8): unknown => {
  if (typeof value === 'string') return redactText(value);
  if (value === null || typeof value !== 'object' || depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth - 1));
  if (value instanceof Error) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      secretKey.test(key) && item !== undefined && item !== '' ? hidden : redactValue(item, depth - 1),
    ]),
  );
};
