import { driverName } from '@vdo/csi/driver';
import { events, type Node, nodes } from '@vdo/kube/types/core';
import { csiNodes } from '@vdo/kube/types/storage';
import type { World } from '../world.ts';

const uuidOf = ({ spec, status }: Node): string =>
  spec.providerID?.replace('vsphere://', '') ?? status?.nodeInfo?.systemUUID ?? '';

/** Hears of every Node that goes: none may whose VM exists, unless a user deletes it. */
export const watchNodes = (world: World): readonly string[] => {
  const violations: string[] = [];
  world.kubeSim().store.onChange(({ type, bucket, object }) => {
    if (type !== 'DELETED' || bucket !== '/nodes') return;
    const node = object as unknown as Node;
    // Users delete the CSINode first.
    const isByUser = !world.list(csiNodes).some(({ metadata }) => metadata.name === node.metadata.name);
    if (!isByUser && world.hasVm(uuidOf(node)))
      violations.push(`Node lost: ${node.metadata.name} was deleted while its VM exists`);
  });
  return violations;
};

/** At rest each Node is that of its VM, and Nodes without one are gone. */
export const nodeProblems = (world: World): readonly string[] => [
  ...world.list(nodes).flatMap((node) => {
    const { name = '' } = node.metadata;
    const isListed = (reason: string) =>
      world.list(events).some((event) => event.involvedObject.name === name && event.reason === reason);
    // A deletion whose reply was lost counts against the hourly number.
    const isPaused = isListed('NodeDeletionPaused');
    // A VM that went before it was ever found is not proven gone: vCenter hides what may not be read. A person is told, and decides.
    const isUnknown = node.spec.providerID === undefined && isListed('NodeVmNotFound');
    if (world.scaledDown.has(name)) return isPaused || isUnknown ? [] : [`Node left: ${name}, whose VM is gone`];
    const csiNode = world.list(csiNodes).find(({ metadata }) => metadata.name === name);
    const uuid = csiNode?.spec.drivers?.find((driver) => driver.name === driverName)?.nodeID;
    const isKnown = node.spec.providerID === `vsphere://${uuid}` && (node.status?.addresses ?? []).length > 0;
    const isTainted = node.spec.taints?.some(({ key }) => key.endsWith('/uninitialized')) ?? false;
    return isKnown && !isTainted
      ? []
      : [`Node not initialized: ${name} has ${node.spec.providerID}, its VM is ${uuid}`];
  }),
];
