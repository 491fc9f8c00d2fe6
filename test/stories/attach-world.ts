import { nodes } from '@vdo/kube/types/core';
import { csiNodes } from '@vdo/kube/types/storage';
import type { Story } from './story-world.ts';

/** The PersistentVolume of a claim, once it is bound, and the disk behind it. */
export const provisioned = async (story: Story, claim: string): Promise<{ volume: string; disk: string }> => {
  await story.bound(claim);
  const { metadata, spec } = await story.volumeOf(claim);
  return { volume: metadata.name ?? '', disk: spec.csi?.volumeHandle ?? '' };
};

/** A new claim whose disk is attached to a node. */
export const attachedClaim = async (
  story: Story,
  { claim, attachment, node }: { readonly claim: string; readonly attachment: string; readonly node: number },
): Promise<{ volume: string; disk: string }> => {
  await story.claim(claim);
  const made = await provisioned(story, claim);
  await story.attachment(attachment, made.volume, node);
  await story.attached(attachment);
  return made;
};

/** Name of the VM that has a disk; undefined if none. */
export const vmWith = ({ sim }: Story, disk: string): string | undefined => {
  const vm = sim.volumes.get(disk)?.attachedTo?.vm.value;
  return vm === undefined ? undefined : String(sim.control.read(vm, 'name'));
};

/** A Node goes, and another VM joins under its name: what the kubelet of the new one writes. */
export const replaceNode = async (
  { client }: Story,
  { node, uuid }: { readonly node: number; readonly uuid: string },
): Promise<void> => {
  const name = `node-${node}`;
  await client.delete(csiNodes, { name });
  await client.delete(nodes, { name });
  await client.create(nodes, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    spec: { providerID: `vsphere://${uuid}` },
  });
  await client.create(csiNodes, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name },
    spec: { drivers: [{ name: 'csi.vsphere.vmware.com', nodeID: uuid }] },
  });
};
