import type { HttpHeaders } from '@vdo/base/http';

/** Holds the SOAP session cookie; the clients of one vCenter's endpoints share it. */
export interface CookieJar {
  /** For the Cookie header. */
  header(): string | undefined;
  /** The cookie's bare value, for SOAP headers. */
  value(): string | undefined;
  /** Reads the cookie from a reply's headers, if it sets one. */
  accept(headers: HttpHeaders): void;
  clear(): void;
}

const sessionCookie = /(?:^|\n|,\s*)vmware_soap_session=([^;\n]+)/;

export const createCookieJar = (): CookieJar => {
  let raw: string | undefined;
  return {
    header: () => (raw === undefined ? undefined : `vmware_soap_session=${raw}`),
    value: () => raw?.replace(/^"|"$/g, ''),
    accept: (headers) => {
      raw = sessionCookie.exec(headers['set-cookie'] ?? '')?.[1]?.trim() ?? raw;
    },
    clear: () => {
      raw = undefined;
    },
  };
};
