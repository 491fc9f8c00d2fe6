import { allChecks } from '@vdo/checks/all-checks';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { nodes, persistentVolumes } from '@vdo/kube/types/core';
import type { NameKind } from '../../cli/command.ts';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { explanations } from '../../shared/words/explanations.ts';

/** A user who pressed Tab does not wait longer. */
const patienceMs = 3_000;

const nodeNames = async (kube: KubeClient, signal: AbortSignal): Promise<readonly string[]> =>
  (await kube.list(nodes, { signal })).items.map(({ metadata }) => metadata.name ?? '');

/** PersistentVolumeClaims, by which users know volumes, and PersistentVolumes. */
const volumeNames = async (kube: KubeClient, signal: AbortSignal): Promise<readonly string[]> =>
  (await kube.list(persistentVolumes, { signal })).items
    .filter(({ spec }) => spec.csi?.driver === names.csiDriver)
    .flatMap(({ metadata: { name = '' }, spec: { claimRef } }) => [
      ...(claimRef ? [`${claimRef.namespace}/${claimRef.name}`] : []),
      name,
    ]);

/** The cluster flags in the command line that is being completed. */
const clusterOf = (line: readonly string[]): { readonly kubeconfig?: string; readonly context?: string } => {
  const flagValue = (flag: string): string | undefined => {
    const joined = line.find((word) => word.startsWith(`${flag}=`));
    const at = line.indexOf(flag);
    return joined?.slice(flag.length + 1) ?? (at < 0 ? undefined : line[at + 1]);
  };
  const [kubeconfig, context] = [flagValue('--kubeconfig'), flagValue('--context')];
  return { ...(kubeconfig === undefined ? {} : { kubeconfig }), ...(context === undefined ? {} : { context }) };
};

const ofCluster = (
  context: CliContext,
  line: readonly string[],
  read: (kube: KubeClient, signal: AbortSignal) => Promise<readonly string[]>,
): Promise<readonly string[]> => {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(patienceMs)]);
  const quiet = { ...context, signal, terminal: { ...context.terminal, err: () => undefined } };
  const flags = { namespace: names.namespace, ...clusterOf(line) };
  // Without a cluster there is nothing to complete; completion must not print errors.
  return withCluster(quiet, flags, ({ kube }) => read(kube, signal)).catch(() => []);
};

const read: Readonly<Record<NameKind, (context: CliContext, line: readonly string[]) => Promise<readonly string[]>>> = {
  nodes: (context, line) => ofCluster(context, line, nodeNames),
  volumes: (context, line) => ofCluster(context, line, volumeNames),
  words: async () => explanations().map(({ code }) => code),
  checks: async () => allChecks.flatMap(({ id }) => [id.split('/')[0] ?? id, id]),
};

/** vdoctl completion names KIND [-- LINE...]: called by the completion scripts. */
export const completionNames: CommandRun<unknown> = async (context, _, [kind, ...line]) => {
  const found = [...new Set(await read[kind as NameKind](context, line))];
  context.terminal.out(found.map((name) => `${name}\n`).join(''));
  return exitCodes.done;
};
