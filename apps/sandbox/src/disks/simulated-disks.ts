import { mkdir, open, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { every } from '@vdo/base/async/every';
import type { Clock } from '@vdo/base/clock';
import { forgetDisk, nameDisk } from '@vdo/linux-disks/simulated/name-disk';
import type { ReadAttachments } from './attachments.ts';
import { machineFolders, makeMachineFolder } from './machine-folder.ts';
import type { NodeDisks, NodeMachine } from './node-disks.ts';

export interface DisksOptions {
  readonly attachments: ReadAttachments;
  /** Interval between two polls of the attachments. Default 100 ms. */
  readonly pollMs?: number;
  /** The BIOS UUID of a node's VM. */
  readonly uuidOf: (nodeName: string) => string;
  readonly folder: string;
  readonly clock: Clock;
}

interface AttachedDisk {
  readonly machineFolder: string;
  readonly file: string;
  bytes: bigint;
}

export const defaultPollMs = 100;
/** Major number for disks without a real one. */
const major = 259;

/** Disks as sparse files, on nodes that are folders: needs no special permissions. */
export const createSimulatedDisks = async (options: DisksOptions): Promise<NodeDisks> => {
  const { clock, pollMs = defaultPollMs } = options;
  await mkdir(options.folder, { recursive: true });
  // Paths of disks are compared after links are resolved.
  const folder = await realpath(options.folder);
  const machines = new Map<string, Promise<NodeMachine>>();
  const numbers = new Map<string, number>();
  const attached = new Map<string, AttachedDisk & { readonly nodeName: string }>();

  const numberOf = (disk: string): string => {
    const minor = numbers.get(disk) ?? numbers.size + 1;
    numbers.set(disk, minor);
    return `${major}:${minor}`;
  };
  const machineFolder = (nodeName: string) => join(folder, 'machines', nodeName);
  const makeMachine = async (nodeName: string): Promise<NodeMachine> => {
    await makeMachineFolder(machineFolder(nodeName), { uuid: options.uuidOf(nodeName), realBlocks: false });
    return {
      ...machineFolders(machineFolder(nodeName)),
      mountTable: join(machineFolder(nodeName), 'mounts.json'),
    };
  };
  const machine: NodeDisks['machine'] = (nodeName) => {
    const known = machines.get(nodeName) ?? makeMachine(nodeName);
    machines.set(nodeName, known);
    return known;
  };

  const setSize = async (known: AttachedDisk) => {
    const { sysfsRoot } = machineFolders(known.machineFolder);
    await (await open(known.file, 'a')).close();
    await truncate(known.file, Number(known.bytes));
    await writeFile(join(sysfsRoot, 'class/block', basename(known.file), 'size'), `${known.bytes / 512n}\n`);
  };
  const attach = async (diskUuid: string, nodeName: string, bytes: bigint) => {
    await machine(nodeName);
    const id = diskUuid.replaceAll('-', '').toLowerCase();
    const known = { machineFolder: machineFolder(nodeName), file: join(folder, 'disks', id), bytes };
    const { sysfsRoot, devRoot } = machineFolders(known.machineFolder);
    await mkdir(join(folder, 'disks'), { recursive: true });
    const block = join(sysfsRoot, 'class/block', id);
    await mkdir(block, { recursive: true });
    await setSize(known);
    const number = numberOf(known.file);
    await writeFile(join(block, 'dev'), `${number}\n`);
    await rm(join(sysfsRoot, 'dev/block', number), { force: true });
    await symlink(block, join(sysfsRoot, 'dev/block', number));
    await nameDisk({ sysfsRoot, devRoot, path: known.file, diskUuid });
    return known;
  };
  const detach = async ({ machineFolder: home, file }: AttachedDisk) => {
    const { sysfsRoot, devRoot } = machineFolders(home);
    await forgetDisk({ sysfsRoot, devRoot, path: file, diskUuid: basename(file) });
    await rm(join(sysfsRoot, 'dev/block', numberOf(file)), { force: true });
    await rm(join(sysfsRoot, 'class/block', basename(file)), { recursive: true, force: true });
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
        await setSize(known);
      }
      if (!known) attached.set(id, { ...(await attach(diskUuid, nodeName, bytes)), nodeName });
    }
  };

  return {
    kind: 'simulated',
    machine,
    // If the VM was deleted meanwhile, the next poll will not have it.
    run: (signal) => every(() => follow().catch(() => {}), { clock, periodMs: pollMs }, signal),
  };
};
