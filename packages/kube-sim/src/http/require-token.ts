import type { HttpTransport } from '@vdo/base/http';
import { unauthorized } from '../api-error.ts';
import type { Identities } from './identities.ts';
import { errorReply } from './reply.ts';

/**
 * The server for a socket, which every user of the machine can reach. In memory, a request without a token comes from the
 * administrator; here it is refused, even for the version.
 */
export const requireToken =
  ({ handler, identities }: { readonly handler: HttpTransport; readonly identities: Identities }): HttpTransport =>
  async (request) => {
    const [, token] = /^Bearer ([^\s]+)$/i.exec(request.headers['authorization'] ?? '') ?? [];
    const identity = token === undefined ? undefined : identities.ofToken(token);
    return identity ? handler(request) : errorReply(unauthorized());
  };
