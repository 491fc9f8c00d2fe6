import { escapeXml } from '../wire/encode.ts';

/** Namespace of WS-Security. */
export const wsse = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd';
/** Namespace of the timestamps of WS-Security. */
export const wsu = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd';

// A request that arrives later than this is refused: it may have been recorded.
export const validMs = 60_000;

/** The span from now on, as WS-Security and WS-Trust write it. */
export const lifetimeXml = (nowMs: number, lengthMs: number): string => {
  const [created, expires] = [nowMs, nowMs + lengthMs].map((atMs) => new Date(atMs).toISOString());
  return `<wsu:Created>${created}</wsu:Created><wsu:Expires>${expires}</wsu:Expires>`;
};

/** `wsse:Security` that says who sends a request: by name and password, or by a token, which is passed on as it came. */
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
