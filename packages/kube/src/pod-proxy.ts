import { onAbort } from '@vdo/base/async/on-abort';
import { readBody } from '@vdo/base/http';
import type { ApiCaller } from './api-caller.ts';
import type { KubeClient } from './client.ts';
import { pods } from './types/core.ts';

const maxBytes = 16 * 1024 * 1024;

/** What a pod serves, through the API server, which authorizes the reader: no port of the pod needs to be reachable. */
export const createPodProxy = (caller: ApiCaller): Pick<KubeClient, 'readFromPod'> => ({
  readFromPod: async ({ namespace = '', name }, { scheme = 'http', port, path, headers, signal }) => {
    const controller = new AbortController();
    const stopListening = onAbort(signal, () => controller.abort(signal?.reason));
    try {
      const address = `${scheme === 'https' ? 'https:' : ''}${name}:${port}`;
      const target = { resource: pods, namespace, name, subresource: 'proxy' };
      const proxied = `/api/v1/namespaces/${namespace}/pods/${address}/proxy${path}`;
      const call = { method: 'GET', verb: 'get', ...target, path: proxied, headers } as const;
      const { body } = await caller.stream(call, controller);
      return (await readBody(body, maxBytes)).toString();
    } finally {
      stopListening();
      controller.abort();
    }
  },
});
