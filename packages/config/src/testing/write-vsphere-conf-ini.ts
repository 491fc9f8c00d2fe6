import { type DriverConfig, defaultSoapRoundtripCount, type InTreeConfig } from '../driver-config.ts';
import { type IniBlock, type IniValue, writeIni } from '../ini/write-ini.ts';
import { type CredentialKeys, credentialKeys } from '../write/credential-keys.ts';
import { iniConnection, iniList } from '../write/ini-values.ts';
import { unlessDefault } from '../write/prune.ts';

const iniCredentials = (keys: CredentialKeys): Readonly<Record<string, IniValue>> => ({
  user: keys.user,
  password: keys.password,
  'secret-name': keys.secretName,
  'secret-namespace': keys.secretNamespace,
  'secrets-directory': keys.secretsDirectory,
});

/** The sections that exist only in the in-tree provider's file. */
const inTreeBlocks = ({ workspace, scsiControllerType, publicNetwork }: InTreeConfig): readonly IniBlock[] => [
  {
    name: 'Workspace',
    values: {
      server: workspace?.server,
      datacenter: workspace?.datacenter,
      folder: workspace?.folder,
      'default-datastore': workspace?.defaultDatastore,
      'resourcepool-path': workspace?.resourcePoolPath,
    },
  },
  { name: 'Disk', values: { scsicontrollertype: scsiControllerType } },
  { name: 'Network', values: { 'public-network': publicNetwork } },
];

const oldGlobal = ({ global }: InTreeConfig): Readonly<Record<string, IniValue>> => ({
  datastore: global?.datastore,
  'working-dir': global?.workingDir,
  'vm-uuid': global?.vmUuid,
  'vm-name': global?.vmName,
});

/** Writes `vsphere.conf` in INI, as the Go cloud controller manager reads it. Settings of storage only are left out. */
export const writeVsphereConfIni = (config: DriverConfig): string => {
  const credentials = credentialKeys(config);
  const { inTree = {} } = config;
  const { internal, external } = config.nodes;
  const vcenters = config.vcenters.map(
    (vcenter): IniBlock => ({
      name: 'VirtualCenter',
      subname: vcenter.name,
      values: {
        server: vcenter.server,
        ...iniConnection(vcenter),
        'soap-roundtrip-count': unlessDefault(vcenter.soapRoundtripCount, defaultSoapRoundtripCount),
        'ip-family': unlessDefault(vcenter.ipFamilies.join(','), 'ipv4'),
        ...iniCredentials(credentials.of(vcenter)),
      },
    }),
  );
  return writeIni([
    { name: 'Global', values: { ...iniCredentials(credentials.global), ...oldGlobal(inTree) } },
    ...vcenters,
    { name: 'Labels', values: { region: config.labels.region, zone: config.labels.zone } },
    {
      name: 'Nodes',
      values: {
        'internal-network-subnet-cidr': iniList(internal.subnets, 'subnet'),
        'external-network-subnet-cidr': iniList(external.subnets, 'subnet'),
        'internal-vm-network-name': internal.network,
        'external-vm-network-name': external.network,
        'exclude-internal-network-subnet-cidr': iniList(internal.exclude, 'subnet'),
        'exclude-external-network-subnet-cidr': iniList(external.exclude, 'subnet'),
      },
    },
    ...inTreeBlocks(inTree),
  ]);
};
