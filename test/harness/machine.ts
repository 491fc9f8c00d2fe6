import { rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTempFolder, type TempFolder } from './cleanup.ts';
import { type LoggedProcess, type SpawnOptions, spawnLogged } from './process.ts';
import { run } from './run.ts';
import { waitFor } from './wait-for.ts';

/** An address inside the machine behind which a port of our loopback answers. */
export interface Door {
  /** `127.0.0.1`, or any other address, which the machine then has. */
  readonly address: string;
  readonly port: number;
  readonly leadsTo: number;
}

/** What a machine is made with. */
export interface MachineOptions {
  readonly folder: TempFolder;
  readonly hostName: string;
  /** Its address, `10.10.0.11/24`. */
  readonly address: string;
  /** What programs read as the UUID of the hardware. */
  readonly uuid: string;
  /** What the machine reaches of the world outside. */
  readonly doors: readonly Door[];
  /** Where a proxy (HTTP CONNECT) into the machine's network listens. */
  readonly proxySocket: string;
}

/**
 * A machine inside this one: processes, mounts, network and host name of its own, on the same kernel and with the same files.
 * When it stops, the kernel ends all that runs in it and takes its mounts away. Needs root.
 */
export interface Machine {
  readonly gate: LoggedProcess;
  /** Its mounts, as its processes see them. */
  readonly mountInfoPath: string;
  /** A path of the machine as we can open it: what is mounted there is mounted for the machine only. */
  path(inside: string): string;
  /** Runs a program in the machine to its end. */
  run(command: string, args: readonly string[]): Promise<string>;
  /** Starts a program in the machine. Whatever signal is sent, the program is killed. */
  spawn(command: string, args: readonly string[], options?: SpawnOptions): LoggedProcess;
  stop(): Promise<void>;
}

const gateProgram = fileURLToPath(new URL('machine-gate.mjs', import.meta.url));

// A kubelet sets these for the whole kernel. It finds them set, and what it writes goes to files of ours.
const kernelSettings = {
  'vm/overcommit_memory': 1,
  'vm/panic_on_oom': 0,
  'kernel/panic': 10,
  'kernel/panic_on_oops': 1,
  'kernel/keys/root_maxkeys': 1_000_000,
  'kernel/keys/root_maxbytes': 25_000_000,
};

// The process id by which we know the machine is read before /proc is the machine's own. Disks that others have mounted below
// the folder of temporary files are let go: here they would stay in use when those have unmounted them.
// Mounts are shared, as on any machine that runs kubelets: what a pod mounts for the node is seen by the node, and no further.
const bootScript = `
set -e
read -r pid rest </proc/self/stat
cut -d' ' -f5 /proc/self/mountinfo | while read -r target; do
  case "$target" in "$5"/*) umount -l "$(printf '%b' "$target")" ;; esac
done
mount --make-rshared /
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/log
for file in /sys/class/dmi/id/product_uuid /etc/machine-id; do
  if [ -e "$file" ]; then mount --bind "$1/uuid" "$file"; fi
done
for name in ${Object.keys(kernelSettings).join(' ')}; do
  if [ -e "/proc/sys/$name" ]; then mount --bind "$1/sysctl-$(echo "$name" | tr / -)" "/proc/sys/$name"; fi
done
hostname "$2"
ip link set lo up
for door in $4; do ip address add "$door/32" dev lo; done
ip link add eth0 type bridge
ip address add "$3" dev eth0
ip link set eth0 up
echo "machine $pid is up"
while :; do sleep 3600 & wait $!; done
`;

/** Passes connections at a socket in the file system on to a port of our loopback. */
const serveOutside = async (path: string, port: number): Promise<Server & { readonly open: Set<Socket> }> => {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.once('close', () => open.delete(one));
      one.on('error', () => other.destroy());
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  return Object.assign(server, { open });
};

/** Starts a machine. Nothing is left running if it throws. */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  const { folder, hostName, address, uuid, doors, proxySocket } = options;
  const files = await createTempFolder('machine');
  await writeFile(files.file('uuid'), `${uuid}\n`);
  for (const [name, value] of Object.entries(kernelSettings))
    await writeFile(files.file(`sysctl-${name.replaceAll('/', '-')}`), `${value}\n`);
  const gates = doors.map((door, index) => ({ ...door, socket: files.file(`door-${index}.sock`) }));
  const outside = await Promise.all(gates.map(({ socket, leadsTo }) => serveOutside(socket, leadsTo)));
  const namespaces = ['--mount', '--pid', '--net', '--uts'];
  const own = new Set(doors.map((door) => door.address).filter((one) => !one.startsWith('127.')));
  const boot = ['--', 'sh', '-c', bootScript, 'boot', files.path, hostName, address, [...own].join(' '), tmpdir()];
  const init = spawnLogged('unshare', [...namespaces, '--fork', '--kill-child', ...boot], { name: hostName });
  let pid: number | undefined;
  const stop = async (): Promise<void> => {
    // Its first process takes all others with it; `unshare` ends when they are gone.
    if (pid !== undefined && init.exitCode() === undefined) process.kill(pid, 'SIGKILL');
    else init.kill('SIGKILL');
    await init.exited;
    for (const server of outside) {
      for (const socket of server.open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
    await files.remove();
  };
  try {
    const up = await waitFor(() => /machine (\d+) is up/.exec(init.tail()), {
      what: `${hostName} to be up`,
      processes: [init],
    });
    pid = Number(up[1]);
    const enter = ['--target', String(pid), ...namespaces, '--', 'setpriv', '--pdeathsig', 'KILL', '--'];
    const spawn: Machine['spawn'] = (command, args, spawnOptions) =>
      spawnLogged('nsenter', [...enter, command, ...args], { name: command, ...spawnOptions });
    await rm(proxySocket, { force: true });
    const gate = spawn(process.execPath, [gateProgram, proxySocket, JSON.stringify(gates)], {
      name: 'gate',
      cwd: folder.path,
    });
    return {
      gate,
      mountInfoPath: `/proc/${pid}/mountinfo`,
      path: (inside) => join(`/proc/${pid}/root`, inside),
      run: (command, args) => run('nsenter', [...enter, command, ...args]),
      spawn,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
