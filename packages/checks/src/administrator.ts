import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import type { VCenterFacts } from './facts/vcenter-facts.ts';
import type { ClusterFacts } from './facts.ts';

/** The account that every vCenter has. Replace it if you use another one; vdoctl asks for its password. */
export const administrator = 'administrator@vsphere.local';

/** Quotes any text as one shell word. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const asAdministrator = `--user ${administrator} --yes`;

/** The drivers that use this account for themselves; none if it is the account of the vCenter. */
const driversOf = ({ spec: { credentialsSecret } }: VCenterFacts, { spec, accounts = [] }: ClusterFacts) =>
  accounts.some((one) => one.spec.credentialsSecret === credentialsSecret)
    ? (['cpi', 'csi'] as const).filter((driver) => spec[driver]?.credentialsSecret === credentialsSecret)
    : [];

/** Gives the account the privileges that the drivers need. Other programs may share it, so its other privileges stay. */
export const applyUser = (facts: VCenterFacts, cluster: ClusterFacts, username: string): readonly string[] => {
  const command = `vdoctl vsphere user apply ${quoted(username)} --server ${facts.spec.server}`;
  const drivers = driversOf(facts, cluster);
  const named = drivers.length === 0 ? [command] : drivers.map((driver) => `${command} --driver ${driver}`);
  return named.map((one) => `${one} --no-prune ${asAdministrator}`);
};

/** Connection flags for commands that do not read the resource; undefined if the certificate is only in the resource. */
const accessOf = ({ server, port, tls }: VCenterSpec): string | undefined => {
  const [thumbprint] = tls.thumbprints;
  if (tls.caBundle !== undefined) return undefined;
  const trust = thumbprint === undefined ? (tls.insecure ? ' --insecure' : '') : ` --thumbprint ${thumbprint}`;
  return `--server ${server}${port === 443 ? '' : ` --port ${port}`}${trust}`;
};

/** Gives the account a new password, in vCenter and in its Secret. */
export const rotateUser = (facts: VCenterFacts, cluster: ClusterFacts, username: string): readonly string[] => {
  const command = `vdoctl vsphere user rotate ${quoted(username)}`;
  const { spec } = facts;
  if (driversOf(facts, cluster).length === 0) return [`${command} --server ${spec.server} ${asAdministrator}`];
  const access = accessOf(spec);
  return access === undefined ? [] : [`${command} --secret ${spec.credentialsSecret} ${access} ${asAdministrator}`];
};
