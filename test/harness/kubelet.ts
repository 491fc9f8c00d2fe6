import { mkdir, writeFile } from 'node:fs/promises';
import type { TempFolder } from './cleanup.ts';
import type { Machine } from './machine.ts';
import { partPath } from './parts.ts';
import type { LoggedProcess } from './process.ts';

/** What a kubelet is started with. */
export interface KubeletOptions {
  readonly folder: TempFolder;
  readonly machine: Machine;
  readonly nodeName: string;
  readonly nodeIp: string;
  readonly kubeconfigPath: string;
  /** Whose clients it trusts. */
  readonly caPath: string;
  /** Of the container runtime. */
  readonly endpoint: string;
}

/** Where a kubelet keeps its files below `folder`. */
export const kubeletRoot = (folder: TempFolder): string => folder.file('kubelet');

const never = '0%';

const configOf = ({ folder, endpoint, caPath }: KubeletOptions) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: { anonymous: { enabled: false }, webhook: { enabled: false }, x509: { clientCAFile: caPath } },
  authorization: { mode: 'AlwaysAllow' },
  containerRuntimeEndpoint: endpoint,
  podLogsDir: folder.file('pod-logs'),
  volumePluginDir: folder.file('volume-plugins'),
  // The machine's cgroups are those of the machine that runs the test: pods are not ordered there.
  cgroupDriver: 'cgroupfs',
  cgroupsPerQOS: false,
  enforceNodeAllocatable: [],
  failSwapOn: false,
  failCgroupV1: false,
  makeIPTablesUtilChains: false,
  // The disk that the test runs on may be as full as it likes.
  evictionHard: { 'memory.available': never, 'nodefs.available': never, 'imagefs.available': never },
  imageGCHighThresholdPercent: 100,
  // What a test waits for comes sooner than on a node of a thousand pods.
  syncFrequency: '5s',
  nodeStatusUpdateFrequency: '2s',
  volumeStatsAggPeriod: '1s',
});

/** Starts a kubelet that waits for a cloud provider, as those of a vSphere cluster do. */
export async function startKubelet(options: KubeletOptions): Promise<LoggedProcess> {
  const { folder, machine, nodeName, nodeIp, kubeconfigPath } = options;
  const configPath = folder.file('kubelet.json');
  await mkdir(kubeletRoot(folder), { recursive: true });
  await writeFile(configPath, JSON.stringify(configOf(options)));
  return machine.spawn(
    partPath('kubelet'),
    [
      ...[`--config=${configPath}`, `--kubeconfig=${kubeconfigPath}`, `--root-dir=${kubeletRoot(folder)}`],
      ...[`--cert-dir=${folder.file('kubelet-pki')}`, `--hostname-override=${nodeName}`, `--node-ip=${nodeIp}`],
      '--cloud-provider=external',
    ],
    { name: 'kubelet' },
  );
}

/**
 * Takes away the loop devices by which a kubelet holds on to the raw devices of its pods. It does so itself when the pods end;
 * the kernel does not when the machine stops.
 */
export async function releaseRawDevices(folder: TempFolder, machine: Machine): Promise<void> {
  const { loopdevices = [] } = JSON.parse((await machine.run('losetup', ['--list', '--json'])) || '{}') as {
    readonly loopdevices?: readonly { readonly name: string; readonly 'back-file': string | null }[];
  };
  const held = loopdevices.filter((one) => one['back-file']?.startsWith(kubeletRoot(folder)));
  for (const { name } of held) await machine.run('losetup', ['--detach', name]);
}
