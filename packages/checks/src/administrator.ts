import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import type { VCenterFacts } from './facts/vcenter-facts.ts';
import type { ClusterFacts } from './facts.ts';

/** The account that every vCenter has. Whoever uses another one names it instead; vdoctl asks for its password. */
export const administrator = 'administrator@vsphere.local';

/** A word of a shell, whatever is in it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const asAdministrator = `--user ${administrator} --yes`;

/** The drivers that have this account for themselves; none if it is that of the vCenter. */
const driversOf = ({ spec: { credentialsSecret } }: VCenterFacts, { spec, accounts = [] }: ClusterFacts) =>
  accounts.some((one) => one.spec.credentialsSecret === credentialsSecret)
    ? (['cpi', 'csi'] as const).filter((driver) => spec[driver]?.credentialsSecret === credentialsSecret)
    : [];

/** Gives the account what the drivers need. Others may share it: what it has besides is left to it. */
export const applyUser = (facts: VCenterFacts, cluster: ClusterFacts, username: string): readonly string[] => {
  const command = `vdoctl vsphere user apply ${quoted(username)} --server ${facts.spec.server}`;
  const drivers = driversOf(facts, cluster);
  const named = drivers.length === 0 ? [command] : drivers.map((driver) => `${command} --driver ${driver}`);
  return named.map((one) => `${one} --no-prune ${asAdministrator}`);
};

/** How a command that does not read the resource reaches the vCenter; undefined if its certificate is only in the resource. */
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
