import type { KubeObject } from '@vdo/kube/types/object';
import type { Attempt } from '../attempt.ts';
import type { Evidence, Seen } from '../evidence.ts';
import { mintSeen } from '../internal/mint.ts';
import { nextOrder } from '../internal/order.ts';
import { patchSeen } from '../internal/patch-seen.ts';
import { meansOf, perform } from '../internal/perform.ts';

/** Removes finalizers and returns the updated object. Undefined if the object is deleted by this, or does not exist any more. */
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
