import { lstat, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { before } from '@vdo/base/cut-text';
import { VdoError } from '@vdo/base/vdo-error';
import { type MountEntry, mountAt, parseMountInfo } from './mount-table.ts';
import type { RunCommand } from './run-command.ts';

export interface MountRequest {
  readonly source: string;
  readonly target: string;
  /** `bind` mounts an existing file or directory. */
  readonly fsType: string;
  readonly options: readonly string[];
}

interface MountOptions {
  readonly signal: AbortSignal;
}

/** The kernel's mounts. `simulated/` has an implementation that does not mount. */
export interface Mounter {
  /** The path as in the kernel: links of its parents are resolved, without a trailing slash. A path that is a link itself is refused. */
  place(path: string, options: MountOptions): Promise<string>;
  /** All mounts, in the order in which they were made. */
  list(options: MountOptions): Promise<readonly MountEntry[]>;
  /** The topmost mount at the path; undefined if there is none. */
  at(target: string, options: MountOptions): Promise<MountEntry | undefined>;
  mount(request: MountRequest, options: MountOptions): Promise<void>;
  /** Makes one mount read-only; other mounts of the same file system are not changed. */
  remountReadOnly(target: string, options: MountOptions): Promise<void>;
  /** Unmounts all mounts that are stacked at the path. It is not an error if there are none. */
  unmount(target: string, options: MountOptions): Promise<void>;
}

const failed = (what: string, output: string, remedy?: string): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `${what}: ${output.trim()}`,
    remedy: remedy ?? 'The kubelet retries. See dmesg on the node for details.',
  });

const isLink = (path: string): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `${path} is a symbolic link, expected a directory or a file that is used as a mount point`,
    remedy: `A symbolic link could hide what is mounted. Inspect it with ls -l ${path} on the node and remove it.`,
    retry: 'on-change',
  });

/** More mounts than this at one path indicate a problem that an unmount cannot solve. */
const maxStacked = 32;

/** If a server does not respond, every call on its mount blocks, some of them forever. */
export const networkLimitMs = 20_000;
/** Time limit to connect to a server and mount; the kubelet waits two minutes. */
const networkMountLimitMs = 60_000;
/** Before an unmount, cached data has to be written to the disk; at a mount, its log has to be replayed. */
const diskLimitMs = 100_000;
const deadServer = /stale|transport endpoint|input\/output error|host is down/i;
const busy = /target is busy/i;

export const isNetwork = ({ fsType }: Pick<MountEntry, 'fsType'>): boolean => fsType.startsWith('nfs');

const serverOf = (source: string): string => before(source, ':/');

const noAnswer = ({ source, target }: MountRequest): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `cannot mount ${source} at ${target}: the file server did not answer within ${networkMountLimitMs / 1000} s`,
    remedy: `The kubelet retries. Check on the node whether ${serverOf(source)} is reachable at TCP port 2049, and in vCenter whether the vSAN file service is healthy.`,
  });

/** The kernel's message, without the paths of the command, because these may contain any text. */
const errnoText = (stderr: string, ...paths: readonly string[]): string =>
  paths.reduce((text, path) => text.replaceAll(path, ''), stderr);

const notUnmounted = ({ target, source }: MountEntry, said: string): VdoError =>
  failed(
    `cannot unmount ${target} (${source})`,
    said.replace(/^umount:\s*:?\s*/, ''),
    busy.test(said)
      ? `The kubelet retries until it is no longer used. fuser --verbose --mount ${target} on the node shows which processes use it.`
      : undefined,
  );

/** The path and its parents may be missing: they are created when a volume is published. */
const realParent = async (path: string): Promise<string> => {
  const parent = dirname(path);
  if (parent === path) return path;
  return realpath(parent).catch(async () => join(await realParent(parent), basename(parent)));
};

export const createMounter = (run: RunCommand, mountInfoPath = '/proc/self/mountinfo'): Mounter => {
  const list: Mounter['list'] = async ({ signal }) =>
    parseMountInfo(await readFile(mountInfoPath, { encoding: 'utf8', signal }));
  const at: Mounter['at'] = async (target, options) => mountAt(await list(options), target);

  const mountOnce = async (args: readonly string[], request: MountRequest, signal: AbortSignal): Promise<void> => {
    const network = isNetwork(request);
    const limitMs = network ? networkMountLimitMs : diskLimitMs;
    const { exitCode, stdout, stderr, timedOut } = await run('mount', args, { signal, limitMs });
    if (timedOut && network) throw noAnswer(request);
    if (timedOut)
      throw failed(`cannot mount ${request.source} at ${request.target}`, `it did not end within ${limitMs / 1000} s`);
    if (exitCode !== 0) throw failed(`cannot mount ${request.source} at ${request.target}`, stderr || stdout);
  };

  const unmountOnce = async (mounted: MountEntry, signal: AbortSignal): Promise<void> => {
    const { target, source } = mounted;
    const network = isNetwork(mounted);
    const limitMs = network ? networkLimitMs : diskLimitMs;
    const { exitCode, stdout, stderr, timedOut } = await run('umount', [target], { signal, limitMs });
    if (exitCode === 0) return;
    const said = errnoText(stderr || stdout, target, source);
    // A disk is never unmounted lazily: a process that still writes to it would continue while the disk is detached.
    if (!network) throw notUnmounted(mounted, timedOut ? `it did not end within ${limitMs / 1000} s` : said);
    if (!timedOut && !deadServer.test(said)) throw failed(`cannot unmount ${target}`, stderr || stdout);
    // A share whose server does not respond can only be unmounted lazily; calls that still wait for the server are aborted by force.
    const lazy = await run('umount', ['-f', '-l', target], { signal, limitMs });
    if (lazy.exitCode !== 0) throw failed(`cannot unmount ${target}`, lazy.stderr || lazy.stdout);
  };

  return {
    place: async (path, options) => {
      const clean = resolve(path);
      const real = join(await realParent(clean), basename(clean));
      // A mount point is not a link, and stat() on a dead mount may never return.
      if (await at(real, options)) return real;
      const kind = await lstat(real).catch(() => undefined);
      if (kind?.isSymbolicLink()) throw isLink(real);
      return real;
    },
    list,
    at,
    mount: async (request, { signal }) => {
      const { source, target, fsType, options } = request;
      if (fsType !== 'bind') {
        const list = options.length > 0 ? ['-o', options.join(',')] : [];
        // The source of a share comes from vCenter and must not be parsed as an option.
        return mountOnce(['-t', fsType, ...list, '--', source, target], request, signal);
      }
      await mountOnce(['--bind', '--', source, target], request, signal);
      // The kernel ignores mount options in the bind mount itself.
      if (options.length > 0) await mountOnce(['-o', `remount,bind,${options.join(',')}`, target], request, signal);
      return undefined;
    },
    remountReadOnly: (target, { signal }) =>
      mountOnce(['-o', 'remount,bind,ro', target], { source: target, target, fsType: 'bind', options: ['ro'] }, signal),
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
