import { retry } from '@vdo/base/retry';
import { toVdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';
import { connectKube } from '@vdo/kube/connect-kube';
import { startServing } from '@vdo/kube/serving/start-serving';
import { createFileConfigSource, type LoadedConfig } from '@vdo/program/config-source';
import { connectVCenters } from '@vdo/program/connect-vcenters';
import { followConfig, logWarnings } from '@vdo/program/follow-config';
import { createLoginMemory } from '@vdo/program/login-memory';
import { type CsiController, createCsiController } from '../app.ts';
import type { ControllerFlags } from '../cli/parse-cli.ts';
import { resolveClusterId } from '../config/cluster-id.ts';
import { settingsWithoutEffect } from '../config/settings-without-effect.ts';
import { createUserOf } from '../config/user-of.ts';
import { createFileIntentStore } from '../intents/file-intent-store.ts';
import { endpointsOf, type ProgramDeps } from './program-deps.ts';
import { createSpanExporter } from './span-exporter.ts';

/** The controller role as a program: applies configuration changes, serves health and metrics, and logs out at the end. */
export const runController = async (flags: ControllerFlags, deps: ProgramDeps, signal: AbortSignal): Promise<void> => {
  const { version, clock, random, logger, metrics, env, hostname } = deps;
  const { sidecars, csiEndpoint, workers, clusterId: flagged, intentFolder } = flags;
  const userAgent = `vsphere-csi/${version}`;
  const source = createFileConfigSource({
    path: flags.vsphereConf,
    flag: '--vsphere-conf',
    unknownKeys: flags.strictConfig ? 'refuse' : 'warn',
    driver: 'csi',
    alsoWarn: ({ csi }) => settingsWithoutEffect(csi),
  });
  const first = await source.load({ signal });
  logWarnings(logger, first);
  const kube = await connectKube({
    ...(flags.kubeconfig ? { kubeconfigPath: flags.kubeconfig } : {}),
    env,
    clock,
    metrics,
    userAgent,
    // Each volume costs a few writes. The API server protects itself against more with API priority and fairness.
    qps: 300,
    burst: 600,
    fieldManager: 'vsphere-csi',
  });
  const namespace = flags.namespace ?? kube.namespace ?? names.namespace;
  const loginGuard = createLoginMemory({ kube, namespace, program: 'csi', clock, logger });
  const vcenterDeps = { kube, loginGuard, userAgent, clock, random, logger, metrics };
  const identity = `${hostname}_${random.uuid()}`;
  const exporter = createSpanExporter({ env, version, clock, random, logger, metrics });
  let current: CsiController | undefined;
  let waitingFor = 'starting';
  const tellWhy = (error: unknown): never => {
    const { message } = toVdoError(error);
    if (message !== waitingFor) logger.warn('the API server cannot be used yet', { error });
    waitingFor = message;
    throw error;
  };

  const runWith = async (loaded: LoadedConfig, stop: AbortSignal): Promise<void> => {
    const { members, close } = connectVCenters(loaded, vcenterDeps);
    try {
      const { config } = loaded;
      const configured = flagged ?? config.csi.clusterId;
      const resolving = { configured, kube, namespace, random, signal: stop };
      const patiently = { clock, random, attempts: Number.POSITIVE_INFINITY, signal: stop };
      const clusterId = await retry(() => resolveClusterId(resolving).catch(tellWhy), patiently);
      const vcenters = members.map(({ vcenter }) => vcenter);
      logger.info('running', { clusterId, servers: vcenters.map(({ server }) => server), sidecars });
      current = createCsiController({
        ...deps,
        onSpan: exporter?.add,
        kube,
        vcenters,
        userOf: createUserOf(members, clock),
        config,
        clusterId,
        namespace,
        leaseNamespace: flags.leaderElectionNamespace,
        identity,
        sidecars,
        csiEndpoint,
        workers,
        ...(intentFolder ? { intents: createFileIntentStore(intentFolder) } : {}),
      });
      await current.run(stop);
    } finally {
      current = undefined;
      await close();
    }
  };

  const serving = await startServing({
    ...endpointsOf(flags, deps),
    ...{ client: kube, metrics, clock, logger },
    ready: { controller: () => (current ? current.notReady() : waitingFor) },
  });
  const ended = new AbortController();
  const exporting = exporter?.run(ended.signal);
  try {
    await followConfig({ first, source, work: runWith, clock, logger }, signal);
  } finally {
    ended.abort();
    await exporting;
    await serving.close();
    await kube.close();
  }
};
