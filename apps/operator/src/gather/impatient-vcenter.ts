import { raceAbort } from '@vdo/base/async/race-abort';
import { type Clock, deadline } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import type { OperatorVCenter } from './vcenter-pool.ts';

/** Timeout for what every pass asks a vCenter. Large reads have none. */
const answerWithinMs = 20_000;

type Call = { readonly signal?: AbortSignal };

/**
 * The same vCenter with short timeouts for its version, its clock and a login, so that a pass does not wait for a slow vCenter. A login that
 * takes longer continues, and the next pass uses its result.
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
        remedy: 'vCenter is slow or hangs; VDO retries automatically. If this repeats, check the load of vCenter.',
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
