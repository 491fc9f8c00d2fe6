import { isVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import { storageClasses } from '@vdo/kube/types/storage';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { printResult } from '../../output/print-result.ts';
import { createProgress } from '../../output/progress.ts';
import { paintFor } from '../../output/style.ts';
import { refreshChecks } from '../../shared/checkup/ask-for-checks.ts';
import { brokenThings } from '../../shared/cluster/ask-sandbox.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { countClaims } from '../../shared/status/count-claims.ts';
import { countVolumes } from '../../shared/status/count-volumes.ts';
import { readDrivers } from '../../shared/status/read-health.ts';
import { statusLines } from '../../shared/status/status-lines.ts';
import {
  type ClaimCounts,
  type StatusReport,
  statusReport,
  type VolumeCounts,
} from '../../shared/status/status-report.ts';
import type { StatusFlags } from './command.ts';
import { watchDrivers } from './watch-drivers.ts';

/** Who may not list volumes still gets the rest. */
const readVolumes = async (kube: KubeClient, signal: AbortSignal): Promise<VolumeCounts | undefined> => {
  try {
    return countVolumes((await kube.list(persistentVolumes, { signal })).items);
  } catch (error) {
    if (isVdoError(error, 'KubeForbidden')) return undefined;
    throw error;
  }
};

/** Who may not list claims or StorageClasses still gets the rest. */
const readClaims = async (kube: KubeClient, { signal, clock }: CliContext): Promise<ClaimCounts | undefined> => {
  try {
    const [claims, classes] = await Promise.all([
      kube.list(persistentVolumeClaims, { signal }),
      kube.list(storageClasses, { signal }),
    ]);
    return countClaims(claims.items, classes.items, clock.now());
  } catch (error) {
    if (isVdoError(error, 'KubeForbidden')) return undefined;
    throw error;
  }
};

const clearScreen = '\u001b[H\u001b[2J';

/** Between two views of --watch: on a terminal the new one takes the place of the old one. */
const separator = ({ terminal }: Pick<CliContext, 'terminal'>, { output }: StatusFlags): string => {
  if (output === 'yaml') return '---\n';
  return terminal.outIsTerminal && output !== 'json' ? clearScreen : '\n';
};

/** vdoctl status */
export const status: CommandRun<StatusFlags> = (context, flags) =>
  withCluster(context, flags, async ({ kube, server, sandbox }) => {
    const { signal } = context;
    const look = async (): Promise<StatusReport> => {
      const [resource, volumes, claims, broken] = await Promise.all([
        readDrivers(kube, signal),
        readVolumes(kube, signal),
        readClaims(kube, context),
        brokenThings(sandbox, context),
      ]);
      return statusReport({ resource, server, volumes, claims, broken });
    };
    const print = (report: StatusReport): void =>
      printResult(context, flags.output, {
        data: report,
        lines: ({ wide }) =>
          statusLines(report, {
            wide,
            paint: paintFor(context, flags),
            width: Math.min(context.terminal.columns ?? 100, 120),
            nowMs: context.clock.now(),
          }),
      });
    if (flags.refresh && (await readDrivers(kube, signal))) {
      const progress = createProgress(context);
      progress.update('The operator runs all checks');
      const isDone = await refreshChecks(kube, context).finally(progress.end);
      if (!isDone)
        context.terminal.err(
          `The operator has not run the checks within a minute; this is the last result. Is it running? kubectl -n ${flags.namespace} get deployment vdo-operator\n`,
        );
    }
    let report = await look();
    print(report);
    if (flags.watch) {
      await watchDrivers(kube, context, async () => {
        report = await look();
        context.terminal.out(separator(context, flags));
        print(report);
      });
    }
    const isFine = report.health === 'Healthy' || (report.health === 'Attention' && !flags.strict);
    return isFine ? exitCodes.done : exitCodes.unhealthy;
  });
