import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import { describe, expect, it } from 'vitest';
import { createStatusPage } from './status-page.ts';

/** An API server that knows two tokens, one of which may read the page. */
const reviewer = {
  create: async (resource: { readonly plural: string }, object: { readonly spec: Record<string, unknown> }) => {
    if (resource.plural === 'tokenreviews') {
      const token = object.spec['token'];
      const authenticated = token === 'reader' || token === 'stranger';
      return { ...object, status: { authenticated, user: { username: token } } };
    }
    return { ...object, status: { allowed: object.spec['user'] === 'reader' } };
  },
} as unknown as KubeClient;

describe('the status page of the operator', () => {
  const { handler } = createStatusPage({
    client: reviewer,
    clock: createSystemClock(),
    random: createSeededRandom(1),
    logger: silentLogger,
    metrics: createMetrics(),
    namespace: 'vmware-system-vdo',
  });
  const get = async (path: string, token?: string): Promise<number> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return (await handler({ method: 'GET', path, headers })).status;
  };

  it.each(['/dashboard/', '/dashboard/model', '/dashboard/stream', '/dashboard/dashboard.js'])(
    'shows %s to nobody without a right',
    async (path) => {
      expect(await get(path)).toBe(401);
      expect(await get(path, 'unknown')).toBe(401);
      expect(await get(path, 'stranger')).toBe(403);
    },
  );

  it('shows it to who may get the path', async () => {
    expect(await get('/dashboard/', 'reader')).toBe(200);
    expect(await get('/dashboard/model', 'reader')).toBe(200);
  });
});
