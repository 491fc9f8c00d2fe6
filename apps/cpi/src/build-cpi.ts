import { hostname } from 'node:os';
import { type Clock, createSystemClock } from '@vdo/base/clock';
import { createLogger, type LogLevel } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { names } from '@vdo/config/names';
import { createConfigMapState } from '@vdo/kube/config-map-state';
import { connectKube } from '@vdo/kube/connect-kube';
import { createCertificateSource } from '@vdo/kube/serving/certificate-source';
import { createFileConfigSource } from '@vdo/program/config-source';
import { connectVCenters } from '@vdo/program/connect-vcenters';
import { createLoginMemory } from '@vdo/program/login-memory';
import { vcenterId } from '@vdo/program/vcenter-id';
import { type Cpi, createCpi, type LeaderElectionSettings, type ServingSettings } from './app.ts';
import type { CpiFlags } from './cli/parse-cli.ts';
import type { DeletionRecord } from './lifecycle/deletion-budget.ts';

export interface BuildCpiOptions {
  readonly flags: CpiFlags;
  /** Written to the log before anything else. */
  readonly warnings: readonly string[];
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives each log line. */
  readonly write: (line: string) => void;
  readonly signal: AbortSignal;
}

// klog's levels are numbers; most people run with 2.
const logLevel = (v: number): LogLevel => (v >= 4 ? 'debug' : v >= 1 ? 'info' : 'warn');

const servingOf = (flags: CpiFlags, clock: Clock): ServingSettings => {
  const { bindAddress, certDir, tlsCertFile, tlsPrivateKeyFile, healthPort } = flags;
  const certificate = createCertificateSource({
    commonName: 'vsphere-cpi',
    hosts: ['localhost', '127.0.0.1', hostname(), bindAddress],
    clock,
    ...(certDir === undefined ? {} : { folder: certDir }),
    ...(tlsCertFile === undefined ? {} : { certFile: tlsCertFile }),
    ...(tlsPrivateKeyFile === undefined ? {} : { keyFile: tlsPrivateKeyFile }),
  });
  return {
    secure: { host: bindAddress, port: flags.securePort, certificate },
    ...(healthPort === undefined ? {} : { health: { host: flags.healthBindAddress, port: healthPort } }),
  };
};

const leaderElectionOf = (flags: CpiFlags): LeaderElectionSettings => ({
  namespace: flags.leaderElectResourceNamespace,
  name: flags.leaderElectResourceName,
  leaseDurationMs: flags.leaderElectLeaseDuration,
  renewDeadlineMs: flags.leaderElectRenewDeadline,
  retryPeriodMs: flags.leaderElectRetryPeriod,
});

/** Assembles the program from the real network, files and clock. */
export const buildCpi = async (options: BuildCpiOptions): Promise<Cpi> => {
  const { flags, version, env, write, signal } = options;
  const clock = createSystemClock();
  const random = createSystemRandom();
  const metrics = createMetrics();
  const logger = createLogger({ name: 'vsphere-cpi', level: logLevel(flags.v), write });
  logger.info('starting', { version });
  for (const warning of options.warnings) logger.warn('a flag has no effect', { warning });

  const config = createFileConfigSource({
    path: flags.cloudConfig,
    flag: '--cloud-config',
    unknownKeys: flags.strictConfig ? 'refuse' : 'warn',
    env,
  });
  // A mistake in the file is reported even if the API server cannot be reached.
  await config.load({ signal });

  const kube = await connectKube({
    ...(flags.kubeconfig === undefined ? {} : { kubeconfigPath: flags.kubeconfig }),
    env,
    clock,
    metrics,
    fieldManager: 'vsphere-cpi',
    userAgent: `vsphere-cpi/${version}`,
    qps: flags.kubeApiQps,
    burst: flags.kubeApiBurst,
  });
  const namespace = kube.namespace ?? names.namespace;
  const loginGuard = createLoginMemory({ kube, namespace, program: 'cpi', clock, logger });
  const deletionMemory = { client: kube, namespace, name: names.loginGuard, key: 'cpi-deletions' };
  const deletions = createConfigMapState<DeletionRecord>(deletionMemory, { deletedAtMs: [] });
  const userAgent = `vsphere-cpi/${version}`;
  const vcenterDeps = { kube, loginGuard, userAgent, nameOf: vcenterId, clock, random, logger, metrics };

  return createCpi({
    kube,
    connectVCenters: (loaded) => connectVCenters(loaded, vcenterDeps),
    config,
    clock,
    random,
    logger,
    metrics,
    identity: `${hostname()}_${random.uuid()}`,
    ...(flags.leaderElect ? { leaderElection: leaderElectionOf(flags) } : {}),
    serving: servingOf(flags, clock),
    controllers: flags.controllers,
    concurrentNodeSyncs: flags.concurrentNodeSyncs,
    nodeLabels: flags.nodeLabels,
    deletions,
  });
};
