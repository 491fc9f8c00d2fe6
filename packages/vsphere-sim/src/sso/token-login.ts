import { loginByToken } from '@vdo/vsphere/wire/methods/session';
import { faults } from '../sim-fault.ts';
import { handleAnonymous, type MethodHandler } from '../soap/method-handler.ts';
import { userSession } from '../soap/user-session.ts';
import type { Tokens } from './sts-endpoint.ts';

/** Login at `/sdk` with a token in the header of the request. */
export const tokenLogin = (tokens: Tokens): MethodHandler =>
  handleAnonymous(loginByToken, (_request, call) => {
    const username = tokens.userIn(call.text());
    const session = username && call.core.sessions.open({ username, kind: 'soap', userAgent: call.userAgent });
    if (!session) throw faults.invalidLogin();
    call.setSession(session.token);
    return userSession(session);
  });
