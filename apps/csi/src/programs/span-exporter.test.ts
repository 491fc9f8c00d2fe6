import { type HttpRequest, httpResponse } from '@vdo/base/http';
import { createLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import type { FinishedSpan } from '../volumes/trace-operations.ts';
import { createSpanExporter } from './span-exporter.ts';

const traceId = '5f3c9a1e-0000-4000-8000-000000000001';
const span: FinishedSpan = {
  traceId,
  name: 'CreateVolume',
  startMs: 1_700_000_000_000,
  endMs: 1_700_000_001_500,
  failure: undefined,
  attributes: { name: `pvc-${traceId}` },
};

const setup = (env: Readonly<Record<string, string>>, status = () => 200) => {
  const clock = createVirtualClock();
  const metrics = createMetrics();
  const lines: string[] = [];
  const requests: (HttpRequest & { readonly origin: string })[] = [];
  const exporter = createSpanExporter({
    env,
    version: '1.2.3',
    clock,
    metrics,
    random: createSeededRandom(1),
    logger: createLogger({ name: 'test', write: (line) => void lines.push(line) }),
    connect: (origin) => async (request) => {
      requests.push({ ...request, origin });
      return httpResponse(status());
    },
  });
  return { clock, metrics, lines, requests, exporter };
};
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.monitoring:4318' };
const run = async ({ clock, exporter }: ReturnType<typeof setup>, forMs: number) => {
  const ended = new AbortController();
  const running = exporter?.run(ended.signal);
  await clock.advance(forMs);
  ended.abort();
  await running;
};

describe('spans for OpenTelemetry', () => {
  it('are not made where no collector is named', () => {
    expect(setup({}).exporter).toBeUndefined();
  });

  it.each(['collector:4318', 'ftp://collector', 'nonsense'])('are not sent to %s, and the log says why', (value) => {
    const { exporter, lines } = setup({ OTEL_EXPORTER_OTLP_ENDPOINT: value });
    expect(exporter).toBeUndefined();
    expect(lines.join()).toContain('OTEL_EXPORTER_OTLP_ENDPOINT is not a URL');
  });

  it('are posted as OTLP in JSON; the trace has the uid of the claim', async () => {
    const world = setup({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20obviously-fake,x-a=%' });
    world.exporter?.add(span);
    world.exporter?.add({ ...span, name: 'ControllerPublishVolume', failure: 'NodeVmNotFound' });
    await run(world, 6_000);
    const [request, ...more] = world.requests;
    expect(more).toEqual([]);
    expect(request).toMatchObject({
      origin: 'http://collector.monitoring:4318',
      method: 'POST',
      path: '/v1/traces',
      headers: { 'content-type': 'application/json', authorization: 'Bearer obviously-fake', 'x-a': '%' },
    });
    const hexId = expect.stringMatching(/^[0-9a-f]{16}$/);
    expect(JSON.parse(String(request?.body))).toMatchObject({
      resourceSpans: [
        {
          resource: {
            attributes: [
              { key: 'service.name', value: { stringValue: 'vsphere-csi-controller' } },
              { key: 'service.version', value: { stringValue: '1.2.3' } },
            ],
          },
          scopeSpans: [
            {
              spans: [
                {
                  traceId: '5f3c9a1e000040008000000000000001',
                  spanId: hexId,
                  name: 'CreateVolume',
                  startTimeUnixNano: '1700000000000000000',
                  endTimeUnixNano: '1700000001500000000',
                  attributes: [{ key: 'name', value: { stringValue: `pvc-${traceId}` } }],
                  status: { code: 1 },
                },
                { spanId: hexId, status: { code: 2, message: 'NodeVmNotFound' } },
              ],
            },
          ],
        },
      ],
    });
  });

  it('go to the address for traces alone as it stands', async () => {
    const world = setup({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://other/in?key=1' });
    world.exporter?.add(span);
    await run(world, 1);
    expect(world.requests).toMatchObject([{ origin: 'https://other', path: '/in?key=1' }]);
  });

  it('that were made last are sent before the program ends', async () => {
    const world = setup(endpoint);
    const ended = new AbortController();
    const running = world.exporter?.run(ended.signal);
    await world.clock.advance(1_000);
    world.exporter?.add(span);
    ended.abort();
    await running;
    expect(world.requests).toHaveLength(1);
  });

  it('that no collector takes are counted, and the log says so once until it answers again', async () => {
    let status = 503;
    const world = setup(endpoint, () => status);
    const ended = new AbortController();
    const running = world.exporter?.run(ended.signal);
    for (const answer of [503, 503, 200, 503]) {
      status = answer;
      world.exporter?.add(span);
      await world.clock.advance(5_000);
    }
    ended.abort();
    await running;
    expect((await world.metrics.expose()).body).toContain('vdo_trace_spans_lost_total 3');
    expect(world.lines.filter((line) => line.includes('cannot be sent'))).toHaveLength(2);
  });

  it('are dropped, the oldest first, rather than kept without bound', async () => {
    const world = setup(endpoint);
    for (let index = 0; index < 2_010; index++) world.exporter?.add({ ...span, name: `n${index}` });
    await run(world, 1);
    const names = world.requests.flatMap(({ body }) =>
      JSON.parse(String(body)).resourceSpans[0].scopeSpans[0].spans.map(({ name }: { readonly name: string }) => name),
    );
    expect([names.length, names[0]]).toEqual([2_000, 'n10']);
    expect((await world.metrics.expose()).body).toContain('vdo_trace_spans_lost_total 10');
  });
});
