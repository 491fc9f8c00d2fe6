import { onAbort } from '@vdo/base/async/on-abort';
import type { ApiCaller } from './api-caller.ts';
import type { KubeClient } from './client.ts';
import { pods } from './types/core.ts';

/** Text of logs, in the pieces in which it arrives. */
export const createLogReader = (caller: ApiCaller): Pick<KubeClient, 'readLog'> => ({
  async *readLog(key, options = {}) {
    const { signal, ...query } = options;
    const controller = new AbortController();
    const stopListening = onAbort(signal, () => controller.abort(signal?.reason));
    try {
      const target = { resource: pods, namespace: key.namespace, name: key.name, subresource: 'log' };
      const { body } = await caller.stream({ method: 'GET', verb: 'get', ...target, query }, controller);
      const decoder = new TextDecoder();
      for await (const chunk of body) yield decoder.decode(chunk, { stream: true });
    } finally {
      stopListening();
      controller.abort();
    }
  },
});
