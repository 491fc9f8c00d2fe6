import { names } from '@vdo/config/names';
import type { CliExit } from '@vdo/program/run-program';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { driverVersion } from '../driver.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

interface CommonFlags {
  readonly bindAddress: string;
  readonly healthPort: number;
  readonly logLevel: LogLevel;
}

interface MetricsFlags {
  readonly metricsBindAddress: string;
  readonly metricsPort?: number;
  readonly certDir?: string;
}

export interface ControllerFlags extends CommonFlags, MetricsFlags {
  readonly csiEndpoint: string;
  readonly vsphereConf: string;
  readonly strictConfig: boolean;
  readonly kubeconfig?: string;
  readonly namespace?: string;
  readonly leaderElectionNamespace: string;
  readonly sidecars: 'builtin' | 'external';
  readonly clusterId?: string;
  readonly intentFolder?: string;
  readonly workers: number;
}

export interface NodeFlags extends CommonFlags {
  readonly csiEndpoint: string;
  readonly nodeName: string;
  readonly registrationDir: string;
  readonly kubeletRegistrationPath: string;
  readonly register: boolean;
  readonly kubeconfig?: string;
  readonly sysfsRoot: string;
  readonly devRoot: string;
  readonly simulateMounts?: string;
  readonly maxVolumes?: number;
  readonly topologyLabels: readonly string[];
}

export interface SnapshotControllerFlags extends CommonFlags, MetricsFlags {
  readonly kubeconfig?: string;
  readonly leaderElectionNamespace: string;
  readonly workers: number;
}

export type CliResult =
  | { readonly kind: 'controller'; readonly flags: ControllerFlags }
  | { readonly kind: 'node'; readonly flags: NodeFlags }
  | { readonly kind: 'snapshot-controller'; readonly flags: SnapshotControllerFlags }
  | CliExit;

