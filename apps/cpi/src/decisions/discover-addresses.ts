import { VdoError } from '@vdo/base/vdo-error';
import type { NodeAddress } from '@vdo/kube/types/core';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import { type AddressCandidate, type AddressHints, addressCandidates, realNics } from './address-candidates.ts';
import { type Cidr, cidrContains, type IpFamily } from './ip.ts';

/** How the internal or the external address is chosen. */
export interface AddressSide {
  /** In order of preference. */
  readonly subnets: readonly Cidr[];
  readonly excludedSubnets: readonly Cidr[];
  /** Compared case-insensitively. */
  readonly networkName: string | undefined;
}

export interface AddressRules {
  /** Each listed family must be found. */
  readonly families: readonly IpFamily[];
  readonly internal: AddressSide;
  readonly external: AddressSide;
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const allowed = (candidates: readonly AddressCandidate[], side: AddressSide): readonly AddressCandidate[] =>
  candidates.filter(({ ip }) => !side.excludedSubnets.some((subnet) => cidrContains(subnet, ip)));

const bySubnet = (candidates: readonly AddressCandidate[], side: AddressSide): AddressCandidate | undefined => {
  for (const subnet of side.subnets) {
    const match = candidates.find(({ ip }) => cidrContains(subnet, ip));
    if (match) return match;
  }
  return undefined;
};

const byNetworkName = (candidates: readonly AddressCandidate[], side: AddressSide): AddressCandidate | undefined => {
  const { networkName } = side;
  return networkName === undefined ? undefined : candidates.find(({ network }) => sameName(network, networkName));
};

const chooseFamily = (candidates: readonly AddressCandidate[], family: IpFamily, rules: AddressRules) => {
  const ofFamily = candidates.filter(({ ip }) => ip.family === family);
  const internals = allowed(ofFamily, rules.internal);
  const externals = allowed(ofFamily, rules.external);
  const internal = bySubnet(internals, rules.internal) ?? byNetworkName(internals, rules.internal);
  const external = bySubnet(externals, rules.external) ?? byNetworkName(externals, rules.external);
  // The first address is used only if no rule found any address. If only one of the two was found, the other stays empty.
  return internal || external ? { internal, external } : { internal: internals[0], external: externals[0] };
};

const reportOf = (vm: VmFacts): string => {
  if (vm.powerState !== 'poweredOn') return `the VM is ${vm.powerState}`;
  if (!vm.toolsRunning) return 'VMware Tools is not running in the guest';
  if (vm.nics.length === 0) return 'VMware Tools is running but reports no network yet';
  const nics = vm.nics.map(
    (nic) =>
      `${nic.network || 'no network'}${nic.deviceConfigId === -1 ? ' (in the guest only)' : ''}: ${nic.ips.join(', ') || 'none'}`,
  );
  return `VMware Tools reports ${nics.join('; ')}`;
};

const noAddresses = (vm: VmFacts, what: string): VdoError =>
  new VdoError({
    code: 'NodeNoAddresses',
    message: `VM ${vm.name} on ${vm.server} has no usable ${what}: ${reportOf(vm)}`,
    remedy: vm.toolsRunning
      ? 'Wait for DHCP, or compare the addresses with the subnets, exclusions and network names in section nodes and with ipFamily in vsphere.conf.'
      : 'Install and start open-vm-tools in the guest: systemctl enable --now open-vm-tools (or vmtoolsd).',
    details: { server: vm.server, vm: vm.name, toolsRunning: vm.toolsRunning },
  });

const assertNetworkNames = (vm: VmFacts, rules: AddressRules): void => {
  const wanted = [rules.internal.networkName, rules.external.networkName];
  if (wanted.includes(undefined)) return;
  const present = realNics(vm.nics).some((nic) =>
    wanted.some((name) => name !== undefined && sameName(nic.network, name)),
  );
  if (!present) throw noAddresses(vm, `address on the networks ${wanted.join(' and ')}`);
};

/**
 * The internal and external address of each IP family, as configured: exclusions first, then the first matching subnet, then
 * the network name. If these rules find neither address, the first address is used for both.
 * Throws VdoError NodeNoAddresses if a family has no address.
 */
export const discoverAddresses = (vm: VmFacts, rules: AddressRules, hints: AddressHints): readonly NodeAddress[] => {
  assertNetworkNames(vm, rules);
  const candidates = addressCandidates(vm.nics, hints);
  return rules.families.flatMap((family) => {
    const { internal, external } = chooseFamily(candidates, family, rules);
    if (!internal && !external) throw noAddresses(vm, `${family === 'ipv4' ? 'IPv4' : 'IPv6'} address`);
    return [
      ...(internal ? [{ type: 'InternalIP' as const, address: internal.ip.text }] : []),
      ...(external ? [{ type: 'ExternalIP' as const, address: external.ip.text }] : []),
    ];
  });
};
