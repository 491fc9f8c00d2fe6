import type { KubeObject } from '@vdo/kube/types/object';
import type { Attempt } from '../attempt.ts';
import type { Evidence, Seen } from '../evidence.ts';
import { patchSeen } from '../internal/patch-seen.ts';
import { perform } from '../internal/perform.ts';

/** Takes finalizers off, which may let the object go: then, and if it is gone already, the result is undefined. */
export const removeFinalizer = async <T extends KubeObject>(
  attempt: Attempt,
  seen: Seen<T>,
  { finalizer, because }: { readonly finalizer: string | readonly string[]; readonly because: readonly Evidence[] },
): Promise<T | undefined> => {
  const { finalizers = [], deletionTimestamp } = seen.object.metadata;
  const unwanted = [finalizer].flat();
  const left = finalizers.filter((name) => !unwanted.includes(name));
  if (left.length === finalizers.length) return seen.object;
  const patched = await perform(attempt, [seen, ...because], (sending) =>
    patchSeen(seen, { metadata: { finalizers: left } }, sending),
  );
  return left.length === 0 && deletionTimestamp !== undefined ? undefined : patched;
};
