import { array, boolean, dateTime, defineMethod, optional, ref, string } from '../schema.ts';
import { ServiceContent, UserSession } from '../types/service.ts';

export const retrieveServiceContent = defineMethod('RetrieveServiceContent', {
  namespace: 'urn:vim25',
  request: { _this: ref },
  response: ServiceContent,
});

export const currentTime = defineMethod('CurrentTime', {
  namespace: 'urn:vim25',
  request: { _this: ref },
  response: dateTime,
});

export const login = defineMethod('Login', {
  namespace: 'urn:vim25',
  request: { _this: ref, userName: string, password: string, locale: optional(string) },
  response: UserSession,
});

/** Login with a token of single sign-on, which is in the header. */
export const loginByToken = defineMethod('LoginByToken', {
  namespace: 'urn:vim25',
  request: { _this: ref, locale: optional(string) },
  response: UserSession,
});

export const logout = defineMethod('Logout', {
  namespace: 'urn:vim25',
  request: { _this: ref },
});

export const sessionIsActive = defineMethod('SessionIsActive', {
  namespace: 'urn:vim25',
  request: { _this: ref, sessionID: string, userName: string },
  response: boolean,
});

export const terminateSession = defineMethod('TerminateSession', {
  namespace: 'urn:vim25',
  request: { _this: ref, sessionId: array(string) },
});
