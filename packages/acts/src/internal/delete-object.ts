import { isVdoError } from '@vdo/base/vdo-error';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Attempt } from '../attempt.ts';
import type { Evidence, Seen } from '../evidence.ts';
import { perform } from './perform.ts';
import { evidenceMissing } from './refusals.ts';

/** Deletes exactly the version that was read: not another object of its name, and not if it was changed. False if it no longer exists. */
export const deleteObject = (
  attempt: Attempt,
  seen: Seen<KubeObject>,
  because: readonly Evidence[],
): Promise<boolean> =>
  perform(attempt, [seen, ...because], async ({ client, ...sending }) => {
    const { resource, key, uid, resourceVersion } = seen;
    try {
      return await client.delete(resource, key, { uid, resourceVersion, ...sending });
    } catch (error) {
      if (!isVdoError(error, 'KubeConflict')) throw error;
      throw evidenceMissing(`${resource.plural} ${key.name} changed after it was read`, { cause: error });
    }
  });
