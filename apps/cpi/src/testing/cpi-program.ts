import { silentLogger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import { leaseNames, names } from '@vdo/config/names';
import { readDriverConfig } from '@vdo/config/read-driver-config';
import type { LeaseTimes } from '@vdo/kube/create-leader-elector';
import type { ConfigSource } from '@vdo/program/config-source';
import { connectVCenters } from '@vdo/program/connect-vcenters';
import { vcenterId } from '@vdo/program/vcenter-id';
import type { ProgramParts } from '@vdo/sim-world/create-sim-world';
import { createLoginGuard } from '@vdo/vsphere/session/login-guard';
import { createCpi } from '../app.ts';
import type { DeletionRecord, DeletionStore } from '../lifecycle/deletion-budget.ts';

/** `vc.example.com` or `vc.example.com:8443`. */
const vcenterConf = (id: string): string => {
  const [server = '', port = '443'] = id.split(':');
  const name = id.replace(/\..*?(?=:|$)/, '').replace(':', '-');
  return `  ${name}:\n    server: ${server}\n    port: ${port}\n    secretName: ${names.credentialsSecret}\n    secretNamespace: ${names.namespace}\n`;
};

export const confFor = (...servers: readonly string[]): string =>
  `vcenter:\n${servers.map(vcenterConf).join('')}labels:\n  region: k8s-region\n  zone: k8s-zone\n`;

export interface CpiProgramOptions extends LeaseTimes {
  /** Its configuration; a change takes effect at the next check. */
  readonly conf: { readonly text: string };
  readonly clock: ProgramParts['clock'];
  /** By default each program has its own. */
  readonly metrics?: Metrics;
}

/** Builds the program in a simulated world. Its persistent state is shared by all programs that the same function builds. */
export const cpiProgram = ({ conf, clock, metrics, ...given }: CpiProgramOptions) => {
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = given;
  // It checks every few seconds, and a simulated run has many of them.
  let read: Awaited<ReturnType<ConfigSource['load']>> | undefined;
  const config: ConfigSource = {
    load: async () => {
      const { text } = conf;
      if (read?.text !== text)
        read = { ...readDriverConfig(text, { unknownKeys: 'refuse' }), caBundles: new Map(), text };
      return read;
    },
  };
  let deleted: DeletionRecord = { deletedAtMs: [] };
  /** Survives a restart of the program, as the ConfigMap does. */
  const deletions: DeletionStore = {
    load: async () => deleted,
    save: async (record) => {
      deleted = record;
    },
  };
  const loginGuard = createLoginGuard({ clock, logger: silentLogger });
  return (parts: ProgramParts) => {
    const deps = { ...parts, ...(metrics ? { metrics } : {}) };
    const vcenterDeps = { ...deps, loginGuard, userAgent: 'vsphere-cpi', nameOf: vcenterId };
    return createCpi({
      ...deps,
      connectVCenters: (loaded) => connectVCenters(loaded, vcenterDeps),
      config,
      deletions,
      leaderElection: {
        namespace: names.systemNamespace,
        name: leaseNames.cpi,
        leaseDurationMs,
        renewDeadlineMs,
        retryPeriodMs,
      },
    });
  };
};
