import type { KubeObject } from '@vdo/kube/types/object';
import type { Attempt } from '../attempt.ts';
import type { Evidence, Seen } from '../evidence.ts';
import { deleteObject } from '../internal/delete-object.ts';
import { actRefused } from '../internal/refusals.ts';

interface SnapshotContent extends KubeObject {
  readonly spec: { readonly deletionPolicy: string };
}

/** Deletes a VolumeSnapshotContent whose snapshot no longer exists; `because` is the evidence. One with policy Retain is never deleted. */
export const deleteSnapshotContent = async (
  attempt: Attempt,
  content: Seen<SnapshotContent>,
  because: readonly [Evidence, ...Evidence[]],
): Promise<boolean> => {
  const { deletionPolicy } = content.object.spec;
  if (deletionPolicy !== 'Delete')
    throw actRefused('delete VolumeSnapshotContent', content.key.name, `its deletion policy is ${deletionPolicy}`);
  return deleteObject(attempt, content, because);
};
