import { names } from '@vdo/config/names';
import type { CliExit } from '@vdo/program/run-program';
import { Command, CommanderError, InvalidArgumentError } from 'commander';

export interface OperatorFlags {
  readonly kubeconfig?: string;
  readonly namespace: string;
  readonly bindAddress: string;
  readonly healthPort: number;
  readonly metricsBindAddress: string;
  readonly metricsPort?: number;
  readonly certDir?: string;
  readonly dashboardHost: readonly string[];
  readonly dashboardPrometheus?: string;
  readonly dashboardPrometheusTokenFile?: string;
  readonly dashboardPrometheusCaFile?: string;
  readonly leaderElect: boolean;
  readonly dashboard: boolean;
  readonly matrixUrl?: string;
  readonly registry?: string;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
}

const port = (text: string): number => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= 65_535) return value;
  throw new InvalidArgumentError('expected a port between 0 (a free port) and 65535');
};

const logLevel = (text: string): OperatorFlags['logLevel'] => {
  const levels = ['debug', 'info', 'warn', 'error'] as const;
  const level = levels.find((known) => known === text);
  if (level) return level;
  throw new InvalidArgumentError(`expected one of ${levels.join(', ')}`);
};

const httpAddress = (text: string): string => {
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol === 'http:' || protocol === 'https:') return text;
  throw new InvalidArgumentError('expected an address such as http://prometheus.monitoring:9090');
};

export type CliResult = { readonly kind: 'run'; readonly flags: OperatorFlags } | CliExit;

const createCommand = (version: string): Command =>
  new Command(names.operator)
    .description(
      'Installs, configures, upgrades, monitors and removes the vSphere drivers of this cluster, as specified in the VSphereDrivers resource named "cluster".',
    )
    .option('--kubeconfig <file>', 'kubeconfig of the cluster; default: the service account of the pod')
    .option('--namespace <name>', 'namespace of the operator, the credentials and the drivers', names.namespace)
    .option('--bind-address <ip>', 'address of the health port', '127.0.0.1')
    .option('--health-port <port>', 'port for /healthz and /readyz, in plain HTTP; 0 selects a free port', port, 8080)
    .option('--metrics-bind-address <ip>', 'address of the metrics port', '0.0.0.0')
    .option(
      '--metrics-port <port>',
      'HTTPS port for /metrics, for clients whose token has permission to get that path; 0 selects a free port (default: metrics are not served)',
      port,
    )
    .option('--cert-dir <folder>', 'folder with tls.crt and tls.key for the metrics port (default: self-signed)')
    .option(
      '--dashboard',
      'serve the status page under /dashboard/ on the metrics port, for clients whose token has permission to get that path; needs deploy/dashboard-role.yaml',
      false,
    )
    .option(
      '--dashboard-host <name>',
      'additional host name of the status page, such as that of an Ingress; repeatable',
      (name: string, before: readonly string[]) => [...before, name],
      [],
    )
    .option(
      '--dashboard-prometheus <url>',
      'address of a Prometheus that scrapes the operator and the drivers; the status page reads the rates of the last week from it',
      httpAddress,
    )
    .option(
      '--dashboard-prometheus-token-file <file>',
      'file with the bearer token for Prometheus, such as /var/run/secrets/kubernetes.io/serviceaccount/token; read again for each request',
    )
    .option(
      '--dashboard-prometheus-ca-file <file>',
      'file with the CA certificates of Prometheus, if the system does not trust them',
    )
    .option('--no-leader-elect', 'run without leader election; only safe if no other replica can run')
    .option('--matrix-url <url>', 'address of the compatibility matrix, unless the resource sets another source')
    .option(
      '--registry <host>',
      'registry, with a path if needed, of images without one, unless the resource sets one (default: that of the release)',
    )
    .option('--log-level <level>', 'debug, info, warn or error', logLevel, 'info')
    .version(version)
    .exitOverride();

/** Reads the command line. Prints nothing: the output is returned with the exit code. */
export const parseCli = (args: readonly string[], version: string): CliResult => {
  const output: string[] = [];
  const collect = (text: string) => output.push(text);
  const command = createCommand(version).configureOutput({ writeOut: collect, writeErr: collect });
  try {
    return { kind: 'run', flags: command.parse([...args], { from: 'user' }).opts<OperatorFlags>() };
  } catch (error) {
    if (error instanceof CommanderError) return { kind: 'exit', code: error.exitCode, text: output.join('') };
    throw error;
  }
};
