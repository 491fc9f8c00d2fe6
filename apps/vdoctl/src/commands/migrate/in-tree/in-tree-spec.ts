import type { VSphereDriversSpecInput } from '@vdo/config/api/vsphere-drivers';
import type { AddressRules, DriverConfig, VCenterConfig } from '@vdo/config/driver-config';

export interface InTreeInput {
  readonly config: DriverConfig;
  readonly distribution: 'Native' | 'Upstream';
  /** Secret for the accounts, in the operator's namespace. */
  readonly secretName: string;
  /** Server → CA certificates of the file. */
  readonly caBundles: ReadonlyMap<string, string>;
  /** Server → URL of the datastore for volumes whose class names none. */
  readonly datastoreUrls: ReadonlyMap<string, string>;
}

export interface InTreeSpec {
  readonly spec: VSphereDriversSpecInput;
  /** Settings of the file that the resource does not have, and what that means. */
  readonly notes: readonly string[];
}

const isWorkspace = ({ server }: VCenterConfig, { inTree, vcenters }: DriverConfig): boolean =>
  (inTree?.workspace?.server ?? vcenters[0]?.server ?? '').toLowerCase() === server.toLowerCase();

const vcenterOf = (vcenter: VCenterConfig, input: InTreeInput): VSphereDriversSpecInput['vcenters'][number] => {
  const { server, port, tls, datacenters } = vcenter;
  const { config, caBundles, datastoreUrls, secretName } = input;
  const workspace = isWorkspace(vcenter, config) ? config.inTree?.workspace?.datacenter : undefined;
  // Disks were created in the datacenter of the workspace, even if no node VM is searched there.
  const all =
    datacenters.length === 0 || workspace === undefined ? datacenters : [...new Set([...datacenters, workspace])];
  const caBundle = caBundles.get(server);
  const datastoreUrl = datastoreUrls.get(server);
  const trust = {
    ...(tls.thumbprints.length > 0 ? { thumbprints: [...tls.thumbprints] } : {}),
    ...(caBundle === undefined ? {} : { caBundle }),
    ...(tls.insecure ? { insecure: true } : {}),
  };
  return {
    server,
    ...(port === 443 ? {} : { port }),
    credentialsSecret: secretName,
    ...(Object.keys(trust).length === 0 ? {} : { tls: trust }),
    ...(all.length === 0 ? (workspace === undefined ? {} : { datacenters: [workspace] }) : { datacenters: [...all] }),
    ...(datastoreUrl === undefined ? {} : { migrationDatastoreUrl: datastoreUrl }),
  };
};

type Side = NonNullable<NonNullable<NonNullable<VSphereDriversSpecInput['cpi']>['addresses']>['internal']>;

const sideOf = ({ subnets, network, exclude }: AddressRules, publicNetwork: string | undefined): Side => {
  // The in-tree provider took both addresses of a node from its public network.
  const name = network ?? (subnets.length > 0 ? undefined : publicNetwork);
  return {
    ...(subnets.length > 0 ? { subnets: [...subnets] } : {}),
    ...(name === undefined ? {} : { network: name }),
    ...(exclude.length > 0 ? { exclude: [...exclude] } : {}),
  };
};

const addressesOf = ({ nodes, inTree }: DriverConfig): NonNullable<VSphereDriversSpecInput['cpi']> => {
  const internal = sideOf(nodes.internal, inTree?.publicNetwork);
  const external = sideOf(nodes.external, inTree?.publicNetwork);
  const sides = {
    ...(Object.keys(internal).length > 0 ? { internal } : {}),
    ...(Object.keys(external).length > 0 ? { external } : {}),
  };
  return Object.keys(sides).length > 0 ? { addresses: sides } : {};
};

const notesOf = ({ config, datastoreUrls }: InTreeInput): readonly string[] => {
  const { workspace, scsiControllerType, global } = config.inTree ?? {};
  const datastore = workspace?.defaultDatastore ?? global?.datastore;
  return [
    ...(scsiControllerType === undefined || scsiControllerType === 'pvscsi'
      ? []
      : [
          `[Disk] scsicontrollertype ${scsiControllerType}: not supported, disks will be attached to paravirtual SCSI controllers`,
        ]),
    ...(datastore === undefined || datastoreUrls.size > 0
      ? []
      : [
          `default datastore ${datastore}: its URL was not found. If a StorageClass of the in-tree provider has no datastore, set migrationDatastoreUrl for its vCenter`,
        ]),
    ...(workspace?.folder === undefined
      ? []
      : [`[Workspace] folder ${workspace.folder}: not used, vCenter chooses the folder of new disks`]),
    ...(workspace?.resourcePoolPath === undefined
      ? []
      : [`[Workspace] resourcepool-path ${workspace.resourcePoolPath}: not used, helper VMs are no longer needed`]),
  ];
};

/** The resource for a configuration file of the in-tree provider. */
export const specOfInTree = (input: InTreeInput): InTreeSpec => {
  const { config, distribution } = input;
  const { region, zone } = config.labels;
  return {
    spec: {
      distribution,
      vcenters: config.vcenters.map((vcenter) => vcenterOf(vcenter, input)),
      cpi: addressesOf(config),
      csi: { inTreeMigration: true },
      ...(region === undefined && zone === undefined
        ? {}
        : { topology: { ...(region === undefined ? {} : { region }), ...(zone === undefined ? {} : { zone }) } }),
    },
    notes: notesOf(input),
  };
};
