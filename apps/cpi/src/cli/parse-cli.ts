import { leaseNames, names } from '@vdo/config/names';
import type { CliExit } from '@vdo/program/run-program';
import { Command, CommanderError, Option } from 'commander';
import type { Labels } from '../decisions/node-labels.ts';
import {
  boolean,
  controllers,
  durationMs,
  type EnabledControllers,
  labels,
  numberBetween,
  verbosity,
} from './flag-values.ts';
import { siftGoFlags } from './go-flags.ts';

export interface CpiFlags {
  readonly cloudConfig: string;
  readonly strictConfig: boolean;
  readonly kubeconfig?: string;
  readonly kubeApiQps: number;
  readonly kubeApiBurst: number;
  readonly leaderElect: boolean;
  readonly leaderElectLeaseDuration: number;
  readonly leaderElectRenewDeadline: number;
  readonly leaderElectRetryPeriod: number;
  readonly leaderElectResourceName: string;
  readonly leaderElectResourceNamespace: string;
  readonly controllers: EnabledControllers;
  readonly concurrentNodeSyncs: number;
  readonly nodeLabels: Labels;
  readonly bindAddress: string;
  readonly securePort: number;
  readonly healthBindAddress: string;
  readonly healthPort?: number;
  readonly certDir?: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  /** klog's level. */
  readonly v: number;
}

export type CliResult =
  | { readonly kind: 'run'; readonly flags: CpiFlags; readonly warnings: readonly string[] }
  | CliExit;

const oneOf = (flags: string, description: string, allowed: string) =>
  new Option(flags, description).choices([allowed]).default(allowed, allowed);

const parsed = <T>(
  flags: string,
  description: string,
  value: { readonly parse: (text: string, previous: T) => T; readonly default: T; readonly shown: string },
) => new Option(flags, description).argParser(value.parse).default(value.default, value.shown || undefined);

const number = (
  flags: string,
  description: string,
  value: { range: [number, number]; whole: boolean; default: number },
) =>
  parsed(flags, description, {
    parse: numberBetween(...value.range, value),
    default: value.default,
    shown: String(value.default),
  });

const seconds = (flags: string, description: string, value: number) =>
  parsed(flags, description, { parse: durationMs, default: value * 1000, shown: `${value}s` });

const text = (flags: string, description: string, value: string) =>
  new Option(flags, description).default(value, value);