const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}`);
  };

const clusterId = (text: string): string => {
  if (/^[\x21-\x7e]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError('expected 1 to 64 printable characters without spaces');
};

const commaList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Adds the flags of the health port. `paths`: the paths it serves; the controller serves /metrics on another port. */
const servingHealth = (command: Command, paths = '/healthz, /livez and /readyz'): Command =>
  command
    .optionsGroup('Serving:')
    .option('--bind-address <ip>', `address for ${paths}`, '0.0.0.0')
    .option('--health-port <port>', 'port for these paths; 0 chooses a free port', wholeNumber(0, 65_535), 9808)
    .optionsGroup('Other:')
    .addOption(
      new Option('--log-level <level>', 'log level').choices(['debug', 'info', 'warn', 'error']).default('info'),
    )
    .helpOption('-h, --help', 'show this text');

const servingMetrics = (command: Command): Command =>
  servingHealth(
    command
      .optionsGroup('Serving:')
      .option(
        '--metrics-port <port>',
        'HTTPS port for /metrics, for callers whose token allows it; 0 chooses a free port (default: metrics are not served)',
        wholeNumber(0, 65_535),
      )
      .option('--metrics-bind-address <ip>', 'address for /metrics', '0.0.0.0')
      .option('--cert-dir <folder>', 'directory with tls.crt and tls.key for /metrics (default: self-signed)'),
  );

const servingCsi = (command: Command): Command =>
  command.optionsGroup('Serving:').option('--csi-endpoint <url>', 'socket to serve CSI on', 'unix:///csi/csi.sock');

const controllerCommand = (): Command =>
  servingMetrics(
    servingCsi(new Command('controller'))
      .description(
        'Creates, deletes, attaches and expands volumes in vCenter. Includes the control loops that the upstream driver runs as sidecars.',
      )
      .optionsGroup('vSphere:')
      .option(
        '--vsphere-conf <file>',
        'vsphere.conf in YAML, or csi-vsphere.conf in INI; changes apply without a restart',
        '/etc/vsphere/vsphere.conf',
      )
      .option('--strict-config', 'refuse unknown keys instead of warning about them', false)
      .option(
        '--cluster-id <id>',
        'ID of this cluster in vCenter (default: csi.clusterId of the configuration, otherwise the ID is chosen once and stored in the cluster)',
        clusterId,
      )
      .optionsGroup('Kubernetes:')
      .option('--kubeconfig <file>', 'kubeconfig file for the API server (default: the service account of the pod)')
      .option('--namespace <name>', 'namespace for unfinished operations and the cluster ID (default: that of the pod)')
      .option(
        '--leader-election-namespace <name>',
        'namespace of the Leases; the default is that of the upstream driver, so that the two never act at the same time',
        names.upstreamCsiNamespace,
      )
      .addOption(
        new Option(
          '--sidecars <which>',
          'builtin runs the control loops in this program; external leaves them to the upstream sidecars',
        )
          .choices(['builtin', 'external'])
          .default('builtin'),
      )
      .option('--workers <n>', 'number of claims and volumes that are processed concurrently', wholeNumber(1, 1000), 20)
      .option(
        '--intent-folder <path>',
        'store unfinished operations in this directory instead of in VolumeIntent objects',
      ),
  );

const nodeCommand = (): Command =>
  servingHealth(
    servingCsi(new Command('node'))
      .description('Mounts volumes on its node, and registers itself with the kubelet.')
      .optionsGroup('Node:')
      .requiredOption('--node-name <name>', 'name of the Node object')
      .option('--registration-dir <path>', 'directory in which the kubelet looks for drivers', '/registration')
      .option(
        '--kubelet-registration-path <path>',
        'path of the CSI socket on the host, as the kubelet sees it',
        '/var/lib/kubelet/plugins/csi.vsphere.vmware.com/csi.sock',
      )
      .option('--no-register', 'leave registration to the upstream node-driver-registrar')
      .option('--kubeconfig <file>', 'kubeconfig file for the API server (default: the service account of the pod)')
      .option(
        '--topology-labels <keys>',
        'topology labels of the Node object, separated by commas (default: no topology)',
        commaList,
        [],
      )
      .option(
        '--max-volumes <n>',
        'maximum number of volumes on this VM, besides its own disks; at most 255 (default: the free slots of its paravirtual SCSI controllers, 15 disks each)',
        wholeNumber(1, 255),
      )
      .option('--sysfs-root <path>', 'where sysfs is mounted', '/sys')
      .option('--dev-root <path>', 'where the device files are', '/dev')
      .option(
        '--simulate-mounts <file>',
        'for development: link directories instead of formatting and mounting, and record the mounts in this file',
      ),
    '/healthz, /livez, /readyz and /metrics',
  );

const snapshotControllerCommand = (): Command =>
  servingMetrics(
    new Command(names.snapshotController)
      .description(
        'Binds VolumeSnapshots to VolumeSnapshotContents, for all CSI drivers of the cluster. Run one per cluster, and none if the upstream snapshot-controller runs.',
      )
      .optionsGroup('Kubernetes:')
      .option('--kubeconfig <file>', 'kubeconfig file for the API server (default: the service account of the pod)')
      .option(
        '--leader-election-namespace <name>',
        'namespace of the Lease; the default is that of the upstream controller, so that the two never act at the same time',
        names.systemNamespace,
      )
      .option('--workers <n>', 'number of snapshots that are processed concurrently', wholeNumber(1, 1000), 10),
  );

/** Parses the command line. Prints nothing: returns the text to show and the exit code. */
export const parseCli = (args: readonly string[]): CliResult => {
  const output: string[] = [];
  let result: CliResult | undefined;
  const collect = { writeOut: (text: string) => output.push(text), writeErr: (text: string) => output.push(text) };
  const controller = controllerCommand();
  const node = nodeCommand();
  const snapshots = snapshotControllerCommand();
  controller.action(() => {
    result = { kind: 'controller', flags: controller.opts<ControllerFlags>() };
  });
  node.action(() => {
    result = { kind: 'node', flags: node.opts<NodeFlags>() };
  });
  snapshots.action(() => {
    result = { kind: names.snapshotController, flags: snapshots.opts<SnapshotControllerFlags>() };
  });
  const program = new Command('vsphere-csi')
    .description('The vSphere storage driver for Kubernetes (csi.vsphere.vmware.com), CSI 1.12.')
    .version(`vsphere-csi ${driverVersion}`, '--version', 'show the version')
    .helpOption('-h, --help', 'show this text')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  vsphere-csi controller --vsphere-conf vsphere.conf --kubeconfig ~/.kube/config\n' +
        '  vsphere-csi node --node-name worker-1',
    );
  for (const command of [program, controller, node, snapshots])
    command.exitOverride().configureOutput(collect).showHelpAfterError('(see --help)');
  program.addCommand(controller).addCommand(node).addCommand(snapshots);
  try {
    program.parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { kind: 'exit', code: error.exitCode, text: output.join('') };
  }
  return result ?? { kind: 'exit', code: 1, text: program.helpInformation() };
};
