import { createSystemClock } from '@vdo/base/clock';
import { readBody } from '@vdo/base/http';
import { describe, expect, it } from 'vitest';
import { createDashboardHandler } from './create-dashboard-handler.ts';
import type { DashboardSource } from './model.ts';
import { buildModel } from './source/build-model.ts';

const fakeSource = () => {
  const listeners = new Set<() => void>();
  let cluster = 'first';
  const source: DashboardSource = {
    current: () =>
      buildModel({
        cluster,
        nowMs: 0,
        stale: '',
        resource: undefined,
        nodes: [],
        volumes: [],
        events: [],
        places: [],
        calls: null,
      }),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const rename = (name: string): void => {
    cluster = name;
    for (const listener of listeners) listener();
  };
  return { source, rename, listeners };
};

const get = (path: string, method = 'GET') => ({ method, path, headers: {} });

describe('the dashboard', () => {
  const clock = createSystemClock();

  it('serves a page of at most 150 kB that loads nothing from elsewhere', async () => {
    const handler = createDashboardHandler({ source: fakeSource().source, clock });
    const files = await Promise.all(
      ['/', '/dashboard.css', '/dashboard.js'].map(async (path) => {
        const { status, headers, body } = await handler(get(path));
        expect(status).toBe(200);
        expect(headers['content-security-policy']).toContain("default-src 'none'");
        return (await readBody(body)).toString('utf8');
      }),
    );
    const all = files.join('');
    expect(all.length).toBeLessThanOrEqual(150_000);
    expect(all.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\//);
  });

  it('works below a path, and sends readers of the bare path there', async () => {
    const handler = createDashboardHandler({ source: fakeSource().source, clock, basePath: '/dashboard' });
    expect(await handler(get('/dashboard'))).toMatchObject({ status: 308, headers: { location: '/dashboard/' } });
    expect((await handler(get('/dashboard/'))).status).toBe(200);
    expect((await handler(get('/dashboard/model'))).status).toBe(200);
    expect((await handler(get('/elsewhere'))).status).toBe(404);
  });

  it('refuses everything but reading', async () => {
    const handler = createDashboardHandler({ source: fakeSource().source, clock });
    expect((await handler(get('/', 'POST'))).status).toBe(405);
  });

  it('streams each change, and forgets a reader who leaves', async () => {
    const { source, rename, listeners } = fakeSource();
    const gone = new AbortController();
    const handler = createDashboardHandler({ source, clock });
    const { body } = await handler({ ...get('/stream'), signal: gone.signal });
    const clusters: string[] = [];
    for await (const chunk of body) {
      const text = Buffer.from(chunk).toString('utf8');
      clusters.push((JSON.parse(text.slice('data: '.length)) as { cluster: string }).cluster);
      if (clusters.length === 1) rename('second');
      else gone.abort();
    }
    expect(clusters).toEqual(['first', 'second']);
    expect(listeners.size).toBe(0);
  });
});
