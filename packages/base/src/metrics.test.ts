import { describe, expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

describe('metrics', () => {
  it('exposes counters, gauges and histograms, and removes the series of deleted objects', async () => {
    const metrics = createMetrics();
    metrics.counter({ name: 'vdo_calls_total', help: 'calls', labels: ['method'] }).add({ method: 'Login' }, 2);
    const nodes = metrics.gauge({ name: 'vdo_nodes', help: 'nodes', labels: ['node'] });
    nodes.set({ node: 'a' }, 1);
    nodes.set({ node: 'b' }, 1);
    nodes.remove({ node: 'b' });
    metrics.histogram({ name: 'vdo_seconds', help: 's', buckets: [0.1, 1] }).observe({}, 0.5);
    const { body } = await metrics.expose();
    expect(body).toContain('vdo_calls_total{method="Login"} 2');
    expect(body).toContain('vdo_nodes{node="a"} 1');
    expect(body).not.toContain('node="b"');
    expect(body).toContain('vdo_seconds_bucket{le="1"} 1');
  });

  it('returns the same metric when asked twice, and keeps registries apart', async () => {
    const metrics = createMetrics();
    metrics.counter({ name: 'a_total', help: 'a' }).add({});
    metrics.counter({ name: 'a_total', help: 'a' }).add({});
    expect((await metrics.expose()).body).toContain('a_total 2');
    expect((await createMetrics().expose()).body).not.toContain('a_total');
  });
});
