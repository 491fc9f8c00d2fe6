import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { createCertificateSource } from '@vdo/kube/serving/certificate-source';
import type { ServingOptions } from '@vdo/kube/serving/start-serving';
import type { SnapshotControllerFlags } from '../cli/parse-cli.ts';

/** What `main` passes to a role. */
export interface ProgramDeps {
  /** Version of the driver, sent to servers. */
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hostname: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Addresses for health, and for metrics if the role serves them. */
export const endpointsOf = (
  flags: Pick<SnapshotControllerFlags, 'bindAddress' | 'healthPort' | 'metricsBindAddress' | 'metricsPort' | 'certDir'>,
  { clock, hostname }: ProgramDeps,
): Pick<ServingOptions, 'health' | 'secure'> => {
  const health = { host: flags.bindAddress, port: flags.healthPort };
  const { metricsPort, metricsBindAddress: host, certDir } = flags;
  if (metricsPort === undefined) return { health };
  const certificate = createCertificateSource({
    commonName: 'vsphere-csi',
    hosts: ['localhost', '127.0.0.1', hostname],
    clock,
    ...(certDir === undefined ? {} : { folder: certDir }),
  });
  return { health, secure: { host, port: metricsPort, certificate } };
};
