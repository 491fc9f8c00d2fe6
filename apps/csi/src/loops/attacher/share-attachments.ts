import { nodeIdOfAttachment } from '../../volumes/attached-node.ts';
import { parseVolumeId } from '../../volumes/volume-id.ts';
import type { ClusterInformers } from '../cluster-informers.ts';

/** Node IDs by the file share that is published to them. */
export type ShareAttachments = () => ReadonlyMap<string, readonly string[]>;

/** vCenter does not know which nodes mount a share, but the cluster does. */
export const createShareAttachments =
  ({
    attachments,
    volumes,
    csiNodes,
  }: Pick<ClusterInformers, 'attachments' | 'volumes' | 'csiNodes'>): ShareAttachments =>
  () => {
    const published = new Map<string, string[]>();
    for (const attachment of attachments.list()) {
      const { spec, status } = attachment;
      const handle = volumes.get(spec.source.persistentVolumeName ?? '')?.spec.csi?.volumeHandle ?? '';
      if (!status?.attached || parseVolumeId(handle)?.kind !== 'file') continue;
      const nodeId = nodeIdOfAttachment(attachment, (name) => csiNodes.get(name));
      if (nodeId !== undefined) published.set(handle, [...(published.get(handle) ?? []), nodeId]);
    }
    return published;
  };
