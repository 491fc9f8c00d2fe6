import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { createCertificateSource } from '@vdo/kube/serving/certificate-source';
import type { ServingOptions } from '@vdo/kube/serving/start-serving';
import type { SnapshotControllerFlags } from '../cli/parse-cli.ts';

/** What `main` gives a role to run with. */
export interface ProgramDeps {
  /** Of the driver, told to servers. */
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hostname: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Where a role serves health, and metrics if it does. */
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
