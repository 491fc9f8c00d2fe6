import { annotationKeys } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { nodeIdAnnotation, type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import { nodeIdOf } from './attached-node.ts';
import type { ClusterCaches } from './cluster-evidence.ts';

/** The addresses that got access to a share for an attachment. Undefined: none, or an earlier release attached it. */
export const addressesNotedOn = ({ metadata }: VolumeAttachment): readonly string[] | undefined => {
  const noted = metadata.annotations?.[annotationKeys.shareAddresses];
  return noted?.split(',').filter((address) => address !== '');
};

/** The addresses that got access to shares. Stored in the VolumeAttachments, because addresses change and VMs are deleted. */
export interface ShareGrants {
  /** The VolumeAttachments of a share on a node, from the cache. */
  attachmentsOf(at: Omit<GrantPlace, 'signal'>): readonly VolumeAttachment[];
  /** True if the attachment began on the node, or if its Node is that node now. */
  isOn(attachment: VolumeAttachment, nodeId: string): boolean;
  /** Adds addresses to the record in the attachments, and returns all recorded addresses. */
  add(at: GrantPlace, addresses: readonly string[]): Promise<readonly string[]>;
  /** Removes addresses from the record. */
  drop(at: GrantPlace, addresses: readonly string[]): Promise<void>;
}

export interface GrantPlace {
  readonly shareId: string;
  readonly nodeId: string;
  readonly signal: AbortSignal;
}

export const createShareGrants = (deps: { readonly kube: KubeClient; readonly caches: ClusterCaches }): ShareGrants => {
  const { kube, caches } = deps;

  const isOn: ShareGrants['isOn'] = ({ metadata, spec }, nodeId) =>
    metadata.annotations?.[nodeIdAnnotation] === nodeId || nodeIdOf(caches.csiNodes.get(spec.nodeName)) === nodeId;

  const attachmentsOf: ShareGrants['attachmentsOf'] = ({ shareId, nodeId }) => {
    const holders = caches.volumes.byIndex('handle', shareId);
    const all = [
      ...caches.attachments.byIndex('handle', shareId),
      ...holders.flatMap(({ metadata }) => caches.attachments.byIndex('volume', metadata.name ?? '')),
    ];
    const here = all.filter((one) => isOn(one, nodeId));
    return [...new Map(here.map((one) => [one.metadata.name, one])).values()];
  };

  /** The record of one attachment after the change. Its version is a precondition, so that no concurrent change is lost. */
  const change = async (
    { metadata: { name = '', uid } }: VolumeAttachment,
    decide: (noted: readonly string[]) => readonly string[],
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    const attachment = await kube.find(volumeAttachments, { name }, { signal });
    if (!attachment || attachment.metadata.uid !== uid) return [];
    const noted = addressesNotedOn(attachment);
    const wanted = [...new Set(decide(noted ?? []))].sort();
    if (noted !== undefined && wanted.join() === noted.join()) return noted;
    const { resourceVersion } = attachment.metadata;
    const annotations = { [annotationKeys.shareAddresses]: wanted.join() };
    const body = { metadata: { uid, resourceVersion, annotations } };
    await kube.patch(volumeAttachments, { name }, { type: 'merge', body }, { signal });
    return wanted;
  };

  return {
    attachmentsOf,
    isOn,
    add: async ({ signal, ...place }, addresses) => {
      const all = new Set<string>();
      for (const attachment of attachmentsOf(place))
        for (const address of await change(attachment, (noted) => [...noted, ...addresses], signal)) all.add(address);
      return [...all];
    },
    drop: async ({ signal, ...place }, addresses) => {
      for (const attachment of attachmentsOf(place))
        await change(attachment, (noted) => noted.filter((address) => !addresses.includes(address)), signal);
    },
  };
};
