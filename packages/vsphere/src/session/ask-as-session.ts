import { VdoError } from '@vdo/base/vdo-error';
import type { OpenSession, VimSession } from './vim-session.ts';

/**
 * Sends a query that contains the ID of the session. The session may be lost and replaced meanwhile, and the query then
 * contains an ID that is no longer valid, so it is sent again.
 */
export const askAsSession = async <T>(
  session: Pick<VimSession, 'open' | 'endpoint'>,
  ask: (opened: OpenSession) => Promise<T>,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<T> => {
  for (let attempts = 0; attempts < 3; attempts++) {
    const opened = await session.open(options);
    const answer = await ask(opened).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if ((await session.open(options)) !== opened) continue;
    if ('error' in answer) throw answer.error;
    return answer.value;
  }
  throw new VdoError({
    code: 'VCenterSessionLost',
    message: `the session on vCenter ${session.endpoint.server} was lost repeatedly while its privileges were being read`,
    remedy: 'No action needed: the request is retried automatically.',
  });
};
