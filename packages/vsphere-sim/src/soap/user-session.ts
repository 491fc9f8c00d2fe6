import type { Value } from '@vdo/vsphere/wire/schema';
import type { UserSession } from '@vdo/vsphere/wire/types/service';
import type { Session } from '../sessions.ts';

/** `user@domain` → `DOMAIN\user`, as vCenter displays principals. */
export const domainName = (principal: string): string => {
  const [user = '', domain = ''] = principal.split('@');
  return domain === '' ? user : `${domain.toUpperCase()}\\${user}`;
};

/** A session as vCenter displays it: the user in the form `DOMAIN\user`. */
export const userSession = (session: Session): Value<typeof UserSession> => {
  const userName = domainName(session.user);
  return {
    key: session.key,
    userName,
    fullName: userName,
    loginTime: new Date(session.loginMs),
    lastActiveTime: new Date(session.lastActiveMs),
    locale: 'en',
    messageLocale: 'en',
    extensionSession: false,
    ipAddress: '127.0.0.1',
    userAgent: session.userAgent,
    callCount: 0n,
  };
};
