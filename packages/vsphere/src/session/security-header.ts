import { escapeXml } from '../wire/encode.ts';

/** Namespace of WS-Security. */
export const wsse = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd';
/** Namespace of the timestamps of WS-Security. */
export const wsu = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd';

// A request that arrives later than this is refused, because it may be a replay.
export const validMs = 60_000;

/** The validity period from now on, in the format of WS-Security and WS-Trust. */
export const lifetimeXml = (nowMs: number, lengthMs: number): string => {
  const [created, expires] = [nowMs, nowMs + lengthMs].map((atMs) => new Date(atMs).toISOString());
  return `<wsu:Created>${created}</wsu:Created><wsu:Expires>${expires}</wsu:Expires>`;
};

/** The `wsse:Security` header that identifies the sender: with name and password, or with a token, which is passed on unchanged. */
export const securityHeader = (
  nowMs: number,
  proof: { readonly username: string; readonly password: string } | { readonly assertion: string },
): string => {
  const shown =
    'assertion' in proof
      ? proof.assertion
      : `<wsse:UsernameToken><wsse:Username>${escapeXml(proof.username)}</wsse:Username><wsse:Password>${escapeXml(proof.password)}</wsse:Password></wsse:UsernameToken>`;
  return `<wsse:Security xmlns:wsse="${wsse}" xmlns:wsu="${wsu}"><wsu:Timestamp wsu:Id="_0">${lifetimeXml(nowMs, validMs)}</wsu:Timestamp>${shown}</wsse:Security>`;
};
