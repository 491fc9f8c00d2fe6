import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { VdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { createProgress } from '../../output/progress.ts';
import { tar } from '../../shared/archive/tar.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { type BundleFile, collect } from './collect.ts';
import type { SupportBundleFlags } from './command.ts';

const isArchive = (path: string): boolean => /\.(tar\.gz|tgz)$/.test(path);

const requireFree = (path: string): void => {
  if (!existsSync(path)) return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `${path} already exists`,
    remedy: 'Choose another file or folder with --out.',
  });
};

const writeBundle = async (path: string, files: readonly BundleFile[], nowMs: number): Promise<void> => {
  if (isArchive(path)) {
    const folder = path.replace(/^.*\//, '').replace(/\.(tar\.gz|tgz)$/, '');
    const entries = files.map((file) => ({ path: `${folder}/${file.path}`, content: Buffer.from(file.text) }));
    await writeFile(path, gzipSync(tar(entries, { seconds: Math.floor(nowMs / 1000) })), { mode: 0o600 });
    return;
  }
  for (const file of files) {
    const target = join(path, file.path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, file.text, { mode: 0o600 });
  }
};

/** vdoctl support-bundle */
export const supportBundle: CommandRun<SupportBundleFlags> = (context, flags) =>
  withCluster(context, flags, async ({ kube, namespace, server }) => {
    const { signal, clock, terminal } = context;
    const stamp = new Date(clock.now()).toISOString().replace(/[:.]/g, '-');
    const path = flags.out ?? `vdo-support-${stamp}.tar.gz`;
    requireFree(path);
    const progress = createProgress(context);
    const { files, failures } = await collect({
      kube,
      namespaces: [...new Set([namespace, names.upstreamCsiNamespace, names.systemNamespace])],
      sinceSeconds: flags.since,
      signal,
      onProgress: progress.update,
    }).finally(() => progress.end());
    if (files.length === 0) {
      throw new VdoError({
        code: 'KubeUnreachable',
        message: `nothing could be read from ${server}: ${failures[0] ?? 'no answer'}`,
        remedy: 'Check the kubeconfig and your permissions: vdoctl versions.',
      });
    }
    const all: readonly BundleFile[] = [
      { path: 'version', text: `vdoctl/support-bundle\n${context.version}\n` },
      { path: 'failures.txt', text: failures.map((line) => `${line}\n`).join('') },
      ...files,
    ];
    await writeBundle(path, all, clock.now());
    terminal.out(`${path}\n`);
    terminal.err(`Collected ${files.length} files; ${failures.length} items could not be read (see failures.txt).\n`);
    return exitCodes.done;
  });
