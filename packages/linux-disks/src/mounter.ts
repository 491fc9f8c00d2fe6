import { lstat, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { before } from '@vdo/base/cut-text';
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

interface MountOptions {
  readonly signal: AbortSignal;
}

/** Mounts as the kernel sees them. `simulated/` has one that only pretends. */
export interface Mounter {
  /** The path as the kernel names it: links of its parents followed, no slash at the end. A path that is a link itself is refused. */
  place(path: string, options: MountOptions): Promise<string>;
  /** All mounts, in the order they were made. */
  list(options: MountOptions): Promise<readonly MountEntry[]>;
  /** What is mounted at the path, topmost; undefined if nothing is. */
  at(target: string, options: MountOptions): Promise<MountEntry | undefined>;
  mount(request: MountRequest, options: MountOptions): Promise<void>;
  /** Takes the right to write from one mount, whoever else has the same file system. */
  remountReadOnly(target: string, options: MountOptions): Promise<void>;
  /** Unmounts all that is stacked on the path. Nothing mounted is no error. */
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

/** More than this on one path is no accident that unmounting can solve. */
const maxStacked = 32;

/** A server that is away makes every call on its mount wait, some for ever. */
export const networkLimitMs = 20_000;
/** To reach a server and to agree with it; the kubelet waits two minutes. */
const networkMountLimitMs = 60_000;
/** A disk has to write what is in memory before it is unmounted, and to replay its log when it is mounted. */
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

/** What the kernel said, without the paths that were given: those may say anything. */
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

/** A path may be missing, and its parents, too: publishing makes them. */
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
    // A disk is never taken out of sight: what is still writing to it would go on while it is detached.
    if (!network) throw notUnmounted(mounted, timedOut ? `it did not end within ${limitMs / 1000} s` : said);
    if (!timedOut && !deadServer.test(said)) throw failed(`cannot unmount ${target}`, stderr || stdout);
    // A share whose server is gone can only be taken out of sight; what still waits for the server is ended by force.
    const lazy = await run('umount', ['-f', '-l', target], { signal, limitMs });
    if (lazy.exitCode !== 0) throw failed(`cannot unmount ${target}`, lazy.stderr || lazy.stdout);
  };

  return {
    place: async (path, options) => {
      const clean = resolve(path);
      const real = join(await realParent(clean), basename(clean));
      // A mount point is no link, and asking a dead mount for what it is may never return.
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
        // The source of a share is what vCenter says: it must not be read as an option.
        return mountOnce(['-t', fsType, ...list, '--', source, target], request, signal);
      }
      await mountOnce(['--bind', '--', source, target], request, signal);
      // The kernel ignores options at the bind itself.
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
