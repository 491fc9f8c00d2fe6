import { createSystemClock } from '@vdo/base/clock';
import { readBody } from '@vdo/base/http';
import { describe, expect, it } from 'vitest';
import { createDashboardHandler } from './create-dashboard-handler.ts';
import type { Update } from './model.ts';
import { clusterFacts } from './testing/cluster-facts.ts';
import { createFixedSource } from './testing/fixed-source.ts';

const facts = (cluster: string) => ({ ...clusterFacts({ nodes: 2, volumes: 2 }), cluster });
const get = (path: string, method = 'GET') => ({ method, path, headers: {} });

describe('the dashboard', () => {
  const clock = createSystemClock();

  it('serves a page of at most 1 MB that loads nothing from elsewhere', async () => {
    const handler = createDashboardHandler({ source: createFixedSource(facts('a')).source, clock });
    const files = await Promise.all(
      ['/', '/dashboard.css', '/dashboard.js'].map(async (path) => {
        const { status, headers, body } = await handler(get(path));
        expect(status).toBe(200);
        expect(headers['content-security-policy']).toContain("default-src 'none'");
        expect(headers['content-security-policy']).not.toContain('unsafe');
        return (await readBody(body)).toString('utf8');
      }),
    );
    const all = files.join('');
    expect(all.length).toBeLessThanOrEqual(1_000_000);
    expect(all.replaceAll(/http:\/\/www\.w3\.org\/[\w/]+/g, '')).not.toMatch(/https?:\/\//);
  });

  it('works below a path, and sends readers of the bare path there', async () => {
    const { source } = createFixedSource(facts('a'));
    const handler = createDashboardHandler({ source, clock, basePath: '/dashboard' });
    expect(await handler(get('/dashboard'))).toMatchObject({ status: 308, headers: { location: '/dashboard/' } });
    expect((await handler(get('/dashboard/'))).status).toBe(200);
    expect((await handler(get('/dashboard/model'))).status).toBe(200);
    expect((await handler(get('/elsewhere'))).status).toBe(404);
  });

  it('refuses everything but reading', async () => {
    const handler = createDashboardHandler({ source: createFixedSource(facts('a')).source, clock });
    expect((await handler(get('/', 'POST'))).status).toBe(405);
  });

  it('streams everything once and then what changed, and forgets a reader who leaves', async () => {
    const { source, show, listeners } = createFixedSource(facts('first'));
    const gone = new AbortController();
    const handler = createDashboardHandler({ source, clock });
    const { body } = await handler({ ...get('/stream'), signal: gone.signal });
    const updates: Update[] = [];
    for await (const chunk of body) {
      const text = Buffer.from(chunk).toString('utf8');
      updates.push(JSON.parse(text.slice('data: '.length)) as Update);
      if (updates.length === 1) show(facts('second'));
      else gone.abort();
    }
    expect(updates.map(({ summary }) => summary?.cluster)).toEqual(['first', 'second']);
    expect(updates[0]).toMatchObject({ isFirst: true, put: { nodes: [{}, {}], volumes: [{}, {}] } });
    expect(updates[1]).not.toHaveProperty('put');
    expect(listeners.size).toBe(0);
  });
});
