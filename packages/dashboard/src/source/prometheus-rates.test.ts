import { httpResponse } from '@vdo/base/http';
import { type HttpServer, serveHttp } from '@vdo/base/http-server';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { afterEach, describe, expect, it } from 'vitest';
import { createPrometheusServer, type Series } from '../testing/prometheus-server.ts';
import { createPrometheusRates } from './prometheus-rates.ts';

const minute = 60_000;
const nowMs = Date.parse('2026-03-08T12:34:20Z');
const day = 1_440 * minute;
const call = (labels: Series['labels'], rate: Series['rate'], name = 'vdo_vcenter_calls_total'): Series => ({
  name,
  labels,
  rate,
  fromMs: nowMs - 3 * day,
});
const seconds = 'vdo_vcenter_call_duration_seconds_sum';
const operations = 'vdo_csi_operations_total';

describe('the rates of Prometheus', () => {
  const servers: HttpServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
  const read = async (handler: Parameters<typeof serveHttp>[0]['handler'], prefix = '') => {
    const server = await serveHttp({ handler, port: 0 });
    servers.push(server);
    const clock = createVirtualClock(nowMs);
    const rates = createPrometheusRates({ address: `${server.url}${prefix}`, env: {}, clock });
    try {
      return await rates.read(new AbortController().signal);
    } finally {
      await rates.close();
    }
  };

  it('are those of a week: by minutes, ten minutes and hours, each moment once, and none from before', async () => {
    const { handler } = createPrometheusServer([call({ method: 'RetrieveProperties', result: 'ok' }, () => 2)]);
    const rows = await read(handler);
    expect([...new Set(rows.map(({ everyMs }) => everyMs / minute))]).toEqual([60, 10, 1]);
    for (const [index, { atMs, everyMs }] of rows.entries()) {
      const next = rows[index + 1];
      if (next) expect(next.atMs).toBe(atMs + everyMs);
    }
    expect(rows.at(-1)).toMatchObject({
      everyMs: minute,
      calls: 120,
      callErrors: 0,
      atMs: Date.parse('2026-03-08T12:33:00Z'),
    });
    expect(rows[0]?.atMs).toBeLessThan(nowMs - 2.9 * day);
    expect(rows[0]?.atMs).toBeGreaterThan(nowMs - 3.1 * day);
    expect(rows.length).toBeLessThan(450);
  });

  it('leave the long poll out, and tell errors and times of calls from those of operations on volumes', async () => {
    const { handler } = createPrometheusServer([
      call({ method: 'CreateVolume_Task', result: 'ok' }, () => 3),
      call({ method: 'CreateVolume_Task', result: 'VCenterBusy' }, () => 1),
      call({ method: 'WaitForUpdatesEx', result: 'VCenterSessionLost' }, () => 100),
      call({ method: 'CreateVolume_Task' }, () => 0.4, seconds),
      call({ method: 'WaitForUpdatesEx' }, () => 60, seconds),
      call({ method: 'CreateVolume', code: 'OK' }, () => 0.5, operations),
      call({ method: 'ControllerPublishVolume', code: 'VCenterBusy' }, () => 0.25, operations),
      call({ method: 'Probe', code: 'OK' }, () => 50, operations),
      call({ method: 'CreateVolume', code: 'OK' }, () => 1, 'vdo_csi_operation_duration_seconds_sum'),
    ]);
    expect((await read(handler)).at(-1)).toMatchObject({
      calls: 240,
      callErrors: 60,
      callMs: 24_000,
      operations: 45,
      operationErrors: 15,
      operationMs: 60_000,
    });
  });

  it('are read below the path of the address', async () => {
    const { handler } = createPrometheusServer([call({ result: 'ok' }, () => 1)], '/prom');
    expect((await read(handler, '/prom/')).length).toBeGreaterThan(100);
  });

  it('are unknown, not none, where nothing was scraped', async () => {
    const restarted = { ...call({ result: 'ok' }, () => 1), fromMs: nowMs - 30 * minute };
    const { handler } = createPrometheusServer([restarted]);
    expect((await read(handler))[0]?.atMs).toBeGreaterThanOrEqual(nowMs - 32 * minute);
  });

  it.each([
    ['nothing of VDO', createPrometheusServer([]).handler, 'has no metric vdo_vcenter_calls_total'],
    [
      'an error of Prometheus',
      async () =>
        httpResponse(503, JSON.stringify({ status: 'error', errorType: 'timeout', error: 'query timed out' })),
      'answered 503: query timed out',
    ],
    ['a page of somebody else', async () => httpResponse(200, '<html>Sign in</html>'), 'not a reply of Prometheus'],
    [
      'another shape',
      async () => httpResponse(200, JSON.stringify({ status: 'success', data: { resultType: 'vector', result: [] } })),
      'not a reply of Prometheus',
    ],
    ['no right', async () => httpResponse(401, 'Unauthorized'), 'answered 401'],
  ])('are missing with the reason: %s', async (_, handler, reason) => {
    await expect(read(handler)).rejects.toMatchObject({
      code: 'SourceUnreadable',
      message: expect.stringContaining(reason),
    });
  });

  it('are missing with the reason while nobody answers', async () => {
    const server = await serveHttp({ handler: async () => httpResponse(200), port: 0 });
    await server.close();
    const clock = createVirtualClock(nowMs);
    const rates = createPrometheusRates({ address: server.url, env: {}, clock });
    await expect(rates.read(new AbortController().signal)).rejects.toMatchObject({ code: 'SourceUnreadable' });
    await rates.close();
  });
});
