import type { HttpHeaders } from '@vdo/base/http';
import type { CookieJar } from '../soap/cookie-jar.ts';

const cookiePattern = /(?:^|\n)([\w.-]+)=([^;\n]*)/g;

/** Keeps all cookies of the single sign-on administration, and also sends it the session of `/sdk`. */
export const createSsoCookies = (vimCookie: () => string | undefined): CookieJar => {
  const own = new Map<string, string>();
  return {
    header: () => {
      const pairs = [vimCookie(), ...[...own].map(([name, value]) => `${name}=${value}`)];
      const sent = pairs.filter((pair) => pair !== undefined);
      return sent.length > 0 ? sent.join('; ') : undefined;
    },
    value: () => undefined,
    accept: (headers: HttpHeaders) => {
      for (const [, name = '', value = ''] of (headers['set-cookie'] ?? '').matchAll(cookiePattern))
        if (name !== 'vmware_soap_session') own.set(name, value);
    },
    clear: () => own.clear(),
  };
};
