import { mkdir, open, realpath, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { every } from '@vdo/base/async/every';
import { sleep } from '@vdo/base/clock';
import { createMounter } from '@vdo/linux-disks/mounter';
import { createCommandRunner, type RunCommand, runOrThrow } from '@vdo/linux-disks/run-command';
import { forgetDisk, type NamedDisk, nameDisk } from '@vdo/linux-disks/simulated/name-disk';
import { machineFolders, makeMachineFolder } from './machine-folder.ts';
import type { NodeDisks, NodeMachine } from './node-disks.ts';
import { type DisksOptions, defaultPollMs } from './simulated-disks.ts';

interface LoopDisk {
  /** The VM it is attached to. */
  readonly nodeName: string;
  readonly device: string;
  readonly file: string;
  /** Device name in the kernel. */
  readonly named: NamedDisk;
  bytes: bigint;
}

const programs = ['losetup', 'mount', 'umount', 'blkid', 'mkfs.ext4', 'fsck'];
const forever = { signal: new AbortController().signal };

/** Whether this process can create and mount block devices: it needs root and the programs, and most containers do not allow it. */
export const canUseLoopDisks = async (folder: string, run: RunCommand, uid: number): Promise<boolean> => {
  if (uid !== 0) return false;
  const file = join(folder, 'probe.img');
  const target = join(folder, 'probe');
  try {
    for (const program of programs) await runOrThrow(run, 'which', [program], forever);
    await (await open(file, 'w')).close();
    await truncate(file, 8 * 2 ** 20);
    await mkdir(target, { recursive: true });
    const device = (await runOrThrow(run, 'losetup', ['--find', '--show', file], forever)).trim();
    try {
      await runOrThrow(run, 'mkfs.ext4', ['-q', device], forever);
      await runOrThrow(run, 'mount', [device, target], forever);
      await runOrThrow(run, 'umount', [target], forever);
      return true;
    } finally {
      await run('losetup', ['--detach', device], forever);
    }
  } catch {
    return false;
  } finally {
    await rm(file, { force: true });
    await rm(target, { recursive: true, force: true });
  }
};

/** Disks that are loop devices of this machine, formatted and mounted as on a real node. Needs root. */
export const createLoopDisks = async (options: DisksOptions & { readonly path: string }): Promise<NodeDisks> => {
  const { clock, pollMs = defaultPollMs } = options;
  await mkdir(options.folder, { recursive: true });
  const folder = await realpath(options.folder);
  const run = createCommandRunner({ PATH: options.path });
  const mounter = createMounter(run);
  const machines = new Map<string, Promise<NodeMachine>>();
  const attached = new Map<string, LoopDisk>();
  const machineFolder = (nodeName: string) => join(folder, nodeName);

  const makeMachine = async (nodeName: string): Promise<NodeMachine> => {
    await makeMachineFolder(machineFolder(nodeName), { uuid: options.uuidOf(nodeName), realBlocks: true });
    return machineFolders(machineFolder(nodeName));
  };
  const machine: NodeDisks['machine'] = (nodeName) => {
    const known = machines.get(nodeName) ?? makeMachine(nodeName);
    machines.set(nodeName, known);
    return known;
  };

  const setSize = async (file: string, bytes: bigint): Promise<void> => {
    await (await open(file, 'a')).close();
    await truncate(file, Number(bytes));
  };
  const attach = async (diskUuid: string, nodeName: string, bytes: bigint): Promise<LoopDisk> => {
    const { devRoot, sysfsRoot } = await machine(nodeName);
    const id = diskUuid.replaceAll('-', '').toLowerCase();
    const file = join(folder, `${id}.img`);
    await setSize(file, bytes);
    const device = (await runOrThrow(run, 'losetup', ['--find', '--show', file], forever)).trim();
    const named = { devRoot, sysfsRoot, path: device, diskUuid };
    await nameDisk(named);
    return { nodeName, device, file, named, bytes };
  };
  const detach = async ({ device, named }: LoopDisk): Promise<void> => {
    await forgetDisk(named);
    await run('losetup', ['--detach', device], forever);
  };

  const follow = async (): Promise<void> => {
    const wanted = new Map((await options.attachments()).map((one) => [one.id, one]));
    for (const [id, known] of attached) {
      // It may have moved to another VM since the last poll.
      if (wanted.get(id)?.nodeName === known.nodeName) continue;
      attached.delete(id);
      await detach(known);
    }
    for (const [id, { diskUuid, bytes, nodeName }] of wanted) {
      const known = attached.get(id);
      if (known && known.bytes !== bytes) {
        known.bytes = bytes;
        await setSize(known.file, bytes);
        await run('losetup', ['--set-capacity', known.device], forever);
      }
      if (!known) attached.set(id, await attach(diskUuid, nodeName, bytes));
    }
  };

  /** Everything that is still mounted from these disks, the topmost first. */
  const unmountAll = async (): Promise<void> => {
    const devices = new Set([...attached.values()].map(({ device }) => device));
    const mounted = (await mounter.list(forever)).filter(({ source }) => devices.has(source)).reverse();
    for (const { target } of mounted) await mounter.unmount(target, forever).catch(() => {});
    // The kernel releases a device a moment after its last unmount.
    await sleep(clock, pollMs);
    for (const disk of attached.values()) await detach(disk).catch(() => {});
  };

  return {
    kind: 'real',
    machine,
    run: async (signal) => {
      // If the VM was deleted meanwhile, the next poll will not have it.
      await every(() => follow().catch(() => {}), { clock, periodMs: pollMs }, signal);
      await unmountAll();
    },
  };
};
