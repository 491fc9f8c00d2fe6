import type { Account } from '@vdo/config/credentials';
import { names } from '@vdo/config/names';
import type { Secret } from '@vdo/kube/types/core';
import { managedLabels } from './labels.ts';

export interface ServerAccount extends Account {
  readonly server: string;
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

// The key of a Secret cannot contain the colons of an IPv6 address.
const keysOf = ({ server, username, password }: ServerAccount, index: number): Readonly<Record<string, string>> =>
  /^[-._a-zA-Z0-9]+$/.test(server)
    ? { [`${server}.username`]: username, [`${server}.password`]: password }
    : { [`server_${index}`]: server, [`username_${index}`]: username, [`password_${index}`]: password };

/** The Secret that the drivers read: the accounts of all vCenters, copied from the Secrets in the spec. */
export const credentialsSecret = (
  accounts: readonly ServerAccount[],
  place: {
    readonly namespace: string;
    /** Default vsphere-credentials. */
    readonly name?: string;
    readonly labels?: Readonly<Record<string, string>>;
  },
): Secret => {
  const { namespace, name = names.credentialsSecret, labels = managedLabels } = place;
  const entries = accounts.flatMap((account, index) => Object.entries(keysOf(account, index)));
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels },
    type: 'Opaque',
    data: Object.fromEntries(entries.map(([key, value]) => [key, base64(value)])),
  };
};
