import type { Clock } from '@vdo/base/clock';
import type { HttpRequest, HttpTransport } from '@vdo/base/http';
import type { CallMeter } from '@vdo/dashboard/source/call-sampler';

// This call waits for changes, so its duration does not show how fast a vCenter is.
const isLongPoll = ({ body }: HttpRequest): boolean =>
  body !== undefined && Buffer.from(body).includes('<WaitForUpdatesEx');

/** Counts all requests to a vCenter and their duration, in the format of the programs' own metrics. */
export const measureCalls = (
  handler: HttpTransport,
  clock: Pick<Clock, 'monotonicMs'>,
): { readonly handler: HttpTransport; readonly meter: CallMeter } => {
  let calls = 0;
  let failed = 0;
  let ms = 0;
  return {
    handler: async (request) => {
      if (isLongPoll(request)) return handler(request);
      const beganMs = clock.monotonicMs();
      try {
        const reply = await handler(request);
        if (reply.status >= 400) failed += 1;
        return reply;
      } catch (error) {
        failed += 1;
        throw error;
      } finally {
        calls += 1;
        ms += clock.monotonicMs() - beganMs;
      }
    },
    meter: {
      of: 'everybody',
      everyMs: 5_000,
      read: async () => {
        const exposed = [
          `vdo_vcenter_calls_total{result="ok"} ${calls - failed}`,
          `vdo_vcenter_calls_total{result="failed"} ${failed}`,
          `vdo_vcenter_call_duration_seconds_sum ${ms / 1000}`,
        ].join('\n');
        return new Map([['vcenter', exposed]]);
      },
    },
  };
};
