import type { Metrics } from '@vdo/base/metrics';
import type { CheckTally } from './check.ts';

export interface CheckMetrics {
  /** Exports the results of these checks, and deletes series of earlier results that no longer apply. */
  show(tallies: readonly CheckTally[]): void;
}

const labels = ['check', 'object_kind', 'status'] as const;
type Labels = Readonly<Record<(typeof labels)[number], string>>;

/**
 * `vdo_check_status{check,object_kind,status}`: how many objects of a kind have this status. Objects are counted, not
 * named, so that a cluster of any size has few series, and deleted objects leave none behind.
 */
export const createCheckMetrics = (metrics: Metrics): CheckMetrics => {
  const gauge = metrics.gauge({
    name: 'vdo_check_status',
    help: 'Number of objects of a kind by the result of a health check.',
    labels,
  });
  const shown = new Map<string, Labels>();

  return {
    show: (tallies) => {
      const ran = new Set(tallies.map(({ id }) => id));
      const found = new Map<string, { readonly series: Labels; readonly count: number }>();
      for (const { id: check, counts } of tallies)
        for (const { kind, result: status, count } of counts) {
          const series = { check, object_kind: kind, status };
          found.set(JSON.stringify(series), { series, count });
        }
      for (const [key, series] of shown) {
        if (found.has(key) || !ran.has(series.check)) continue;
        gauge.remove(series);
        shown.delete(key);
      }
      for (const [key, { series, count }] of found) {
        gauge.set(series, count);
        shown.set(key, series);
      }
    },
  };
};
