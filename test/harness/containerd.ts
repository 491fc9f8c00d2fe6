import { mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { busyboxArchives, pauseImage } from './busybox-image.ts';
import type { TempFolder } from './cleanup.ts';
import type { Machine } from './machine.ts';
import type { LoggedProcess } from './process.ts';
import { waitFor } from './wait-for.ts';

/** A running containerd. */
export interface Containerd {
  /** `unix:///…/containerd.sock`. */
  readonly endpoint: string;
  readonly process: LoggedProcess;
  /** Gives pods an image, which no registry has. */
  load(archive: Uint8Array): Promise<void>;
  /** Gives pods a network: until then the node is not ready. */
  plugNetwork(): Promise<void>;
  /** Takes away what the kernel does not when its machine has stopped. */
  sweep(): Promise<void>;
}

const cgroupRoot = '/sys/fs/cgroup';
const podNetwork = '10.244.0.0/24';

const configOf = (folder: TempFolder, socket: string): string => `version = 2
root = "${folder.file('containerd/root')}"
state = "${folder.file('containerd/state')}"
[grpc]
  address = "${socket}"
[plugins."io.containerd.internal.v1.opt"]
  path = "${folder.file('containerd/opt')}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  # Not every machine that runs tests has CAP_SYS_RESOURCE, without which a score cannot be lowered.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${folder.file('cni')}"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
`;

// Pods have addresses inside the machine and no way out of it: that takes no firewall.
const networkOf = (folder: TempFolder) => ({
  cniVersion: '1.0.0',
  name: 'pods',
  plugins: [
    {
      type: 'ptp',
      ipam: {
        type: 'host-local',
        ranges: [[{ subnet: podNetwork }]],
        routes: [{ dst: '0.0.0.0/0' }],
        dataDir: folder.file('cni-addresses'),
      },
    },
  ],
});

/** Starts a containerd with all its files in `folder` and images of ours, without a network for pods. */
export async function startContainerd(folder: TempFolder, machine: Machine): Promise<Containerd> {
  const socket = folder.file('containerd.sock');
  await mkdir(folder.file('containerd'), { recursive: true });
  await mkdir(folder.file('cni'));
  await writeFile(folder.file('containerd.toml'), configOf(folder, socket));
  const process = machine.spawn('containerd', ['--config', folder.file('containerd.toml'), '--log-level', 'warn'], {
    name: 'containerd',
  });
  const ctr = (...args: readonly string[]) => machine.run('ctr', ['-a', socket, '-n', 'k8s.io', ...args]);
  await waitFor(() => ctr('version'), { what: 'containerd to answer', processes: [process] });
  const load = async (archive: Uint8Array): Promise<void> => {
    const path = folder.file('image.tar');
    await writeFile(path, archive);
    await ctr('images', 'import', path);
    await rm(path);
  };
  for (const archive of await busyboxArchives()) await load(archive);
  return {
    load,
    plugNetwork: () => writeFile(folder.file('cni/10-pods.conflist'), JSON.stringify(networkOf(folder))),
    endpoint: `unix://${socket}`,
    process,
    sweep: async () => {
      const ids = await readdir(folder.file('containerd/state/io.containerd.runtime.v2.task/k8s.io')).catch(() => []);
      const hierarchies = ['', ...(await readdir(cgroupRoot).catch(() => []))];
      for (const one of hierarchies) {
        const parent = join(cgroupRoot, one, 'k8s.io');
        for (const id of ids) await rmdir(join(parent, id)).catch(() => undefined);
        // Stays if another container runtime has something in it.
        await rmdir(parent).catch(() => undefined);
      }
    },
  };
}
