import { raceAbort } from '@vdo/base/async/race-abort';
import { type Clock, deadline } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import type { OperatorVCenter } from './vcenter-pool.ts';

/** How long a vCenter has for what every pass asks it. What reads much has as long as it needs. */
const answerWithinMs = 20_000;

type Call = { readonly signal?: AbortSignal };

/**
 * The same vCenter for a pass that has more to do than to wait: whether it answers, its clock and a login must come soon. A login that
 * takes longer goes on, and the next pass finds it done.
 */
export const impatientVCenter = <V extends Pick<OperatorVCenter, 'server' | 'about' | 'login' | 'health'>>(
  vcenter: V,
  clock: Clock,
): V => {
  const { server, health } = vcenter;
  const soon = async <T>(
    ask: (call: Call) => Promise<T>,
    { signal: parent }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<T> => {
    const reason = () =>
      new VdoError({
        code: 'DeadlineExceeded',
        message: `vCenter ${server} did not answer within ${answerWithinMs / 1000} s`,
        remedy: 'vCenter is slow or stuck; it is tried again by itself. Look at its load if this repeats.',
      });
    const limit = deadline(clock, answerWithinMs, { ...(parent ? { parent } : {}), reason });
    try {
      return await raceAbort(ask({ signal: limit.signal }), limit.signal);
    } finally {
      limit.dispose();
    }
  };
  return {
    ...vcenter,
    about: (call) => soon(vcenter.about, call),
    login: (call) => soon(vcenter.login, call),
    health: { ...health, clock: (call) => soon(health.clock, call) },
  };
};
