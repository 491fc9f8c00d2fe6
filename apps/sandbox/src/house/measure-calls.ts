import type { Clock } from '@vdo/base/clock';
import type { HttpRequest, HttpTransport } from '@vdo/base/http';
import type { CallMeter } from '@vdo/dashboard/source/call-sampler';

// It is answered when something changes, which says nothing about how fast a vCenter is.
const isLongPoll = ({ body }: HttpRequest): boolean =>
  body !== undefined && Buffer.from(body).includes('<WaitForUpdatesEx');

/** Counts what a vCenter is asked by everybody, and how long it takes, in the form of the programs' own metrics. */
export const measureCalls = (
  handler: HttpTransport,
  clock: Pick<Clock, 'monotonicMs'>,
): { readonly handler: HttpTransport; readonly meter: CallMeter } => {
  let calls = 0;
  let ms = 0;
  return {
    handler: async (request) => {
      if (isLongPoll(request)) return handler(request);
      const beganMs = clock.monotonicMs();
      try {
        return await handler(request);
      } finally {
        calls += 1;
        ms += clock.monotonicMs() - beganMs;
      }
    },
    meter: {
      of: 'everybody',
      everyMs: 5_000,
      read: async () => {
        const exposed = `vdo_vcenter_calls_total ${calls}\nvdo_vcenter_call_duration_seconds_sum ${ms / 1000}\n`;
        return new Map([['vcenter', exposed]]);
      },
    },
  };
};
