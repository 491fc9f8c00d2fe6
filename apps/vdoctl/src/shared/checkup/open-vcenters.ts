import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { Account } from '@vdo/config/credentials';
import { ownAccounts } from '@vdo/config/driver-accounts';
import type { GatherDeps } from '@vdo/gather/gather-deps';
import { readCredentials } from '@vdo/gather/read-credentials';
import type { KubeClient } from '@vdo/kube/client';
import { createVCenter, type FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { CliContext } from '../../cli/context.ts';

export interface OpenVCenter {
  readonly spec: VCenterSpec;
  readonly vcenter: FullVCenter;
}

/** Opens the vCenters of a spec, with the accounts in their Secrets; passes them to `work` and logs out afterwards. */
export const withVCenters = async <T>(
  context: CliContext,
  input: {
    readonly kube: KubeClient;
    readonly namespace: string;
    readonly specs: readonly VCenterSpec[];
    /** Accounts that are not in a Secret yet. Default: none. */
    readonly accounts?: ReadonlyMap<string, Account>;
  },
  work: (vcenters: readonly OpenVCenter[]) => Promise<T>,
): Promise<T> => {
  const { clock, random, version } = context;
  const { kube, namespace } = input;
  const opened = input.specs.map((spec) => {
    const { thumbprints, caBundle, insecure } = spec.tls;
    const vcenter = createVCenter({
      server: spec.server,
      port: spec.port,
      tls: { thumbprints, insecure, ...(caBundle === undefined ? {} : { caBundle }) },
      credentials: async ({ signal }) => {
        const given = input.accounts?.get(spec.server);
        if (given) return { ...given, version: 'given' };
        return readCredentials(kube, spec, { namespace, ...(signal ? { signal } : {}) });
      },
      clock,
      random,
      logger: silentLogger,
      metrics: createMetrics(),
      userAgent: `vdoctl/${version}`,
    });
    return { spec, vcenter };
  });
  try {
    return await work(opened);
  } finally {
    await Promise.all(opened.map(({ vcenter }) => vcenter.close().catch(() => undefined)));
  }
};

/** The vCenters of a spec, and again with each separate account of a driver. */
export const withAccounts = <T>(
  context: CliContext,
  {
    kube,
    namespace,
    spec,
  }: { readonly kube: KubeClient; readonly namespace: string; readonly spec: VSphereDriversSpec },
  work: (opened: {
    readonly vcenters: readonly OpenVCenter[];
    readonly accounts: NonNullable<GatherDeps['accounts']>;
  }) => Promise<T>,
): Promise<T> => {
  const own = ownAccounts(spec);
  const specs = [...spec.vcenters, ...own.map(({ vcenter }) => vcenter)];
  return withVCenters(context, { kube, namespace, specs }, (opened) => {
    const vcenters = opened.slice(0, spec.vcenters.length);
    const accounts = opened
      .slice(vcenters.length)
      .map((one, index) => ({ ...one, drivers: own[index]?.drivers ?? [] }));
    return work({ vcenters, accounts });
  });
};