const createCommand = (version: string): Command =>
  new Command('vsphere-cpi')
    .description(
      'The vSphere cloud controller manager. It sets the provider ID, addresses, zones and labels of Kubernetes nodes from their VMs, taints nodes that are shut down, and deletes nodes whose VM no longer exists.',
    )
    .helpOption('-h, --help', 'show this text')
    .version(`vsphere-cpi ${version}`, '--version', 'show the version')
    .optionsGroup('Configuration:')
    .requiredOption('--cloud-config <file>', 'vsphere.conf, in YAML or INI; changes apply without a restart')
    .addOption(
      parsed('--strict-config [bool]', 'refuse unknown keys in vsphere.conf instead of warning', {
        parse: boolean,
        default: false,
        shown: 'false',
      }),
    )
    .addOption(oneOf('--cloud-provider <name>', 'the only supported provider', 'vsphere'))
    .optionsGroup('Kubernetes:')
    .option('--kubeconfig <file>', 'kubeconfig file for the API server (default: the service account of the pod)')
    .addOption(
      number('--kube-api-qps <n>', 'requests per second; 0 means no limit', {
        range: [0, 1e6],
        whole: false,
        default: 300,
      }),
    )
    .addOption(
      number('--kube-api-burst <n>', 'requests that may exceed that rate at once', {
        range: [1, 1e6],
        whole: true,
        default: 600,
      }),
    )
    .optionsGroup('Nodes:')
    .addOption(
      parsed('--controllers <list>', 'controllers to run: *, cloud-node, cloud-node-lifecycle; -name disables one', {
        parse: controllers,
        default: controllers('*'),
        shown: '*',
      }),
    )
    .addOption(
      number('--concurrent-node-syncs <n>', 'number of nodes that are written concurrently', {
        range: [1, 1000],
        whole: true,
        default: 16,
      }),
    )
    .addOption(
      parsed<Labels>(
        '--node-labels <list>',
        'labels to add to nodes that lack them, such as team=a,rack=7; existing labels are never replaced',
        {
          parse: labels,
          default: {},
          shown: 'none',
        },
      ),
    )
    .optionsGroup('Leader election:')
    .addOption(
      parsed('--leader-elect [bool]', 'act only while holding the Lease', {
        parse: boolean,
        default: true,
        shown: 'true',
      }),
    )
    .addOption(
      seconds(
        '--leader-elect-lease-duration <time>',
        'how long other replicas wait before they replace a leader that does not renew',
        15,
      ),
    )
    .addOption(seconds('--leader-elect-renew-deadline <time>', 'how long a leader tries to renew its Lease', 10))
    .addOption(seconds('--leader-elect-retry-period <time>', 'time between attempts', 2))
    .addOption(text('--leader-elect-resource-name <name>', 'name of the Lease', leaseNames.cpi))
    .addOption(text('--leader-elect-resource-namespace <name>', 'namespace of the Lease', names.systemNamespace))
    .addOption(oneOf('--leader-elect-resource-lock <kind>', 'the only supported kind', 'leases'))
    .optionsGroup('Serving /metrics to callers whose token allows it, and /healthz, /livez, /readyz to everyone:')
    .addOption(text('--bind-address <ip>', 'address to listen on', '0.0.0.0'))
    .addOption(
      number('--secure-port <port>', 'HTTPS port; 0 chooses a free port', {
        range: [0, 65_535],
        whole: true,
        default: 10_258,
      }),
    )
    .option('--tls-cert-file <file>', 'certificate (default: self-signed, kept in memory)')
    .option('--tls-private-key-file <file>', 'key of that certificate')
    .option('--cert-dir <folder>', 'directory with tls.crt and tls.key, if the two flags above are not set')
    .addOption(
      new Option(
        '--health-port <port>',
        'serve health on this port in plain HTTP instead of on the HTTPS port',
      ).argParser(numberBetween(0, 65_535, { whole: true })),
    )
    .addOption(text('--health-bind-address <ip>', 'address to listen on for --health-port', '127.0.0.1'))
    .optionsGroup('Other:')
    .addOption(
      parsed('-v, --v <level>', 'log level: 0 problems only, 2 normal, 4 everything', {
        parse: verbosity,
        default: 2,
        shown: '2',
      }),
    )
    .addHelpText(
      'after',
      '\nEnvironment:\n  VSPHERE_USER, VSPHERE_PASSWORD, VSPHERE_INSECURE and the other VSPHERE_ variables of the Go program\n' +
        '  override vsphere.conf. docs/guides/cpi.md lists them.\n' +
        '\nExample:\n  vsphere-cpi --cloud-config /etc/cloud/vsphere.conf --kubeconfig ~/.kube/config\n\n' +
        'Flags of the Go program vsphere-cloud-controller-manager that have no effect here are accepted with a warning.',
    )
    .showHelpAfterError('(see vsphere-cpi --help)')
    .exitOverride();

const conflictsOf = (flags: CpiFlags): string | undefined => {
  if ((flags.tlsCertFile === undefined) !== (flags.tlsPrivateKeyFile === undefined))
    return 'set both --tls-cert-file and --tls-private-key-file, or neither';
  if (flags.leaderElectLeaseDuration <= flags.leaderElectRenewDeadline)
    return '--leader-elect-lease-duration must be longer than --leader-elect-renew-deadline';
  if (flags.leaderElectRenewDeadline <= flags.leaderElectRetryPeriod * 1.2)
    return '--leader-elect-renew-deadline must be longer than 1.2 times --leader-elect-retry-period';
  return undefined;
};

/** Parses the command line. Prints nothing: returns the text to show and the exit code. */
export const parseCli = (args: readonly string[], options: { readonly version: string }): CliResult => {
  const output: string[] = [];
  const command = createCommand(options.version).configureOutput({
    writeOut: (text) => output.push(text),
    writeErr: (text) => output.push(text),
  });
  const sifted = siftGoFlags(args);
  try {
    if (sifted.refused.length > 0) command.error(`error: ${sifted.refused.join('\nerror: ')}`);
    command.parse([...sifted.args], { from: 'user' });
    const raw = command.opts<CpiFlags>();
    const conflict = conflictsOf(raw);
    if (conflict) command.error(`error: ${conflict}`);
    return { kind: 'run', flags: raw, warnings: sifted.ignored };
  } catch (error) {
    if (error instanceof CommanderError) return { kind: 'exit', code: error.exitCode, text: output.join('') };
    throw error;
  }
};
