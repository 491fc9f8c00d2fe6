import { readFile } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import { type MountEntry, mountAt, parseMountInfo } from './mount-table.ts';
import type { RunCommand } from './run-command.ts';

export interface MountRequest {
  readonly source: string;
  readonly target: string;
  /** `bind` mounts what exists elsewhere. */
  readonly fsType: string;
  readonly options: readonly string[];
}

/** Mounts as the kernel sees them. The sandbox has one that only pretends. */
export interface Mounter {
  /** All mounts, in the order they were made. */
  list(options: { readonly signal: AbortSignal }): Promise<readonly MountEntry[]>;
  /** What is mounted at the path, topmost; undefined if nothing is. */
  at(target: string, options: { readonly signal: AbortSignal }): Promise<MountEntry | undefined>;
  mount(request: MountRequest, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Unmounts all that is stacked on the path. Nothing mounted is no error. */
  unmount(target: string, options: { readonly signal: AbortSignal }): Promise<void>;
}

const failed = (what: string, output: string): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `${what}: ${output.trim()}`,
    remedy: 'It is tried again. dmesg on the node often tells more.',
  });

/** More than this on one path is no accident that unmounting can solve. */
const maxStacked = 32;

/** A server that is away makes every call on its mount wait, some for ever. */
export const networkTimeoutSeconds = 20;
/** How timeout(1) ends when it had to end the command. */
const timedOut: readonly number[] = [124, 137];
const deadMount = /stale|transport endpoint|input\/output error|host is down/i;

export const isNetwork = ({ fsType }: MountEntry): boolean => fsType.startsWith('nfs');

export const createMounter = (run: RunCommand, mountInfoPath = '/proc/self/mountinfo'): Mounter => {
  const list: Mounter['list'] = async ({ signal }) =>
    parseMountInfo(await readFile(mountInfoPath, { encoding: 'utf8', signal }));
  const at: Mounter['at'] = async (target, options) => mountAt(await list(options), target);

  const mountOnce = async (args: readonly string[], what: string, signal: AbortSignal): Promise<void> => {
    const { exitCode, stdout, stderr } = await run('mount', args, { signal });
    if (exitCode !== 0) throw failed(what, stderr || stdout);
  };

  const unmountOnce = async (mounted: MountEntry, signal: AbortSignal): Promise<void> => {
    const { target } = mounted;
    const patience = isNetwork(mounted) ? ['timeout', '--kill-after=5', String(networkTimeoutSeconds)] : [];
    const [command = '', ...args] = [...patience, 'umount', target];
    const { exitCode, stdout, stderr } = await run(command, args, { signal });
    if (exitCode === 0) return;
    // A mount whose server or device is gone can only be taken out of sight.
    const isDead = timedOut.includes(exitCode) || deadMount.test(stderr);
    if (!isDead) throw failed(`cannot unmount ${target}`, stderr || stdout);
    const lazy = await run('umount', ['-l', target], { signal });
    if (lazy.exitCode !== 0) throw failed(`cannot unmount ${target}`, lazy.stderr || lazy.stdout);
  };

  return {
    list,
    at,
    mount: async ({ source, target, fsType, options }, { signal }) => {
      const what = `cannot mount ${source} at ${target}`;
      if (fsType !== 'bind') {
        const list = options.length > 0 ? ['-o', options.join(',')] : [];
        return mountOnce(['-t', fsType, ...list, source, target], what, signal);
      }
      await mountOnce(['--bind', source, target], what, signal);
      // The kernel ignores options at the bind itself.
      if (options.length > 0) await mountOnce(['-o', `remount,bind,${options.join(',')}`, target], what, signal);
      return undefined;
    },
    unmount: async (target, { signal }) => {
      for (let count = 0; ; count++) {
        const mounted = await at(target, { signal });
        if (!mounted) return;
        if (count >= maxStacked) throw failed(`cannot unmount ${target}`, `${maxStacked} mounts are stacked on it`);
        await unmountOnce(mounted, signal);
      }
    },
  };
};
