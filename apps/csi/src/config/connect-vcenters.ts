import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@vdo/base/clock';
import type { TlsOptions } from '@vdo/base/http-client';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import type { TlsConfig } from '@vdo/config/driver-config';
import type { KubeClient } from '@vdo/kube/client';
import type { LoadedConfig } from '@vdo/program/config-source';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import type { LoginGuard } from '@vdo/vsphere/session/login-guard';
import type { CredentialsSource } from '@vdo/vsphere/vcenter';
import { createVersionedCache } from '../placement/versioned-cache.ts';
import type { CsiVCenter } from '../volumes/csi-vcenter.ts';
import { createCredentialsSource } from './credentials-source.ts';

export interface ConnectVCentersDeps {
  readonly version: string;
  readonly kube: Pick<KubeClient, 'find'>;
  readonly loginGuard: LoginGuard;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface VCenters {
  readonly vcenters: readonly CsiVCenter[];
  readonly userOf: (server: string, options: { readonly signal: AbortSignal }) => Promise<string>;
  /** Logs out everywhere. */
  close(): Promise<void>;
}

// A mounted Secret also has a folder of its own that the plain names link to.
const readFolder = async (path: string): Promise<Readonly<Record<string, string>> | undefined> => {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
  const files = entries?.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'));
  if (!files) return undefined;
  const contents = await Promise.all(
    files.map(async ({ name }) => [name, await readFile(join(path, name), 'utf8').catch(() => '')] as const),
  );
  return Object.fromEntries(contents);
};

const tlsOf = ({ thumbprints, caFile, insecure }: TlsConfig, caBundles: LoadedConfig['caBundles']): TlsOptions => {
  const caBundle = caBundles.get(caFile ?? '');
  return { thumbprints, insecure, ...(caBundle === undefined ? {} : { caBundle }) };
};

/** The vCenters of a configuration. No connection is made before it is needed. */
export const connectVCenters = ({ config, caBundles }: LoadedConfig, deps: ConnectVCentersDeps): VCenters => {
  const accounts = new Map<string, CredentialsSource>();
  const vcenters = config.vcenters.map((one) => {
    const credentials = createCredentialsSource(one, { kube: deps.kube, readFolder });
    accounts.set(one.server, credentials);
    const { server, port } = one;
    const userAgent = `vsphere-csi/${deps.version}`;
    return createVCenter({ ...deps, server, port, credentials, tls: tlsOf(one.tls, caBundles), userAgent });
  });
  // Every new volume names the user; reading the Secret each time would cost more than creating the volume.
  const users = createVersionedCache<string>({ clock: deps.clock, maxAgeMs: 60_000 });
  return {
    vcenters,
    userOf: (server, options) =>
      users.get(server, '', async () => (await accounts.get(server)?.(options))?.username ?? ''),
    close: async () => {
      await Promise.allSettled(vcenters.map((vcenter) => vcenter.close()));
    },
  };
};
