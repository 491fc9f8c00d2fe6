import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import type { Account } from '@vdo/config/credentials';
import { readCredentials } from '@vdo/gather/read-credentials';
import type { KubeClient } from '@vdo/kube/client';
import type { CredentialsSource } from '@vdo/vsphere/session/credentials';
import type { LoginGuard } from '@vdo/vsphere/session/login-guard';

/** The account with which a client of a vCenter logs in. */
export interface Login {
  readonly credentials: CredentialsSource;
  readonly loginGuard: LoginGuard;
  /** The resourceVersion of the Secret that was last read for it; undefined before the first login. */
  readonly readVersion: () => string | undefined;
}

type Place = Pick<VCenterSpec, 'server' | 'credentialsSecret'>;

const keyOf = ({ server, credentialsSecret }: Place): string => `${server} ${credentialsSecret}`;

/**
 * Remembers which credentials a vCenter has accepted: those used for the login, by the resourceVersion of
 * their Secret. The Secret may hold another password by the time it is read again.
 */
export interface ProvenAccounts {
  loginOf(spec: VCenterSpec): Login;
  /** The account that the vCenter accepted last; undefined if this process has not logged in. */
  find(spec: Place): Account | undefined;
}

export const createProvenAccounts = (options: {
  readonly kube: KubeClient;
  readonly namespace: string;
  readonly guard: LoginGuard;
}): ProvenAccounts => {
  const { kube, namespace, guard } = options;
  const proven = new Map<string, Account>();
  return {
    loginOf: (spec) => {
      // SOAP and REST log in separately, and the Secret may change in between.
      const read = new Map<string, Account>();
      let last: string | undefined;
      return {
        readVersion: () => last,
        credentials: async ({ signal }) => {
          const credentials = await readCredentials(kube, spec, { namespace, ...(signal ? { signal } : {}) });
          const { username, password, version } = credentials;
          read.set(version, { username, password });
          last = version;
          return credentials;
        },
        loginGuard: {
          ...guard,
          accepted: async (server, credentials) => {
            const account = read.get(credentials.version);
            if (account) proven.set(keyOf(spec), account);
            for (const version of read.keys()) if (version !== credentials.version) read.delete(version);
            await guard.accepted(server, credentials);
          },
        },
      };
    },
    find: (spec) => proven.get(keyOf(spec)),
  };
};
