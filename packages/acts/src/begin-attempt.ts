import { isVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import type { Attempt, AttemptDeps } from './attempt.ts';
import { assertGood } from './internal/assert-good.ts';
import { type Moment, mintAbsent, mintAnswer, mintFound, mintSeen, mintWritten } from './internal/mint.ts';
import { nextOrder } from './internal/order.ts';
import { registerAttempt } from './internal/perform.ts';
import { evidenceMissing } from './internal/refusals.ts';

const noCluster = new Proxy({} as KubeClient, {
  get: () => () => {
    throw evidenceMissing('there is no cluster that could provide evidence');
  },
});

export const beginAttempt = (
  deps: AttemptDeps,
  about: { readonly act: string; readonly subject: string; readonly signal?: AbortSignal },
): Attempt => {
  const { client = noCluster, clock, fence, soleUse } = deps;
  const { act, subject, signal } = about;
  const calling = signal ? { signal } : {};
  const beganMs = clock.monotonicMs();
  const order = nextOrder();
  const now = (): Moment => ({ readMs: clock.monotonicMs(), order: nextOrder() });
  /** Records when a request was last sent: it may wait for the rate limit, and it may be retried. */
  const stopwatch = (before: () => void = () => {}) => {
    let at = now();
    const beforeSend = () => {
      before();
      at = now();
    };
    return { beforeSend, at: () => at };
  };

  const attempt: Attempt = {
    id: deps.random.uuid(),
    act,
    subject,
    beganMs,
    read: async (resource, key) => {
      await soleUse.renew(calling);
      const { beforeSend, at } = stopwatch();
      const object = await client.find(resource, key, { ...calling, beforeSend });
      const reading = { resource, key, at: at() };
      return object ? mintSeen(reading, object) : mintAbsent(reading);
    },
    readByWriting: async (resource, { key, uid, resourceVersion }, change) => {
      await soleUse.renew(calling);
      const { beforeSend, at } = stopwatch(fence.assertHeld);
      const body = { ...change, metadata: { ...change.metadata, uid, resourceVersion } };
      try {
        const object = await client.patch(resource, key, { type: 'merge', body }, { ...calling, beforeSend });
        const reading = { resource, key, at: at() };
        if (object.metadata.resourceVersion !== resourceVersion) return mintWritten(reading, object);
      } catch (error) {
        if (isVdoError(error, 'KubeNotFound')) return mintAbsent({ resource, key, at: at() });
        throw error;
      }
      throw evidenceMissing(`a patch of ${resource.plural} ${key.name} changed nothing, so its version proves nothing`);
    },
    search: async <T extends KubeObject>(
      resource: Resource<T>,
      question: { readonly index: string; readonly value: string },
      applies: (object: T) => boolean,
    ) => {
      await soleUse.renew(calling);
      let at: Moment | undefined;
      const beforeSend = () => {
        at ??= now();
      };
      const found: T[] = [];
      let resourceVersion = '';
      for await (const { items, metadata } of client.pages(resource, { ...calling, beforeSend })) {
        found.push(...items.filter(applies));
        resourceVersion ||= metadata.resourceVersion ?? '';
      }
      return mintFound({ resource, question, resourceVersion, at: at ?? now() }, () => found);
    },
    ask: async (what, question) => {
      signal?.throwIfAborted();
      await soleUse.renew(calling);
      const at = now();
      return mintAnswer(what, at, await question());
    },
    assertGood: (...evidence) => assertGood({ act, subject, order, clock, fence, soleUse }, evidence),
  };
  registerAttempt(attempt, { client, clock, fence, log: deps.log, order, ...calling });
  return Object.freeze(attempt);
};
