import { createCertificateSource } from '@vdo/kube/serving/certificate-source';
import type { ServingOptions } from '@vdo/kube/serving/start-serving';
import type { SnapshotControllerFlags } from '../cli/parse-cli.ts';
import type { ProgramDeps } from './program-deps.ts';

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
