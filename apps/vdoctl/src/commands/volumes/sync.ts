import { sleep } from '@vdo/base/clock';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { configMaps } from '@vdo/kube/types/core';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { printResult } from '../../output/print-result.ts';
import { createProgress } from '../../output/progress.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import type { SyncFlags } from './command.ts';

/** What the storage driver answers, under the key `synced` of its ConfigMap. */
interface SyncAnswer {
  readonly request: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly problem?: string;
}

const pollMs = 1_000;

const notThere = (namespace: string, cause: unknown): VdoError =>
  new VdoError({
    code: 'ConfigMissing',
    message: `namespace ${namespace} has no ConfigMap ${names.csiSyncReport}: the storage driver of VDO has not run a full sync in this cluster yet`,
    remedy: 'Wait until vdoctl status shows Healthy. The upstream driver takes no such request.',
    cause,
  });

const late = (seconds: number): VdoError =>
  new VdoError({
    code: 'DeadlineExceeded',
    message: `the storage driver did not end a full sync within ${seconds} s`,
    remedy: 'The request stays: the driver answers it when it runs. See vdoctl status, or wait longer with --timeout.',
  });

const answerTo = async (kube: KubeClient, namespace: string, request: string, signal: AbortSignal) => {
  const found = await kube.find(configMaps, { namespace, name: names.csiSyncReport }, { signal });
  try {
    const answer = JSON.parse(found?.data?.['synced'] ?? '{}') as Partial<SyncAnswer>;
    return answer.request === request ? (answer as SyncAnswer) : undefined;
  } catch {
    return undefined;
  }
};

/** vdoctl volumes sync */
export const syncVolumes: CommandRun<SyncFlags> = (context, flags) =>
  withCluster(context, flags, async ({ kube, namespace }) => {
    const { clock, random, signal } = context;
    const request = random.uuid();
    const key = { namespace, name: names.csiSyncReport };
    await kube
      .patch(configMaps, key, { type: 'merge', body: { data: { sync: request } } }, { signal })
      .catch((error: unknown) => {
        throw isVdoError(error, 'KubeNotFound') ? notThere(namespace, error) : error;
      });
    const progress = createProgress(context);
    const untilMs = clock.monotonicMs() + flags.timeout * 1000;
    let answer: SyncAnswer | undefined;
    while (!answer) {
      if (clock.monotonicMs() >= untilMs) throw late(flags.timeout);
      progress.update('waiting for the full sync of the storage driver');
      await sleep(clock, pollMs, { signal });
      answer = await answerTo(kube, namespace, request, signal);
    }
    progress.end();
    const { problem, startedAt, endedAt } = answer;
    const said = problem === undefined ? 'ended well' : `failed: ${problem}`;
    printResult(context, flags.output, {
      data: answer,
      lines: () => [`The full sync of ${startedAt} to ${endedAt} ${said}`],
    });
    return problem === undefined ? exitCodes.done : exitCodes.failed;
  });
