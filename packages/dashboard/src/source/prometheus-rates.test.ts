import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpResponse } from '@vdo/base/http';
import { type HttpServer, serveHttp } from '@vdo/base/http-server';
import { createSelfSigned } from '@vdo/base/self-signed';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPrometheusServer, type Series } from '../testing/prometheus-server.ts';
import { type PrometheusFiles, prometheusFiles } from './prometheus-access.ts';
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
    ['no right', async () => httpResponse(401, 'Unauthorized'), 'answered 401: it requires authentication'],
  ])('are missing with the reason: %s', async (_, handler, reason) => {
    await expect(read(handler)).rejects.toMatchObject({
      code: 'SourceUnreadable',
      message: expect.stringContaining(reason),
    });
  });

  describe('of a server that wants to know who asks, with a certificate of its own', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));
    const open = async () => {
      const [first, second] = [1, 2].map(() =>
        createSelfSigned({ commonName: 'prometheus', hosts: ['127.0.0.1'], nowMs: Date.now() }),
      );
      if (!first || !second) throw new Error('two certificates');
      const { handler } = createPrometheusServer([call({ result: 'ok' }, () => 1)]);
      const accepted = new Set(['Bearer one']);
      const server = await serveHttp({
        handler: async (request) =>
          accepted.has(request.headers['authorization'] ?? '') ? handler(request) : httpResponse(401, 'Unauthorized'),
        port: 0,
        tls: first,
      });
      servers.push(server);
      const files = { tokenFile: join(folder, 'token'), caFile: join(folder, 'ca.crt') };
      await writeFile(files.tokenFile, 'one\n');
      await writeFile(files.caFile, first.cert);
      return { server, files, accepted, second };
    };
    const reading = (address: string, files: PrometheusFiles) => {
      const rates = createPrometheusRates({
        address,
        env: {},
        clock: createVirtualClock(nowMs),
        access: prometheusFiles(files),
      });
      return { read: () => rates.read(new AbortController().signal), close: () => rates.close() };
    };

    it('are read with the token and the CA, also after both were replaced', async () => {
      const { server, files, accepted, second } = await open();
      const { read: again, close } = reading(server.url, files);
      expect((await again()).length).toBeGreaterThan(100);
      accepted.clear();
      accepted.add('Bearer two');
      await expect(again()).rejects.toMatchObject({ message: expect.stringContaining('does not accept the token') });
      await writeFile(files.tokenFile, 'two');
      expect((await again()).length).toBeGreaterThan(100);
      server.renewTls(second);
      await writeFile(files.caFile, second.cert);
      expect((await again()).length).toBeGreaterThan(100);
      await close();
    });

    it.each([
      [
        'without a token',
        ({ caFile }: PrometheusFiles) => ({ ...(caFile ? { caFile } : {}) }),
        'requires authentication',
      ],
      [
        'without its CA',
        ({ tokenFile }: PrometheusFiles) => ({ ...(tokenFile ? { tokenFile } : {}) }),
        'does not answer',
      ],
      [
        'with a file that is not there',
        (files: PrometheusFiles) => ({ ...files, tokenFile: '/nowhere/token' }),
        'cannot be read',
      ],
    ])('are missing with the reason %s, and the token is not in it', async (_, change, reason) => {
      const { server, files } = await open();
      const { read: again, close } = reading(server.url, change(files));
      const error = await again().catch((caught: Error) => caught);
      expect(error).toMatchObject({ code: 'SourceUnreadable', message: expect.stringContaining(reason) });
      expect(JSON.stringify(error)).not.toContain('Bearer one');
      await close();
    });

    it('are not asked for with a token that anybody on the way could read', async () => {
      const { files } = await open();
      const { read: again, close } = reading('http://prometheus.monitoring:9090', { tokenFile: files.tokenFile });
      await expect(again()).rejects.toMatchObject({ message: expect.stringContaining('without encryption') });
      await close();
    });

    it('are missing with the reason of an empty file', async () => {
      const { server, files } = await open();
      await writeFile(files.tokenFile, '\n');
      const { read: again, close } = reading(server.url, files);
      await expect(again()).rejects.toMatchObject({ message: expect.stringContaining('is empty') });
      await close();
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
