import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@vdo/base/clock';
import type { TlsOptions } from '@vdo/base/http-client';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import type { DriverConfig, TlsConfig } from '@vdo/config/driver-config';
import type { KubeClient } from '@vdo/kube/client';
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

const tlsOf = async ({ thumbprints, caFile, insecure }: TlsConfig): Promise<TlsOptions> => {
  if (caFile === undefined) return { thumbprints, insecure };
  const caBundle = await readFile(caFile, 'utf8').catch((cause) => {
    throw new VdoError({
      code: 'ConfigMissing',
      message: `cannot read the CA file ${caFile}: ${cause instanceof Error ? cause.message : String(cause)}`,
      remedy: 'Mount the file, correct caFile in the configuration, or use a thumbprint.',
      cause,
    });
  });
  return { thumbprints, insecure, caBundle };
};

/** The vCenters of a configuration. No connection is made before it is needed. */
export const connectVCenters = async (config: DriverConfig, deps: ConnectVCentersDeps): Promise<VCenters> => {
  const accounts = new Map<string, CredentialsSource>();
  const vcenters = await Promise.all(
    config.vcenters.map(async (one) => {
      const credentials = createCredentialsSource(one, { kube: deps.kube, readFolder });
      accounts.set(one.server, credentials);
      const { server, port } = one;
      const userAgent = `vsphere-csi/${deps.version}`;
      return createVCenter({ ...deps, server, port, credentials, tls: await tlsOf(one.tls), userAgent });
    }),
  );
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
