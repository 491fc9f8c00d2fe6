import { type HttpRequest, httpResponse } from '@vdo/base/http';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createKubeClient } from './create-client.ts';

describe('readFromPod', () => {
  it('asks the API server for a path of the pod', async () => {
    const requests: HttpRequest[] = [];
    const client = createKubeClient({
      clock: createVirtualClock(),
      transport: async (request) => {
        requests.push(request);
        return httpResponse(200, 'up 1\n');
      },
    });
    const key = { namespace: 'a', name: 'p' };
    expect(await client.readFromPod(key, { port: 9810, path: '/metrics' })).toBe('up 1\n');
    await client.readFromPod(key, { scheme: 'https', port: 10258, path: '/metrics' });
    expect(requests.map(({ path }) => path)).toEqual([
      '/api/v1/namespaces/a/pods/p:9810/proxy/metrics',
      '/api/v1/namespaces/a/pods/https:p:10258/proxy/metrics',
    ]);
  });

  it('reports the pod that may not be read', async () => {
    const refused = { kind: 'Status', code: 403, reason: 'Forbidden', message: 'no' };
    const client = createKubeClient({
      clock: createVirtualClock(),
      transport: async () => httpResponse(403, JSON.stringify(refused), { 'content-type': 'application/json' }),
    });
    await expect(
      client.readFromPod({ namespace: 'a', name: 'p' }, { port: 1, path: '/metrics' }),
    ).rejects.toMatchObject({ code: 'KubeForbidden', message: expect.stringContaining('"p"') });
  });
});
