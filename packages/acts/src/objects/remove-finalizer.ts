import type { KubeObject } from '@vdo/kube/types/object';
import type { Attempt } from '../attempt.ts';
import type { Evidence, Seen } from '../evidence.ts';
import { mintSeen } from '../internal/mint.ts';
import { nextOrder } from '../internal/order.ts';
import { patchSeen } from '../internal/patch-seen.ts';
import { meansOf, perform } from '../internal/perform.ts';

/** Takes finalizers off, which may let the object go: then, and if it is gone already, the result is undefined. Else it is the object after that. */
export const removeFinalizer = async <T extends KubeObject>(
  attempt: Attempt,
  seen: Seen<T>,
  { finalizer, because }: { readonly finalizer: string | readonly string[]; readonly because: readonly Evidence[] },
): Promise<Seen<T> | undefined> => {
  const { finalizers = [], deletionTimestamp } = seen.object.metadata;
  const unwanted = [finalizer].flat();
  const left = finalizers.filter((name) => !unwanted.includes(name));
  if (left.length === finalizers.length) return seen;
  const { clock } = meansOf(attempt);
  const now = () => ({ readMs: clock.monotonicMs(), order: nextOrder() });
  let at = now();
  const patched = await perform(attempt, [seen, ...because], ({ beforeSend, ...sending }) =>
    patchSeen(
      seen,
      { metadata: { finalizers: left } },
      {
        ...sending,
        beforeSend: () => {
          beforeSend();
          at = now();
        },
      },
    ),
  );
  if (!patched || (left.length === 0 && deletionTimestamp !== undefined)) return undefined;
  const { resource, key } = seen;
  return mintSeen({ resource, key, at }, patched);
};
