import { toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import type { Pod } from '@vdo/kube/types/core';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { readableLine } from '../../output/readable-line.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { findProgramPods } from '../../shared/cluster/program-pods.ts';
import { type LogSource, type LogsFlags, logSources } from './command.ts';

interface LogTarget {
  readonly pod: Pod;
  readonly container: string;
}

const findTargets = async (
  kube: KubeClient,
  input: { readonly namespace: string; readonly sources: readonly LogSource[]; readonly node: string | undefined },
  signal: AbortSignal,
): Promise<readonly LogTarget[]> =>
  (await findProgramPods(kube, { namespace: input.namespace, programs: input.sources }, signal))
    .filter(({ spec }) => input.node === undefined || spec.nodeName === input.node)
    .flatMap((pod) => pod.spec.containers.map(({ name: container }) => ({ pod, container })));

/** Prints complete lines, each after the name of its pod. */
const linePrinter = (terminal: CliContext['terminal'], prefix: string, render: (line: string) => string) => {
  let rest = '';
  const print = (line: string): void => terminal.out(`${prefix}${render(line)}\n`);
  return {
    take: (text: string): void => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(print);
    },
    end: (): void => {
      if (rest !== '') print(rest);
      rest = '';
    },
  };
};

const prefixOf = ({ pod, container }: LogTarget, several: boolean): string => {
  if (!several) return '';
  const { name } = pod.metadata;
  return pod.spec.containers.length > 1 ? `[${name} ${container}] ` : `[${name}] `;
};

/** vdoctl logs [source] */
export const showLogs: CommandRun<LogsFlags> = (context, flags, [source]) =>
  withCluster(context, flags, async ({ kube, namespace, server }) => {
    const { signal, terminal } = context;
    const sources = source === undefined ? logSources : [source as LogSource];
    const targets = await findTargets(kube, { namespace, sources, node: flags.node }, signal);
    if (targets.length === 0) {
      throw new VdoError({
        code: 'KubeNotFound',
        message: `no pod of ${sources.join(', ')} is running${flags.node === undefined ? '' : ` on node ${flags.node}`} in ${server}`,
        remedy: 'Run vdoctl status to see what is installed. Run vdoctl install to install the operator.',
      });
    }
    const render = flags.json ? (line: string) => line : readableLine;
    const show = async (target: LogTarget): Promise<boolean> => {
      const printer = linePrinter(terminal, prefixOf(target, targets.length > 1), render);
      const { namespace: of = '', name = '' } = target.pod.metadata;
      const options = {
        container: target.container,
        tailLines: flags.tail,
        ...(flags.since === undefined ? {} : { sinceSeconds: flags.since }),
        ...(flags.previous ? { previous: true } : {}),
        ...(flags.follow ? { follow: true } : {}),
        signal,
      };
      try {
        for await (const text of kube.readLog({ namespace: of, name }, options)) printer.take(text);
        return true;
      } catch (error) {
        if (signal.aborted) return true;
        terminal.err(`Cannot read the log of ${of}/${name}: ${toVdoError(error).message}\n`);
        return false;
      } finally {
        printer.end();
      }
    };
    // One log after the other; with --follow, all at the same time.
    const results = flags.follow ? await Promise.all(targets.map(show)) : [];
    if (!flags.follow) for (const target of targets) results.push(await show(target));
    return results.some((read) => read) ? exitCodes.done : exitCodes.failed;
  });
