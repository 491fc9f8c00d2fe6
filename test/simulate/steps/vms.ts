import { driverName } from '@vdo/csi/driver';
import { nodes } from '@vdo/kube/types/core';
import { csiNodes, volumeAttachments } from '@vdo/kube/types/storage';
import { nodeNames, replicaVm, vmNames } from '../machines.ts';
import { joinNode } from '../set-up-cluster.ts';
import { detachNow } from './attachments.ts';
import { type Happening, pick, type StepContext, upTo } from './step.ts';

/** Of the replica, when it shows none of a node. */
const ownUuid = '42120000-0000-4000-8000-0000000000ff';

/** The VM behind a node now. */
const vmOf = ({ world }: StepContext, node: string): { readonly uuid: string; readonly vm: string } | undefined => {
  const csiNode = world.list(csiNodes).find(({ metadata }) => metadata.name === node);
  const uuid = csiNode?.spec.drivers?.find(({ name }) => name === driverName)?.nodeID ?? '';
  const vm = vmNames.get(uuid);
  return vm === undefined ? undefined : { uuid, vm };
};

/** Taken out of the inventory and registered again: the VM has another reference. */
export const registerAgain: Happening = (context) => {
  const { world, dice } = context;
  const node = pick(nodeNames, dice[0]) ?? '';
  const { vm, uuid = '' } = vmOf(context, node) ?? {};
  if (vm === undefined || !world.hasVm(uuid)) return undefined;
  world.sim.control.registerAgain(vm);
  world.forgetVms();
  world.coverage.note('new reference', 'VM');
  return `${vm} is registered anew`;
};

/** A replica of the VM, powered off, shows its UUID for a while. */
export const duplicateUuid: Happening = (context) => {
  const { world, dice, heal } = context;
  const { uuid = '', vm } = vmOf(context, pick(nodeNames, dice[0]) ?? '') ?? {};
  if (vm === undefined || !world.hasVm(uuid)) return undefined;
  const { read, write } = world.sim.control;
  if (read(replicaVm, 'config.uuid') !== ownUuid) return undefined;
  write(replicaVm, { 'config.uuid': uuid });
  const repair = () => write(replicaVm, { 'config.uuid': ownUuid });
  const ms = 1_000 * upTo(120, dice[1]);
  const cancel = world.clock.schedule(repair, ms);
  heal(() => {
    cancel();
    repair();
  });
  world.coverage.note('duplicate UUID', 'VM');
  return `a replica of ${vm} has its UUID for ${ms / 1000} s`;
};

/** A Node goes, with what was attached to it, and another VM joins under its name. */
export const replaceNode: Happening = async (context) => {
  const { world, truth, dice } = context;
  const name = pick(nodeNames, dice[0]) ?? '';
  if (world.scaledDown.has(name)) return undefined;
  const taken = new Set(nodeNames.map((node) => vmOf(context, node)?.uuid));
  const uuid = pick(
    [...vmNames.keys()].filter((one) => !taken.has(one) && world.hasVm(one)),
    dice[1],
  );
  const before = vmOf(context, name);
  if (uuid === undefined || !before) return undefined;
  // From a VM that runs no disk is taken whose Node is not known any more.
  if (world.hasVm(before.uuid)) world.sim.control.powerOff(before.vm);
  world.sim.control.powerOn(vmNames.get(uuid) ?? '');
  await world.client.delete(csiNodes, { name });
  if (world.list(nodes).some(({ metadata }) => metadata.name === name)) await world.client.delete(nodes, { name });
  for (const attachment of truth.attachments().filter(({ node }) => node === name))
    await detachNow(context, attachment);
  await joinNode(world.client, name, uuid);
  world.coverage.note('node replaced', 'VM');
  return `${name} is ${vmNames.get(uuid)} instead of ${before.vm} now`;
};

/** A DHCP server gives the VM of a node another address. */
export const changeAddress: Happening = (context) => {
  const { world, dice } = context;
  const { vm, uuid = '' } = vmOf(context, pick(nodeNames, dice[0]) ?? '') ?? {};
  if (vm === undefined || !world.hasVm(uuid)) return undefined;
  const address = world.addresses.renew(vm);
  world.sim.control.setIps(vm, 0, [address]);
  world.coverage.note('new address', 'VM');
  return `${vm} has the address ${address} now`;
};

const setReady = ({ world }: StepContext, name: string, status: 'True' | 'Unknown') =>
  world.client.patch(
    nodes,
    { name },
    { type: 'merge', body: { status: { conditions: [{ type: 'Ready', status }] } } },
    { subresource: 'status' },
  );

/** A kubelet is not heard of for a while; its VM runs. */
export const silence: Happening = async (context) => {
  const { world, dice, heal } = context;
  const name = pick(world.list(nodes), dice[0])?.metadata.name;
  if (name === undefined) return undefined;
  const ms = 1_000 * upTo(180, dice[1]);
  const speak = () => {
    if (!world.scaledDown.has(name)) void setReady(context, name, 'True').catch(() => {});
  };
  const cancel = world.clock.schedule(speak, ms);
  heal(() => {
    cancel();
    speak();
  });
  await setReady(context, name, 'Unknown');
  return `the kubelet of ${name} is not heard of for ${ms / 1000} s`;
};

/** A node that nothing is attached to goes for good, with its VM. One in a life: the CPI deletes one Node an hour. */
export const scaleDown: Happening = async (context) => {
  const { world, dice } = context;
  const used = new Set(world.list(volumeAttachments).map(({ spec }) => spec.nodeName));
  const name = pick(
    nodeNames.filter((node) => !used.has(node)),
    dice[0],
  );
  const before = name === undefined ? undefined : vmOf(context, name);
  const isDuplicated = world.sim.control.read(replicaVm, 'config.uuid') !== ownUuid;
  if (name === undefined || !before || world.scaledDown.size > 0 || isDuplicated) return undefined;
  const isThere = world.list(nodes).some(({ metadata }) => metadata.name === name);
  const holds = world.sim.volumes
    .list()
    .some(({ attachedTo }) => attachedTo?.vm.value === world.vmWithUuid(before.uuid));
  if (!isThere || holds) return undefined;
  world.scaledDown.add(name);
  await setReady(context, name, 'Unknown');
  world.removeVm(before.vm);
  world.coverage.note('VM gone', 'VM');
  return `${name} goes, with its VM ${before.vm}`;
};
