import { hostname } from 'node:os';
import { createSystemClock } from '@vdo/base/clock';
import { createLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { prometheusFiles } from '@vdo/dashboard/source/prometheus-access';
import { createPrometheusRates } from '@vdo/dashboard/source/prometheus-rates';
import { networkProbes } from '@vdo/gather/network-probes';
import { connectKube } from '@vdo/kube/connect-kube';
import { createCertificateSource } from '@vdo/kube/serving/certificate-source';
import { serviceNames } from '@vdo/kube/serving/service-names';
import { createDocumentReaders } from '@vdo/releases/create-document-readers';
import { loadReleaseSettings, publishedMatrix, publishedRegistry } from '@vdo/releases/release-settings';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import { createOperator, fieldManager } from './app.ts';
import type { OperatorFlags } from './cli.ts';

export interface BuildOptions {
  readonly flags: OperatorFlags;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly write: (line: string) => void;
}

/** Builds the operator with the real clock, network and cluster. */
export const buildOperator = async ({ flags, version, env, write }: BuildOptions) => {
  const { kubeconfig, namespace } = flags;
  const clock = createSystemClock();
  const settings = loadReleaseSettings();
  const registry = publishedRegistry(settings, flags.registry);
  const random = createSystemRandom();
  const metrics = createMetrics();
  const logger = createLogger({ name: fieldManager, level: flags.logLevel, write });
  const kube = await connectKube({
    ...(kubeconfig ? { kubeconfigPath: kubeconfig } : {}),
    env,
    clock,
    metrics,
    fieldManager,
    userAgent: `${fieldManager}/${version}`,
  });
  const certificate = createCertificateSource({
    commonName: fieldManager,
    hosts: ['localhost', '127.0.0.1', hostname(), ...serviceNames(fieldManager, namespace)],
    clock,
    ...(flags.certDir === undefined ? {} : { folder: flags.certDir }),
  });
  const {
    dashboardPrometheus: address,
    dashboardPrometheusTokenFile: tokenFile,
    dashboardPrometheusCaFile: caFile,
  } = flags;
  const access = prometheusFiles({
    ...(tokenFile === undefined ? {} : { tokenFile }),
    ...(caFile === undefined ? {} : { caFile }),
  });
  const rates = address === undefined ? undefined : createPrometheusRates({ address, env, clock, access });
  return createOperator({
    kube,
    createVCenter: ({ server, port, tls }, login) => {
      const { thumbprints, caBundle, insecure } = tls;
      return createVCenter({
        server,
        port,
        tls: { thumbprints, insecure, ...(caBundle === undefined ? {} : { caBundle }) },
        ...login,
        clock,
        random,
        logger,
        metrics,
        userAgent: `${fieldManager}/${version}`,
      });
    },
    readers: createDocumentReaders(env, clock),
    probes: networkProbes,
    matrix: {
      ...publishedMatrix(settings),
      ...(flags.matrixUrl === undefined ? {} : { defaultUrl: flags.matrixUrl }),
    },
    namespace,
    ...(registry === undefined ? {} : { registry }),
    version,
    clock,
    random,
    logger,
    metrics,
    identity: `${hostname()}_${random.uuid()}`,
    leaderElect: flags.leaderElect,
    ...(flags.dashboard ? { dashboard: { hosts: flags.dashboardHost, ...(rates ? { rates } : {}) } } : {}),
    serving: {
      health: { host: flags.bindAddress, port: flags.healthPort },
      ...(flags.metricsPort === undefined
        ? {}
        : { secure: { host: flags.metricsBindAddress, port: flags.metricsPort, certificate } }),
    },
  });
};
