import type { Node } from '@vdo/kube/types/core';
import type { Attempt } from '../attempt.ts';
import type { Evidence, Seen } from '../evidence.ts';
import { deleteObject } from '../internal/delete-object.ts';
import { actRefused } from '../internal/refusals.ts';

/** Deletes a Node whose VM is gone, which `because` shows. One whose kubelet still says that it is ready is never deleted. */
export const deleteNode = async (
  attempt: Attempt,
  node: Seen<Node>,
  because: readonly [Evidence, ...Evidence[]],
): Promise<boolean> => {
  const ready = node.object.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'True') throw actRefused('delete Node', node.key.name, 'its kubelet says that it is ready');
  return deleteObject(attempt, node, because);
};
