/** Why an HTTP exchange failed, before any reply could be read. The packages that use it translate it into their own VdoErrors. */
export type HttpFailureKind =
  | 'name-unresolved'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'tls-untrusted'
  | 'thumbprint-mismatch'
  | 'not-tls'
  | 'interrupted'
  | 'malformed';

export class HttpFailure extends Error {
  readonly kind: HttpFailureKind;
  /** For `thumbprint-mismatch` and `tls-untrusted`: what the server presented. */
  readonly presented: { readonly sha1: string; readonly sha256: string; readonly subject: string } | undefined;

  constructor(
    kind: HttpFailureKind,
    message: string,
    options: { readonly cause?: unknown; readonly presented?: HttpFailure['presented'] } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'HttpFailure';
    this.kind = kind;
    this.presented = options.presented;
  }
}

const kindByCode: Readonly<Record<string, HttpFailureKind>> = {
  ENOTFOUND: 'name-unresolved',
  EAI_AGAIN: 'name-unresolved',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNRESET: 'interrupted',
  EPIPE: 'interrupted',
  UND_ERR_SOCKET: 'interrupted',
  UND_ERR_CLOSED: 'interrupted',
  UND_ERR_DESTROYED: 'interrupted',
  UND_ERR_HEADERS_OVERFLOW: 'malformed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'malformed',
  EPROTO: 'not-tls',
  ERR_SSL_WRONG_VERSION_NUMBER: 'not-tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'not-tls',
};

const isCertificateCode = (code: string): boolean =>
  /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|HOSTNAME_MISMATCH|CHAIN/.test(code);

const codeOf = (error: unknown): string => {
  const own = (error as { readonly code?: unknown }).code;
  if (typeof own === 'string') return own;
  const nested =
    (error as { readonly errors?: readonly unknown[] }).errors?.[0] ?? (error as { readonly cause?: unknown }).cause;
  return nested === undefined || nested === null ? '' : codeOf(nested);
};

/** Sorts a network error into a kind; aborts and unknown errors pass through unchanged. */
export const toHttpFailure = (error: unknown): unknown => {
  if (error instanceof HttpFailure || !(error instanceof Error) || error.name === 'AbortError') return error;
  const code = codeOf(error);
  const kind =
    kindByCode[code] ??
    (code.startsWith('HPE_') || error.name === 'HTTPParserError'
      ? 'malformed'
      : isCertificateCode(code)
        ? 'tls-untrusted'
        : undefined);
  if (kind) return new HttpFailure(kind, error.message || code, { cause: error });
  if (error.message.includes('terminated') || error.message.includes('socket'))
    return new HttpFailure('interrupted', error.message, { cause: error });
  return error;
};
