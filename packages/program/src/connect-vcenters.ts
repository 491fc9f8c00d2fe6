import { aborted } from '@vdo/base/async/aborted';
import { type Clock, deadline } from '@vdo/base/clock';
import type { VCenterConfig } from '@vdo/config/driver-config';
import { createVCenter, type FullVCenter, type VCenterOptions } from '@vdo/vsphere/create-vcenter';
import type { CredentialsSource } from '@vdo/vsphere/vcenter';
import type { LoadedConfig } from './config-source.ts';
import { type CredentialsSourceDeps, createCredentialsSource } from './credentials-source.ts';

export interface ConnectVCentersDeps
  extends CredentialsSourceDeps,
    Pick<Required<VCenterOptions>, 'loginGuard' | 'userAgent' | 'clock' | 'random' | 'logger' | 'metrics'> {
  /** The name in facts, logs and metrics. Default: the host. */
  readonly nameOf?: (config: VCenterConfig) => string;
  /** Default: over the network. Tests connect to a simulator here. */
  readonly connect?: (options: VCenterOptions) => FullVCenter;
}

export interface ConnectedVCenter {
  readonly config: VCenterConfig;
  readonly vcenter: FullVCenter;
  readonly credentials: CredentialsSource;
}

export interface ConnectedVCenters {
  /** In the order of the configuration. */
  readonly members: readonly ConnectedVCenter[];
  /** Logs out of all vCenters, and waits at most five seconds. */
  close(): Promise<void>;
}

const logoutTimeoutMs = 5_000;

const logOut = async (vcenters: readonly Pick<FullVCenter, 'close'>[], clock: Clock): Promise<void> => {
  const limit = deadline(clock, logoutTimeoutMs, { reason: () => new Error('logout took too long') });
  const timedOut = aborted(limit.signal);
  await Promise.race([Promise.allSettled(vcenters.map((vcenter) => vcenter.close())), timedOut]);
  limit.dispose();
};

/** The vCenters of a configuration. Connections are opened only when needed. */
export const connectVCenters = (
  { config, caBundles }: Pick<LoadedConfig, 'config' | 'caBundles'>,
  deps: ConnectVCentersDeps,
): ConnectedVCenters => {
  const { kube, readFolder, nameOf = ({ server }) => server, connect = createVCenter, ...common } = deps;
  const members = config.vcenters.map((one): ConnectedVCenter => {
    const credentials = createCredentialsSource(one, { kube, ...(readFolder ? { readFolder } : {}) });
    const { server, port } = one;
    const { thumbprints, insecure, caFile } = one.tls;
    const caBundle = caBundles.get(caFile ?? '');
    const tls = { thumbprints, insecure, ...(caBundle === undefined ? {} : { caBundle }) };
    return {
      config: one,
      credentials,
      vcenter: connect({ ...common, server, port, name: nameOf(one), credentials, tls }),
    };
  });
  return {
    members,
    close: () =>
      logOut(
        members.map(({ vcenter }) => vcenter),
        deps.clock,
      ),
  };
};
