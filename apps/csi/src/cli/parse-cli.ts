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

/** Which paths the health port has: all, or those for the kubelet, the metrics being elsewhere. */
const servingHealth = (command: Command, paths = '/healthz, /livez and /readyz'): Command =>
  command
    .optionsGroup('Serving:')
    .option('--bind-address <ip>', `address for ${paths}`, '0.0.0.0')
    .option('--health-port <port>', 'their port; 0 takes any free one', wholeNumber(0, 65_535), 9808)
    .optionsGroup('Other:')
    .addOption(
      new Option('--log-level <level>', 'how much to log').choices(['debug', 'info', 'warn', 'error']).default('info'),
    )
    .helpOption('-h, --help', 'show this text');

const servingMetrics = (command: Command): Command =>
  servingHealth(
    command
      .optionsGroup('Serving:')
      .option(
        '--metrics-port <port>',
        'HTTPS port for /metrics, for callers whose token may get that path; 0 takes any free one (default: metrics are not served)',
        wholeNumber(0, 65_535),
      )
      .option('--metrics-bind-address <ip>', 'its address', '0.0.0.0')
      .option('--cert-dir <folder>', 'folder with tls.crt and tls.key for that port (default: self-signed)'),
  );

const servingCsi = (command: Command): Command =>
  command
    .optionsGroup('Serving:')
    .option('--csi-endpoint <url>', 'socket on which CSI is served', 'unix:///csi/csi.sock');

const controllerCommand = (): Command =>
  servingMetrics(
    servingCsi(new Command('controller'))
      .description(
        'Creates, deletes and places volumes on vCenter. Contains the control loops that upstream runs as sidecars.',
      )
      .optionsGroup('vSphere:')
      .option(
        '--vsphere-conf <file>',
        'vsphere.conf in YAML, or csi-vsphere.conf in INI; a change is followed without a restart',
        '/etc/vsphere/vsphere.conf',
      )
      .option('--strict-config', 'refuse unknown keys instead of warning about them', false)
      .option(
        '--cluster-id <id>',
        'id of this cluster in vCenter (default: csi.clusterId of the configuration, else one is made and kept)',
        clusterId,
      )
      .optionsGroup('Kubernetes:')
      .option('--kubeconfig <file>', 'how to reach the API server (default: the service account of the pod)')
      .option('--namespace <name>', 'where unfinished work and the cluster id are kept (default: that of the pod)')
      .option(
        '--leader-election-namespace <name>',
        'where the Leases are; the default is that of the upstream driver, so that both never act at once',
        names.upstreamCsiNamespace,
      )
      .addOption(
        new Option('--sidecars <which>', 'builtin runs the loops here; external leaves them to the upstream sidecars')
          .choices(['builtin', 'external'])
          .default('builtin'),
      )
      .option('--workers <n>', 'claims and volumes worked on at once', wholeNumber(1, 1000), 20)
      .option('--intent-folder <path>', 'keep unfinished work in this folder instead of VolumeIntent objects'),
  );

const nodeCommand = (): Command =>
  servingHealth(
    servingCsi(new Command('node'))
      .description('Mounts volumes on the node it runs on, and registers itself with the kubelet.')
      .optionsGroup('Node:')
      .requiredOption('--node-name <name>', 'name of the Node object')
      .option('--registration-dir <path>', 'where the kubelet looks for drivers', '/registration')
      .option(
        '--kubelet-registration-path <path>',
        'the CSI socket as the kubelet sees it',
        '/var/lib/kubelet/plugins/csi.vsphere.vmware.com/csi.sock',
      )
      .option('--no-register', 'leave registration to the upstream node-driver-registrar')
      .option('--kubeconfig <file>', 'how to reach the API server (default: the service account of the pod)')
      .option(
        '--topology-labels <keys>',
        'labels of the Node object that tell where it is, separated by commas (default: no topology)',
        commaList,
        [],
      )
      .option(
        '--max-volumes <n>',
        'disks that fit this VM besides its own, at most 255 (default: what its paravirtual controllers have left at 15 disks each)',
        wholeNumber(1, 255),
      )
      .option('--sysfs-root <path>', 'where sysfs is mounted', '/sys')
      .option('--dev-root <path>', 'where the device files are', '/dev')
      .option(
        '--simulate-mounts <file>',
        'for development: format and mount nothing, link folders instead, and keep in this file what is mounted',
      ),
    '/healthz, /livez, /readyz and /metrics',
  );

const snapshotControllerCommand = (): Command =>
  servingMetrics(
    new Command(names.snapshotController)
      .description(
        'Binds VolumeSnapshots to VolumeSnapshotContents, for all drivers of the cluster. One per cluster: not needed where the upstream snapshot-controller runs.',
      )
      .optionsGroup('Kubernetes:')
      .option('--kubeconfig <file>', 'how to reach the API server (default: the service account of the pod)')
      .option(
        '--leader-election-namespace <name>',
        'where the Lease is; the default is that of the upstream controller, so that both never act at once',
        names.systemNamespace,
      )
      .option('--workers <n>', 'snapshots worked on at once', wholeNumber(1, 1000), 10),
  );

/** Reads the command line. Nothing is printed: what to show comes back with the exit code. */
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
