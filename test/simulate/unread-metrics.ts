import type { Metrics } from '@vdo/base/metrics';

/** Metrics that nobody reads: of one gauge it is told when it is set. */
export const unreadMetrics = (name: string, onSet: () => void): Metrics => {
  const counter = { add: () => {} };
  const gauge = { set: () => {}, remove: () => {} };
  const histogram = { observe: () => {} };
  return {
    counter: () => counter,
    gauge: (options) => (options.name === name ? { ...gauge, set: onSet } : gauge),
    histogram: () => histogram,
    expose: async () => ({ contentType: 'text/plain', body: '' }),
  };
};
