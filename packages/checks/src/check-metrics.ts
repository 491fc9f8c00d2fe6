import type { Metrics } from '@vdo/base/metrics';
import type { CheckOutcome } from './check.ts';

export interface CheckMetrics {
  /** Shows these outcomes, and takes away what earlier ones of the same checks showed and these do not. */
  show(outcomes: readonly CheckOutcome[], checks: readonly string[]): void;
}

const labels = ['check', 'object_kind', 'status'] as const;
type Labels = Readonly<Record<(typeof labels)[number], string>>;

/**
 * `vdo_check_status{check,object_kind,status}`: how many objects of a kind have this status. Objects are counted, not
 * named, so that a cluster of any size has few series, and what is deleted leaves none behind.
 */
export const createCheckMetrics = (metrics: Metrics): CheckMetrics => {
  const gauge = metrics.gauge({
    name: 'vdo_check_status',
    help: 'Objects of a kind by the result of a health check.',
    labels,
  });
  const shown = new Map<string, Labels>();

  return {
    show: (outcomes, checks) => {
      const counts = new Map<string, { readonly series: Labels; count: number }>();
      for (const { id: check, object, result: status } of outcomes) {
        const series = { check, object_kind: object.kind, status };
        const key = JSON.stringify(series);
        const entry = counts.get(key) ?? { series, count: 0 };
        entry.count += 1;
        counts.set(key, entry);
      }
      for (const [key, series] of shown) {
        if (counts.has(key) || !checks.includes(series.check)) continue;
        gauge.remove(series);
        shown.delete(key);
      }
      for (const [key, { series, count }] of counts) {
        gauge.set(series, count);
        shown.set(key, series);
      }
    },
  };
};
