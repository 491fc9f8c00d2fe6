import type { VCenterSpec } from './api/vcenter-spec.ts';
import type { VSphereDriversSpec } from './api/vsphere-drivers.ts';

type Driver = 'cpi' | 'csi';
type Accounts = {
  readonly vcenters: VSphereDriversSpec['vcenters'];
  readonly cpi?: { readonly credentialsSecret?: string | undefined } | undefined;
  readonly csi?: { readonly credentialsSecret?: string | undefined } | undefined;
};

const drivers: readonly Driver[] = ['cpi', 'csi'];

/** A vCenter as a driver logs in to it: with the Secret of the driver, if it has one, or else with that of the vCenter. */
export const vcenterFor = (spec: Pick<Accounts, Driver>, vcenter: VCenterSpec, driver: Driver): VCenterSpec => ({
  ...vcenter,
  credentialsSecret: spec[driver]?.credentialsSecret ?? vcenter.credentialsSecret,
});

/** Whether a driver logs in to a vCenter with another account than the operator. */
export const hasOwnAccount = (spec: Accounts, driver: Driver): boolean =>
  spec.vcenters.some((vcenter) => vcenterFor(spec, vcenter, driver).credentialsSecret !== vcenter.credentialsSecret);

export interface OwnAccount {
  /** With the Secret of the account. */
  readonly vcenter: VCenterSpec;
  /** The drivers that log in with it. */
  readonly drivers: readonly Driver[];
}

/** The accounts that drivers have in addition to those of the vCenters, each once. */
export const ownAccounts = (spec: Accounts): readonly OwnAccount[] =>
  spec.vcenters.flatMap((vcenter) => {
    const secretOf = (driver: Driver) => vcenterFor(spec, vcenter, driver).credentialsSecret;
    const secrets = new Set(drivers.map(secretOf).filter((secret) => secret !== vcenter.credentialsSecret));
    return [...secrets].map((credentialsSecret) => ({
      vcenter: { ...vcenter, credentialsSecret },
      drivers: drivers.filter((driver) => secretOf(driver) === credentialsSecret),
    }));
  });

/** Every Secret from which a program reads an account. */
export const accountSecrets = (spec: Accounts): readonly string[] => [
  ...new Set([
    ...spec.vcenters.map(({ credentialsSecret }) => credentialsSecret),
    ...ownAccounts(spec).map(({ vcenter }) => vcenter.credentialsSecret),
  ]),
];
