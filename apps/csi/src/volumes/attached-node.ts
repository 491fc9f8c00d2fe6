import { type CsiNode, nodeIdAnnotation, type VolumeAttachment } from '@vdo/kube/types/storage';
import { driverName } from '../driver.ts';

/** The ID with which the driver has registered on a node. */
export const nodeIdOf = (csiNode: CsiNode | undefined): string | undefined =>
  csiNode?.spec.drivers?.find(({ name }) => name === driverName)?.nodeID;

/** The ID of the node of an attachment: the ID at the time when it began, or else the present one. */
export const nodeIdOfAttachment = (
  { metadata, spec }: VolumeAttachment,
  findCsiNode: (name: string) => CsiNode | undefined,
): string | undefined => metadata.annotations?.[nodeIdAnnotation] ?? nodeIdOf(findCsiNode(spec.nodeName));
