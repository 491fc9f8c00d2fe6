import { VdoError } from '@vdo/base/vdo-error';
import type { DriverConfig, AddressRules as SideConfig } from '@vdo/config/driver-config';
import { vcenterId } from '@vdo/program/vcenter-id';
import type { AddressRules, AddressSide } from '../decisions/discover-addresses.ts';
import { type Cidr, parseCidr } from '../decisions/ip.ts';

const cidrOf = (text: string): Cidr => {
  const cidr = parseCidr(text);
  if (cidr) return cidr;
  throw new VdoError({
    code: 'ConfigInvalid',
    message: `${JSON.stringify(text)} in section nodes of vsphere.conf is not a subnet`,
    remedy: 'Write subnets as 10.0.0.0/8 or fd00::/64.',
  });
};

const sideOf = (config: SideConfig): AddressSide => ({
  subnets: config.subnets.map(cidrOf),
  excludedSubnets: config.exclude.map(cidrOf),
  networkName: config.network,
});

/** Address rules by vCenter ID. IP families are set per vCenter; subnets and network names apply to all. */
export const addressRulesOf = (config: DriverConfig): ReadonlyMap<string, AddressRules> => {
  const [internal, external] = [sideOf(config.nodes.internal), sideOf(config.nodes.external)];
  return new Map(
    config.vcenters.map((vcenter) => [vcenterId(vcenter), { families: vcenter.ipFamilies, internal, external }]),
  );
};
