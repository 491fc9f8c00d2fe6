import type { Node } from '@vdo/kube/types/core';
import type { Attempt } from '../attempt.ts';
import type { Evidence, Seen } from '../evidence.ts';
import { deleteObject } from '../internal/delete-object.ts';
import { actRefused } from '../internal/refusals.ts';

/** Deletes a Node whose VM no longer exists; `because` is the evidence. A Node that is still ready is never deleted. */
export const deleteNode = async (
  attempt: Attempt,
  node: Seen<Node>,
  because: readonly [Evidence, ...Evidence[]],
): Promise<boolean> => {
  const ready = node.object.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'True') throw actRefused('delete Node', node.key.name, 'its kubelet reports that it is ready');
  return deleteObject(attempt, node, because);
};

/** Deletes a Node that this program itself registered for a VM, identified by its label and the UUID of that VM; `because` shows that the VM ended. */
export const withdrawNode = async (
  attempt: Attempt,
  node: Seen<Node>,
  own: {
    readonly label: string;
    readonly systemUuid: string;
    readonly because: readonly [Evidence, ...Evidence[]];
  },
): Promise<boolean> => {
  const refuse = (why: string) => actRefused('delete Node', node.key.name, why);
  const { metadata, status } = node.object;
  if (metadata.labels?.[own.label] === undefined) throw refuse(`it has no label ${own.label}`);
  const uuid = status?.nodeInfo?.systemUUID;
  if (uuid?.toLowerCase() !== own.systemUuid.toLowerCase())
    throw refuse(`it belongs to VM ${uuid}, not to ${own.systemUuid}`);
  return deleteObject(attempt, node, own.because);
};
