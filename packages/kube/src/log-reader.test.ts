import type { HttpRequest } from '@vdo/base/http';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createKubeClient } from './create-client.ts';

const encoder = new TextEncoder();

describe('readLog', () => {
  it('requests the wanted part, and keeps characters whole that are split between pieces', async () => {
    const requests: HttpRequest[] = [];
    const bytes = encoder.encode('grün\n');
    const client = createKubeClient({
      clock: createVirtualClock(),
      transport: async (request) => {
        requests.push(request);
        const body = async function* () {
          yield bytes.slice(0, 3);
          yield bytes.slice(3);
        };
        return { status: 200, headers: {}, body: body() };
      },
    });
    let text = '';
    for await (const piece of client.readLog({ namespace: 'a', name: 'p' }, { container: 'c', tailLines: 5 }))
      text += piece;
    expect(text).toBe('grün\n');
    expect(requests[0]?.path).toBe('/api/v1/namespaces/a/pods/p/log?container=c&tailLines=5');
  });

  it('reports the pod whose log cannot be read', async () => {
    const refused = {
      kind: 'Status',
      code: 404,
      reason: 'NotFound',
      message: 'pods "p" not found',
      details: { name: 'p', kind: 'pods' },
    };
    const client = createKubeClient({
      clock: createVirtualClock(),
      transport: async () => ({
        status: 404,
        headers: {},
        body: (async function* () {
          yield encoder.encode(JSON.stringify(refused));
        })(),
      }),
    });
    const read = async () => {
      for await (const _ of client.readLog({ namespace: 'a', name: 'p' }));
    };
    await expect(read()).rejects.toMatchObject({ code: 'KubeNotFound' });
  });
});
