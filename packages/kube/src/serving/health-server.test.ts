import { readBody } from '@vdo/base/http';
import { createHttpClient } from '@vdo/base/http-client';
import { createMetrics } from '@vdo/base/metrics';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createHealthHandler, startHealthServer } from './health-server.ts';

const ask = async (handler: ReturnType<typeof createHealthHandler>, path: string, method = 'GET') => {
  const reply = await handler({ method, path, headers: {} });
  return { status: reply.status, text: (await readBody(reply.body)).toString() };
};

describe('health endpoints', () => {
  let problem: string | undefined = 'the cache is not filled yet';
  const handler = createHealthHandler({ live: { loop: () => undefined }, ready: { cache: () => problem } });

  it('stay alive while not ready, and report what is missing', async () => {
    expect(await ask(handler, '/healthz')).toEqual({ status: 200, text: 'ok' });
    expect(await ask(handler, '/readyz')).toEqual({
      status: 500,
      text: '[+]loop ok\n[-]cache failed: the cache is not filled yet\ncheck failed\n',
    });
    problem = undefined;
    expect(await ask(handler, '/readyz?verbose')).toEqual({
      status: 200,
      text: '[+]loop ok\n[+]cache ok\ncheck passed\n',
    });
  });

  it('refuse unknown paths', async () => {
    expect((await ask(handler, '/')).status).toBe(404);
    expect((await ask(handler, '/metrics', 'POST')).status).toBe(405);
  });

  it('measure how late the process is, and show it to nobody', async () => {
    const clock = createVirtualClock();
    const own = createMetrics();
    const server = await startHealthServer({ host: '127.0.0.1', port: 0, metrics: own, clock });
    await clock.advance(1_000);
    expect((await own.expose()).body).toContain('vdo_event_loop_lag_seconds_count 2');
    const { transport, close } = createHttpClient({ origin: server.url });
    const reply = await transport({ method: 'GET', path: '/metrics', headers: {} });
    expect([reply.status, (await readBody(reply.body)).toString()]).toEqual([404, expect.not.stringContaining('vdo_')]);
    await close();
    await server.close();
    expect(clock.pending()).toBe(0);
  });
});
