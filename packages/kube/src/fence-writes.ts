import type { Fence } from '@vdo/base/fence';
import type { CallOptions, KubeClient } from './client.ts';

/**
 * The same client, but each write checks the fence right before it is sent, and again before each retry. Callers that write through it need
 * not check it themselves. Reads and watches are not changed.
 */
export const fenceWrites = (client: KubeClient, fence: Fence): KubeClient => {
  const fenced = <O extends CallOptions>(options: O): O => ({
    ...options,
    beforeSend: () => {
      fence.assertHeld();
      options.beforeSend?.();
    },
  });
  return {
    ...client,
    create: (resource, object, options = {}) => client.create(resource, object, fenced(options)),
    update: (resource, object, options = {}) => client.update(resource, object, fenced(options)),
    patch: (resource, key, patch, options = {}) => client.patch(resource, key, patch, fenced(options)),
    apply: (resource, object, options) => client.apply(resource, object, fenced(options)),
    delete: (resource, key, options = {}) => client.delete(resource, key, fenced(options)),
    deleteCollection: async (resource, options = {}) => {
      fence.assertHeld();
      await client.deleteCollection(resource, options);
    },
  };
};
