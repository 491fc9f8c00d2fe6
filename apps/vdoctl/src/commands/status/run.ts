import { isVdoError } from '@vdo/base/vdo-error';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';
import { persistentVolumes } from '@vdo/kube/types/core';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { printResult } from '../../output/print-result.ts';
import { paintFor } from '../../output/style.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { countVolumes } from '../../shared/status/count-volumes.ts';
import { statusLines } from '../../shared/status/status-lines.ts';
import { type StatusReport, statusReport, type VolumeCounts } from '../../shared/status/status-report.ts';
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

/** A cluster without the CRD has no resource either. */
const readDrivers = async (kube: KubeClient, signal: AbortSignal) => {
  try {
    return await kube.find(vsphereDrivers, { name: vsphereDriversName }, { signal });
  } catch (error) {
    if (isVdoError(error, 'KubeResourceMissing')) return undefined;
    throw error;
  }
};

/** vdoctl status */
export const status: CommandRun<StatusFlags> = (context, flags) =>
  withCluster(context, flags, async ({ kube, server }) => {
    const { signal } = context;
    const look = async (): Promise<StatusReport> => {
      const [resource, volumes] = await Promise.all([readDrivers(kube, signal), readVolumes(kube, signal)]);
      return statusReport({ resource, server, volumes });
    };
    const print = (report: StatusReport): void =>
      printResult(context, flags.output, {
        data: report,
        lines: ({ wide }) =>
          statusLines(report, {
            wide,
            paint: paintFor(context, flags),
            width: Math.min(context.terminal.columns ?? 100, 120),
          }),
      });
    let report = await look();
    print(report);
    if (flags.watch) {
      await watchDrivers(kube, context, async () => {
        report = await look();
        context.terminal.out(flags.output === 'yaml' ? '---\n' : '\n');
        print(report);
      });
    }
    const isFine = report.health === 'Healthy' || (report.health === 'Attention' && !flags.strict);
    return isFine ? exitCodes.done : exitCodes.unhealthy;
  });
