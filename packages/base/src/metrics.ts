import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface MetricOptions<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly L[];
}

export interface CounterMetric<L extends string> {
  add(labels: Readonly<Record<L, string>>, by?: number): void;
}

export interface GaugeMetric<L extends string> {
  set(labels: Readonly<Record<L, string>>, value: number): void;
  /** The series of a deleted object must be removed with it. */
  remove(labels: Readonly<Record<L, string>>): void;
}

export interface HistogramMetric<L extends string> {
  observe(labels: Readonly<Record<L, string>>, value: number): void;
}

/** A separate registry per program: nothing is registered globally. Asking twice for a name returns the same metric. */
export interface Metrics {
  counter<L extends string = never>(options: MetricOptions<L>): CounterMetric<L>;
  gauge<L extends string = never>(options: MetricOptions<L>): GaugeMetric<L>;
  histogram<L extends string = never>(
    options: MetricOptions<L> & { readonly buckets: readonly number[] },
  ): HistogramMetric<L>;
  /** Prometheus text exposition format. */
  expose(): Promise<{ readonly contentType: string; readonly body: string }>;
}

export const createMetrics = (): Metrics => {
  const registry = new Registry();
  const known = new Map<string, unknown>();
  const once = <M>(name: string, create: () => M): M => {
    const existing = known.get(name) as M | undefined;
    if (existing) return existing;
    const created = create();
    known.set(name, created);
    return created;
  };
  const common = <L extends string>(options: MetricOptions<L>) => ({
    name: options.name,
    help: options.help,
    labelNames: [...(options.labels ?? [])],
    registers: [registry],
  });

  return {
    counter: (options) =>
      once(options.name, () => {
        const counter = new Counter(common(options));
        return { add: (labels, by = 1) => counter.inc(labels, by) };
      }),
    gauge: (options) =>
      once(options.name, () => {
        const gauge = new Gauge(common(options));
        return { set: (labels, value) => gauge.set(labels, value), remove: (labels) => gauge.remove(labels) };
      }),
    histogram: (options) =>
      once(options.name, () => {
        const histogram = new Histogram({ ...common(options), buckets: [...options.buckets] });
        return { observe: (labels, value) => histogram.observe(labels, value) };
      }),
    expose: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
};
