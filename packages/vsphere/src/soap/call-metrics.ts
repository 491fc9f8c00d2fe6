import type { Metrics } from '@vdo/base/metrics';

export type SessionKind = 'soap' | 'rest' | 'sso';

/** Counts the calls to one vCenter. */
export interface CallMetrics {
  called(method: string, result: string, durationMs: number): void;
  /** The number of calls. */
  count(): number;
  /** A value of a reply was ignored because it could not be read. */
  unreadable(method: string): void;
  loggedIn(kind: SessionKind, result: string): void;
  /** A session began or ended. */
  session(kind: SessionKind, isOpen: boolean): void;
}

/** `result` is `ok` or the code of the error. */
export const createCallMetrics = (metrics: Metrics, server: string): CallMetrics => {
  const calls = metrics.counter({
    name: 'vdo_vcenter_calls_total',
    help: 'Calls to vCenter by method and result.',
    labels: ['server', 'method', 'result'],
  });
  const durations = metrics.histogram({
    name: 'vdo_vcenter_call_duration_seconds',
    help: 'Duration of calls to vCenter; long polls wait for changes.',
    labels: ['server', 'method'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  });
  const unreadable = metrics.counter({
    name: 'vdo_vcenter_values_unreadable_total',
    help: 'Values in replies of vCenter that were ignored because they could not be read; the rest of the reply was used.',
    labels: ['server', 'method'],
  });
  const logins = metrics.counter({
    name: 'vdo_vcenter_logins_total',
    help: 'Logins to vCenter by kind of session and result.',
    labels: ['server', 'kind', 'result'],
  });
  const sessions = metrics.gauge({
    name: 'vdo_vcenter_sessions',
    help: 'Sessions that this process has open on a vCenter, by kind.',
    labels: ['server', 'kind'],
  });
  let count = 0;
  return {
    called: (method, result, durationMs) => {
      count += 1;
      calls.add({ server, method, result });
      durations.observe({ server, method }, durationMs / 1000);
    },
    count: () => count,
    unreadable: (method) => unreadable.add({ server, method }),
    loggedIn: (kind, result) => logins.add({ server, kind, result }),
    session: (kind, isOpen) => sessions.set({ server, kind }, isOpen ? 1 : 0),
  };
};
