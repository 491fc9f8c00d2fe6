import { isVdoError } from '@vdo/base/vdo-error';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';
import { persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import { storageClasses } from '@vdo/kube/types/storage';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { createLiveView, staleLines } from '../../output/live-view.ts';
import { createProgress } from '../../output/progress.ts';
import { paintFor } from '../../output/style.ts';
import { refreshChecks } from '../../shared/checkup/ask-for-checks.ts';
import { brokenThings } from '../../shared/cluster/ask-sandbox.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { watchView } from '../../shared/cluster/watch-view.ts';
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

/** Without permission to list volumes, the rest is still shown. */
const readVolumes = async (kube: KubeClient, signal: AbortSignal): Promise<VolumeCounts | undefined> => {
  try {
    return countVolumes((await kube.list(persistentVolumes, { signal })).items);
  } catch (error) {
    if (isVdoError(error, 'KubeForbidden')) return undefined;
    throw error;
  }
};

/** Without permission to list claims or StorageClasses, the rest is still shown. */
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

/** vdoctl status */
export const status: CommandRun<StatusFlags> = (context, flags) =>
  withCluster(context, flags, async ({ kube, server, sandbox }) => {
    const { signal } = context;
    const observe = async (): Promise<StatusReport> => {
      const [resource, volumes, claims, broken] = await Promise.all([
        readDrivers(kube, signal),
        readVolumes(kube, signal),
        readClaims(kube, context),
        brokenThings(sandbox, context),
      ]);
      return statusReport({ resource, server, volumes, claims, broken });
    };
    const view = createLiveView(context, flags.output);
    const print = (report: StatusReport, problem?: string): void =>
      view.show({
        data: report,
        lines: ({ wide }) => [
          ...statusLines(report, {
            wide,
            paint: paintFor(context, flags),
            width: Math.min(context.terminal.columns ?? 100, 120),
            nowMs: context.clock.now(),
          }),
          ...staleLines(problem),
        ],
      });
    if (flags.refresh && (await readDrivers(kube, signal))) {
      const progress = createProgress(context);
      progress.update('Waiting for the operator to run all checks');
      const isDone = await refreshChecks(kube, context).finally(progress.end);
      if (!isDone)
        context.terminal.err(
          `The operator did not run the checks within one minute; these are the last results. Check that it runs: kubectl -n ${flags.namespace} get deployment vdo-operator\n`,
        );
    }
    let report: StatusReport | undefined;
    const show = async (): Promise<StatusReport> => {
      report = await observe();
      print(report);
      return report;
    };
    const redraw = { everyMs: 1000, draw: (problem: string | undefined) => report && print(report, problem) };
    if (flags.watch)
      await watchView(
        context,
        { kube, resources: [vsphereDrivers], restMs: 500, ...(view.redraws ? { redraw } : {}) },
        async () => void (await show()),
      );
    const { health } = report ?? (await show());
    const isFine = health === 'Healthy' || (health === 'Attention' && !flags.strict);
    return isFine ? exitCodes.done : exitCodes.unhealthy;
  });
