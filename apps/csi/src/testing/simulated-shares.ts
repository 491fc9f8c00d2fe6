import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createMounter, type Mounter } from '@vdo/linux-disks/mounter';
import type { RunCommand } from '@vdo/linux-disks/run-command';

/** What stands for the file server: a folder, which real mounts of the kernel show under the name of the share. */
export const accessPoint = 'files.example:/vsanfs/share';

const overlayOf = (folder: string): string => {
  const [lower, upper, work] = ['lower', 'content', 'work'].map((name) => join(folder, name));
  for (const path of [lower, upper, work]) mkdirSync(path ?? '', { recursive: true });
  return `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
};

/** Programs and mounts of a machine whose kernel has no NFS: a share is mounted as an overlay, and everything else as it is. */
export const simulateShares = (
  real: RunCommand,
  folder: string,
): { readonly run: RunCommand; readonly mounter: Mounter } => {
  const run: RunCommand = (command, args, options) => {
    if (command !== 'mount' || !args.includes('nfs4')) return real(command, args, options);
    const asked = args[args.indexOf('-o') + 1]?.split(',') ?? [];
    const access = asked.findLast((option) => option === 'ro' || option === 'rw') ?? 'rw';
    return real('mount', ['-t', 'overlay', '-o', `${access},${overlayOf(folder)}`, ...args.slice(-2)], options);
  };
  const mounter = createMounter(run);
  const list: Mounter['list'] = async (options) =>
    (await mounter.list(options)).map((entry) => (entry.source === accessPoint ? { ...entry, fsType: 'nfs4' } : entry));
  const at: Mounter['at'] = async (target, options) =>
    (await list(options)).findLast((entry) => entry.target === target);
  return { run, mounter: { ...mounter, list, at } };
};
