import { isVdoError } from '@vdo/base/vdo-error';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Seen } from '../evidence.ts';
import type { Sending } from './perform.ts';
import { evidenceMissing } from './refusals.ts';

/** Changes exactly the version that was read. Undefined if the object no longer exists. */
export const patchSeen = async <T extends KubeObject>(
  seen: Seen<T>,
  change: { readonly metadata?: object; readonly [field: string]: unknown },
  { client, subresource, ...sending }: Sending & { readonly subresource?: string },
): Promise<T | undefined> => {
  const { resource, key, uid, resourceVersion } = seen;
  const body = { ...change, metadata: { ...change.metadata, uid, resourceVersion } };
  const options = { ...sending, ...(subresource === undefined ? {} : { subresource }) };
  try {
    return await client.patch(resource, key, { type: 'merge', body }, options);
  } catch (error) {
    if (isVdoError(error, 'KubeNotFound')) return undefined;
    if (!isVdoError(error, 'KubeConflict')) throw error;
    throw evidenceMissing(`${resource.plural} ${key.name} changed after it was read`, { cause: error });
  }
};
