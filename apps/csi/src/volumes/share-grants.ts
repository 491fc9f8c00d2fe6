import { annotationKeys } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { nodeIdAnnotation, type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import { nodeIdOf } from './attached-node.ts';
import type { ClusterCaches } from './cluster-evidence.ts';

/** The addresses that were let into a share for an attachment. Undefined: an earlier release attached it, or nobody was. */
export const addressesNotedOn = ({ metadata }: VolumeAttachment): readonly string[] | undefined => {
  const noted = metadata.annotations?.[annotationKeys.shareAddresses];
  return noted?.split(',').filter((address) => address !== '');
};

/** Which addresses were let into shares, kept with the VolumeAttachments: addresses change, and VMs go. */
export interface ShareGrants {
  /** The VolumeAttachments of a share on a node, as the cache has them. */
  attachmentsOf(at: Omit<GrantPlace, 'signal'>): readonly VolumeAttachment[];
  /** True if the attachment was begun for the node, or its Node is that node now. */
  isOn(attachment: VolumeAttachment, nodeId: string): boolean;
  /** Adds addresses to what is noted with the attachments, and gives all that is noted with them then. */
  add(at: GrantPlace, addresses: readonly string[]): Promise<readonly string[]>;
  /** Takes addresses off what is noted. */
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

  /** What is noted with one attachment after the change; its version is a precondition, so that no other note is lost. */
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
