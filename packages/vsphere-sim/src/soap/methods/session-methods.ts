import {
  currentTime,
  login,
  logout,
  retrieveServiceContent,
  sessionIsActive,
  terminateSession,
} from '@vdo/vsphere/wire/methods/session';
import { faults } from '../../sim-fault.ts';
import { handle, handleAnonymous, type MethodHandler } from '../method-handler.ts';
import { serviceContent } from '../service-content.ts';
import { userSession } from '../user-session.ts';

export const sessionMethods: readonly MethodHandler[] = [
  handleAnonymous(retrieveServiceContent, (_request, { core }) => serviceContent(core.rootFolder, core.about)),

  handleAnonymous(login, ({ userName, password }, call) => {
    const session = call.core.sessions.login({ username: userName, password, kind: 'soap', userAgent: call.userAgent });
    if (!session)
      throw call.core.sessions.hasExpired(userName, password) ? faults.passwordExpired() : faults.invalidLogin();
    call.setSession(session.token);
    return userSession(session);
  }),

  handle(logout, (_request, { core, client }) => {
    core.sessions.logout(client.session.token);
    return undefined;
  }),

  handle(currentTime, (_request, { core }) => new Date(core.clock.now() + core.time.skewMs)),

  handle(sessionIsActive, ({ sessionID, userName }, { core }) => {
    const session = core.sessions.byKey(sessionID);
    return session !== undefined && userSession(session).userName.toLowerCase() === userName.toLowerCase();
  }),

  handle(terminateSession, ({ sessionId }, { core }) => {
    for (const key of sessionId) {
      const session = core.sessions.byKey(key);
      if (session) core.sessions.logout(session.token);
    }
    return undefined;
  }),
];
