import { defineProperties, type PropertySet } from '../property/properties.ts';
import type { MoRef } from '../wire/moref.ts';
import { array, int, ref, string } from '../wire/schema.ts';
import { OptionValue } from '../wire/types/common.ts';
import { GuestNicInfo } from '../wire/types/guest.ts';
import type { GuestNic, VmFacts } from './node-inventory.ts';

/** All facts about a node's VM. */
export const vmProperties = defineProperties('VirtualMachine', {
  name: string,
  parent: ref,
  resourcePool: ref,
  'config.uuid': string,
  'config.instanceUuid': string,
  'config.guestId': string,
  'config.hardware.numCPU': int,
  'config.hardware.memoryMB': int,
  'config.extraConfig': array(OptionValue),
  'runtime.host': ref,
  'runtime.powerState': string,
  'guest.toolsRunningStatus': string,
  'guest.hostName': string,
  'guest.net': array(GuestNicInfo),
});

export type VmValues = typeof vmProperties extends PropertySet<infer V> ? V : never;

const toNic = (nic: NonNullable<VmValues['guest.net']>[number]): GuestNic => ({
  network: nic.network ?? '',
  mac: nic.macAddress ?? '',
  connected: nic.connected,
  deviceConfigId: nic.deviceConfigId,
  ips: nic.ipAddress,
});

const keptOption = /^guestinfo\.|^disk\.enableuuid$/i;

// The other hundreds of options per VM are not needed here and would use memory.
const toExtraConfig = (options: VmValues['config.extraConfig']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (options ?? []).flatMap(({ key, value }) =>
      value !== undefined && keptOption.test(key) ? [[key, String(value)]] : [],
    ),
  );

const toPowerState = (state: string | undefined): VmFacts['powerState'] =>
  state === 'poweredOff' || state === 'suspended' ? state : 'poweredOn';

/** Converts properties from vCenter to facts. Unset or hidden values become empty, 0 or undefined. */
export const toVmFacts = (server: string, vm: MoRef, values: VmValues): VmFacts => ({
  server,
  ref: vm,
  name: values.name ?? vm.value,
  uuid: values['config.uuid']?.toLowerCase() ?? '',
  instanceUuid: values['config.instanceUuid']?.toLowerCase() ?? '',
  powerState: toPowerState(values['runtime.powerState']),
  toolsRunning: values['guest.toolsRunningStatus'] === 'guestToolsRunning',
  hostName: values['guest.hostName'],
  nics: (values['guest.net'] ?? []).map(toNic),
  numCpu: values['config.hardware.numCPU'] ?? 0,
  memoryMb: values['config.hardware.memoryMB'] ?? 0,
  guestId: values['config.guestId'] ?? '',
  host: values['runtime.host'],
  folder: values.parent,
  resourcePool: values.resourcePool,
  extraConfig: toExtraConfig(values['config.extraConfig']),
});

/** Converts facts back to properties, so that changes from the watch can be merged with the known values. */
export const toVmValues = (facts: VmFacts): VmValues => ({
  name: facts.name,
  parent: facts.folder,
  resourcePool: facts.resourcePool,
  'config.uuid': facts.uuid,
  'config.instanceUuid': facts.instanceUuid,
  'config.guestId': facts.guestId,
  'config.hardware.numCPU': facts.numCpu,
  'config.hardware.memoryMB': facts.memoryMb,
  'config.extraConfig': Object.entries(facts.extraConfig).map(([key, value]) => ({ key, value })),
  'runtime.host': facts.host,
  'runtime.powerState': facts.powerState,
  'guest.toolsRunningStatus': facts.toolsRunning ? 'guestToolsRunning' : 'guestToolsNotRunning',
  'guest.hostName': facts.hostName,
  'guest.net': facts.nics.map(({ network, mac, connected, deviceConfigId, ips }) => ({
    network,
    macAddress: mac,
    connected,
    deviceConfigId,
    ipAddress: ips,
  })),
});
