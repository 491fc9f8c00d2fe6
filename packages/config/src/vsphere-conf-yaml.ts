import {
  type AddressRules,
  type CsiConfig,
  type DriverConfig,
  defaultCsiConfig,
  defaultSoapRoundtripCount,
  type VCenterConfig,
} from './driver-config.ts';
import { credentialKeys } from './write/credential-keys.ts';
import { toGoYaml } from './write/go-yaml.ts';
import { prune, unlessDefault } from './write/prune.ts';

const joined = (items: readonly string[]): string | undefined => (items.length > 0 ? items.join(',') : undefined);

const vcenterYaml = ({ server, port, tls, datacenters, ...rest }: VCenterConfig): object => ({
  server,
  port,
  insecureFlag: tls.insecure || undefined,
  thumbprint: joined(tls.thumbprints),
  caFile: tls.caFile,
  datacenters,
  soapRoundtripCount: unlessDefault(rest.soapRoundtripCount, defaultSoapRoundtripCount),
  ipFamily: unlessDefault(rest.ipFamilies, ['ipv4']),
  migrationDatastoreUrl: rest.migrationDatastoreUrl,
});

const nodesYaml = (internal: AddressRules, external: AddressRules): object => ({
  internalNetworkSubnetCidr: joined(internal.subnets),
  externalNetworkSubnetCidr: joined(external.subnets),
  internalVmNetworkName: internal.network,
  externalVmNetworkName: external.network,
  excludeInternalNetworkSubnetCidr: joined(internal.exclude),
  excludeExternalNetworkSubnetCidr: joined(external.exclude),
});

const csiYaml = (csi: CsiConfig): object =>
  Object.fromEntries(
    Object.entries(csi).map(([key, value]) => [
      key,
      unlessDefault<unknown>(value, defaultCsiConfig[key as keyof CsiConfig]),
    ]),
  );

/**
 * Writes `vsphere.conf` in YAML: `global`, `vcenter`, `labels` and `nodes` as the Go cloud controller manager reads
 * them, and `csi` for settings of storage only. Accounts appear only if the configuration contains them inline.
 */
export const writeVsphereConfYaml = (config: DriverConfig): string => {
  const credentials = credentialKeys(config);
  const { inTree = {} } = config;
  const document = prune({
    global: { ...credentials.global, ...inTree.global },
    vcenter: Object.fromEntries(
      config.vcenters.map((vcenter) => [vcenter.name, { ...vcenterYaml(vcenter), ...credentials.of(vcenter) }]),
    ),
    labels: config.labels,
    nodes: nodesYaml(config.nodes.internal, config.nodes.external),
    csi: csiYaml(config.csi),
    // The Go program ignores sections that it does not know.
    workspace: inTree.workspace,
    disk: { scsiControllerType: inTree.scsiControllerType },
    network: { publicNetwork: inTree.publicNetwork },
  });
  return toGoYaml(document);
};
