import { type CsiNode, nodeIdAnnotation, type VolumeAttachment } from '@vdo/kube/types/storage';
import { driverName } from '../driver.ts';

/** The id under which the driver has registered on a node. */
export const nodeIdOf = (csiNode: CsiNode | undefined): string | undefined =>
  csiNode?.spec.drivers?.find(({ name }) => name === driverName)?.nodeID;

/** The id of the node that an attachment is for: as it was when it was begun, else as it is now. */
export const nodeIdOfAttachment = (
  { metadata, spec }: VolumeAttachment,
  findCsiNode: (name: string) => CsiNode | undefined,
): string | undefined => metadata.annotations?.[nodeIdAnnotation] ?? nodeIdOf(findCsiNode(spec.nodeName));
