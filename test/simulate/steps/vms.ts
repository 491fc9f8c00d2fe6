import { driverName } from '@vdo/csi/driver';
import { nodes } from '@vdo/kube/types/core';
import { csiNodes } from '@vdo/kube/types/storage';
import { nodeNames, replicaVm, vmNames } from '../machines.ts';
import { registerNode } from '../set-up-cluster.ts';
import { detachNow } from './attachments.ts';
import { type Happening, pick, type StepContext, upTo } from './step.ts';

/** The VM behind a node now. */
const vmOf = ({ world }: StepContext, node: string): { readonly uuid: string; readonly vm: string } | undefined => {
  const csiNode = world.list(csiNodes).find(({ metadata }) => metadata.name === node);
  const uuid = csiNode?.spec.drivers?.find(({ name }) => name === driverName)?.nodeID ?? '';
  const vm = vmNames.get(uuid);
  return vm === undefined ? undefined : { uuid, vm };
};

/** Taken out of the inventory and registered again: the VM has another reference. */
export const registerAnew: Happening = (context) => {
  const { world, dice } = context;
  const node = pick(nodeNames, dice[0]) ?? '';
  const { vm } = vmOf(context, node) ?? {};
  if (vm === undefined) return undefined;
  world.sim.control.registerAnew(vm);
  world.forgetVms();
  world.coverage.note('new reference', 'VM');
  return `${vm} is registered anew`;
};

/** A replica of the VM, powered off, shows its UUID for a while. */
export const duplicateUuid: Happening = (context) => {
  const { world, dice, heal } = context;
  const { uuid, vm } = vmOf(context, pick(nodeNames, dice[0]) ?? '') ?? {};
  if (vm === undefined) return undefined;
  const { read, write } = world.sim.control;
  const own = '42120000-0000-4000-8000-0000000000ff';
  if (read(replicaVm, 'config.uuid') !== own) return undefined;
  write(replicaVm, { 'config.uuid': uuid });
  const mend = () => write(replicaVm, { 'config.uuid': own });
  const ms = 1_000 * upTo(120, dice[1]);
  const cancel = world.clock.schedule(mend, ms);
  heal(() => {
    cancel();
    mend();
  });
  world.coverage.note('duplicate UUID', 'VM');
  return `a replica of ${vm} has its UUID for ${ms / 1000} s`;
};

/** A Node goes, with what was attached to it, and another VM joins under its name. */
export const replaceNode: Happening = async (context) => {
  const { world, truth, dice } = context;
  const name = pick(nodeNames, dice[0]) ?? '';
  const taken = new Set(nodeNames.map((node) => vmOf(context, node)?.uuid));
  const uuid = pick(
    [...vmNames.keys()].filter((one) => !taken.has(one)),
    dice[1],
  );
  const before = vmOf(context, name);
  if (uuid === undefined || !before) return undefined;
  if (dice[2] < 0.5) world.sim.control.powerOff(before.vm);
  world.sim.control.powerOn(vmNames.get(uuid) ?? '');
  await world.client.delete(csiNodes, { name });
  await world.client.delete(nodes, { name });
  for (const attachment of truth.attachments().filter(({ node }) => node === name))
    await detachNow(context, attachment);
  const spec = { providerID: `vsphere://${uuid}` };
  await world.client.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec });
  await registerNode(world.client, name, uuid);
  world.coverage.note('node replaced', 'VM');
  return `${name} is ${vmNames.get(uuid)} instead of ${before.vm} now`;
};
