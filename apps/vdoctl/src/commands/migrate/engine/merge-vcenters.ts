import type { VSphereDriversSpecInput } from '@vdo/config/api/vsphere-drivers';
import type { Account } from '@vdo/config/credentials';
import type { WantedAccount } from './account-steps.ts';

/** One vCenter, as configured in one of the previous drivers. */
export interface VCenterUse {
  readonly server: string;
  /** Default 443. */
  readonly port?: number;
  readonly thumbprints: readonly string[];
  readonly caBundle?: string;
  readonly insecure: boolean;
  /** Empty: all. */
  readonly datacenters: readonly string[];
  readonly migrationDatastoreUrl?: string;
}

type VCenterInput = VSphereDriversSpecInput['vcenters'][number];

const sameText = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();
const unique = (texts: readonly string[]): string[] =>
  texts.filter((text, index) => texts.findIndex((other) => sameText(other, text)) === index);

/** The strictest trust setting: a fingerprint or a CA, if one of the drivers has one. */
const trustOf = (uses: readonly VCenterUse[]): VCenterInput['tls'] => {
  const thumbprints = unique(uses.flatMap((use) => use.thumbprints));
  if (thumbprints.length > 0) return { thumbprints };
  const caBundle = uses.find((use) => use.caBundle !== undefined)?.caBundle;
  if (caBundle !== undefined) return { caBundle };
  return uses.some(({ insecure }) => insecure) ? { insecure: true } : undefined;
};

const merged = (uses: readonly VCenterUse[], credentialsSecret: string): VCenterInput => {
  const tls = trustOf(uses);
  const port = uses.find((use) => (use.port ?? 443) !== 443)?.port;
  const everywhere = uses.some(({ datacenters }) => datacenters.length === 0);
  const datacenters = everywhere ? [] : [...new Set(uses.flatMap((use) => use.datacenters))];
  const migrationDatastoreUrl = uses.find((use) => use.migrationDatastoreUrl)?.migrationDatastoreUrl;
  return {
    server: uses[0]?.server ?? '',
    ...(port === undefined ? {} : { port }),
    credentialsSecret,
    ...(tls ? { tls } : {}),
    ...(datacenters.length > 0 ? { datacenters } : {}),
    ...(migrationDatastoreUrl === undefined ? {} : { migrationDatastoreUrl }),
  };
};

/** One entry per server, from all drivers. Pure. */
export const mergeVCenters = (
  uses: readonly VCenterUse[],
  credentialsSecret: string,
): VSphereDriversSpecInput['vcenters'] =>
  unique(uses.map(({ server }) => server)).map((server) =>
    merged(
      uses.filter((use) => sameText(use.server, server)),
      credentialsSecret,
    ),
  );

export interface DriverAccounts {
  readonly cpi: ReadonlyMap<string, Account>;
  readonly csi: ReadonlyMap<string, Account>;
}

const accountIn = (accounts: ReadonlyMap<string, Account>, server: string): Account | undefined =>
  [...accounts].find(([known]) => sameText(known, server))?.[1];

const isSame = (left: Account, right: Account): boolean =>
  sameText(left.username, right.username) && left.password === right.password;

/** vCenters to which the two drivers log in with different accounts. */
export const splitServers = (servers: readonly string[], { cpi, csi }: DriverAccounts): readonly string[] =>
  servers.filter((server) => {
    const [ofCpi, ofCsi] = [accountIn(cpi, server), accountIn(csi, server)];
    return ofCpi !== undefined && ofCsi !== undefined && !isSame(ofCpi, ofCsi);
  });

/** The Secret for the cloud controller manager's own account, if it has one. */
const cpiSecretOf = (secretName: string): string => `${secretName}-cpi`;

/** The fields of the resource for the account of the cloud controller manager. */
export const cpiAccount = (secretName: string, split: readonly string[]): { readonly credentialsSecret?: string } =>
  split.length > 0 ? { credentialsSecret: cpiSecretOf(secretName) } : {};

/** Describes what happens with two accounts. */
export const splitNotes = (secretName: string, split: readonly string[]): readonly string[] =>
  split.map(
    (server) =>
      `vCenter ${server}: the drivers use two accounts and keep them. The account of the cloud controller manager is stored in Secret ${cpiSecretOf(secretName)}`,
  );

/** Two accounts stay two accounts: the vCenter entry has the one of the storage driver, the cloud controller manager its own. */
export const wantedAccounts = (
  { vcenters, cpi }: VSphereDriversSpecInput,
  accounts: DriverAccounts,
  source: string,
): readonly WantedAccount[] => {
  const own = cpi?.credentialsSecret;
  return [
    ...vcenters.map(({ server, credentialsSecret: secretName }) => ({
      secretName,
      server,
      account: accountIn(accounts.csi, server) ?? accountIn(accounts.cpi, server),
      source,
    })),
    ...(own === undefined
      ? []
      : vcenters.map(({ server }) => ({
          secretName: own,
          server,
          account: accountIn(accounts.cpi, server) ?? accountIn(accounts.csi, server),
          source,
        }))),
  ];
};
