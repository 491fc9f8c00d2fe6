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

/** Mounts as the kernel sees them. `simulated/` has one that only pretends. */
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
export const networkLimitMs = 20_000;
/** To reach a server and to agree with it; the kubelet waits two minutes. */
const networkMountLimitMs = 60_000;
const deadMount = /stale|transport endpoint|input\/output error|host is down/i;

export const isNetwork = ({ fsType }: Pick<MountEntry, 'fsType'>): boolean => fsType.startsWith('nfs');

const serverOf = (source: string): string => source.replace(/:\/.*$/, '');

const noAnswer = ({ source, target }: MountRequest): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `cannot mount ${source} at ${target}: the file server did not answer within ${networkMountLimitMs / 1000} s`,
    remedy: `It is tried again. On the node, see whether ${serverOf(source)} answers at TCP port 2049, and in vCenter whether the vSAN file service is healthy.`,
  });

export const createMounter = (run: RunCommand, mountInfoPath = '/proc/self/mountinfo'): Mounter => {
  const list: Mounter['list'] = async ({ signal }) =>
    parseMountInfo(await readFile(mountInfoPath, { encoding: 'utf8', signal }));
  const at: Mounter['at'] = async (target, options) => mountAt(await list(options), target);

  const mountOnce = async (args: readonly string[], request: MountRequest, signal: AbortSignal): Promise<void> => {
    const limit = isNetwork(request) ? { limitMs: networkMountLimitMs } : {};
    const { exitCode, stdout, stderr, timedOut } = await run('mount', args, { signal, ...limit });
    if (timedOut) throw noAnswer(request);
    if (exitCode !== 0) throw failed(`cannot mount ${request.source} at ${request.target}`, stderr || stdout);
  };

  const unmountOnce = async (mounted: MountEntry, signal: AbortSignal): Promise<void> => {
    const { target } = mounted;
    const options = { signal, ...(isNetwork(mounted) ? { limitMs: networkLimitMs } : {}) };
    const { exitCode, stdout, stderr, timedOut } = await run('umount', [target], options);
    if (exitCode === 0) return;
    // A mount whose server or device is gone can only be taken out of sight.
    if (!timedOut && !deadMount.test(stderr)) throw failed(`cannot unmount ${target}`, stderr || stdout);
    // What still waits for the server is ended by force; a disk is not to lose what is being written.
    const force = isNetwork(mounted) ? ['-f'] : [];
    const lazy = await run('umount', [...force, '-l', target], options);
    if (lazy.exitCode !== 0) throw failed(`cannot unmount ${target}`, lazy.stderr || lazy.stdout);
  };

  return {
    list,
    at,
    mount: async (request, { signal }) => {
      const { source, target, fsType, options } = request;
      if (fsType !== 'bind') {
        const list = options.length > 0 ? ['-o', options.join(',')] : [];
        return mountOnce(['-t', fsType, ...list, source, target], request, signal);
      }
      await mountOnce(['--bind', source, target], request, signal);
      // The kernel ignores options at the bind itself.
      if (options.length > 0) await mountOnce(['-o', `remount,bind,${options.join(',')}`, target], request, signal);
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
