import type { Attempt } from '@vdo/acts/attempt';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import { deleteDisk } from '@vdo/acts/disks/delete-disk';
import type { Owner } from '@vdo/acts/disks/disk-evidence';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { printResult } from '../../output/print-result.ts';
import { renderTable } from '../../output/table.ts';
import { withVCenters } from '../../shared/checkup/open-vcenters.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { readResource } from '../../shared/cluster/read-resource.ts';
import { actingHere } from './acting-here.ts';
import { clusterIdOf } from './cluster-id-of.ts';
import type { CleanupFlags } from './command.ts';
import { observeVolume, type SeenVolume } from './observe-volume.ts';
import { type KeepReason, whyKeep } from './why-keep.ts';

interface CleanupRow {
  readonly id: string;
  readonly name: string | null;
  readonly capacityGb: number | null;
  readonly vcenter: string | null;
  readonly action: 'delete' | 'keep';
  readonly rule: KeepReason['rule'] | null;
  readonly reason: string | null;
}

const rowOf = (id: string, { facts, found }: SeenVolume): CleanupRow => {
  const why = whyKeep(facts);
  return {
    id,
    name: facts.volume?.name ?? null,
    capacityGb: facts.volume ? Number(facts.volume.capacityMb) / 1024 : null,
    vcenter: found?.vcenter.server ?? null,
    action: why ? 'keep' : 'delete',
    rule: why?.rule ?? null,
    reason: why?.reason ?? null,
  };
};

const columns = [
  { title: 'volume id', value: ({ id }: CleanupRow) => id },
  { title: 'name', value: ({ name }: CleanupRow) => name ?? '' },
  { title: 'size', value: ({ capacityGb }: CleanupRow) => (capacityGb === null ? '' : `${capacityGb} GiB`) },
  { title: 'vcenter', value: ({ vcenter }: CleanupRow) => vcenter ?? '', wide: true },
  { title: 'action', value: ({ action }: CleanupRow) => action },
  { title: 'rule', value: ({ rule }: CleanupRow) => rule ?? '' },
  { title: 'because', value: ({ reason }: CleanupRow) => reason ?? '' },
];

interface Observed {
  readonly attempt: Attempt;
  readonly seen: SeenVolume;
}

/** Deletes a volume, on evidence read in this attempt. */
const remove = async ({ attempt, seen }: Observed, owner: Owner, signal: AbortSignal): Promise<void> => {
  const { found } = seen;
  const volumeId = found?.volume.value?.id;
  if (!found || volumeId === undefined) return;
  const { vcenter } = found;
  const request = await attempt.ask('what a person has asked for and confirmed', async () => volumeId);
  const evidence = {
    vcenter: await attempt.ask('which vCenter it is', async () => ({
      instanceUuid: await vcenter.instanceUuid({ signal }),
    })),
    volume: found.volume,
    holders: [found.holders] as const,
    ground: { seen: request, ground: { kind: 'request', what: 'vdoctl volumes cleanup' } as const },
    also: found.also,
  };
  await deleteDisk(attempt, { vcenter, volumeId, evidence, owner });
};

/** Deletes the volumes that still may be deleted: one may have come into use meanwhile. True if all were deleted. */
const removeAll = async (
  due: readonly CleanupRow[],
  { observe, owner }: { readonly observe: (id: string) => Promise<Observed>; readonly owner: Owner },
  { terminal, signal }: Pick<CliContext, 'terminal' | 'signal'>,
): Promise<boolean> => {
  let gone = 0;
  for (const { id } of due) {
    const observed = await observe(id);
    const why = whyKeep(observed.seen.facts);
    if (why) terminal.err(`${id} kept: ${why.reason} (${why.rule})\n`);
    else {
      await remove(observed, owner, signal);
      terminal.err(`${id} deleted\n`);
      gone += 1;
    }
  }
  return gone === due.length;
};

/** vdoctl volumes cleanup */
export const cleanupVolumes: CommandRun<CleanupFlags> = (context, flags) =>
  withCluster(context, flags, async ({ kube, namespace, server }) => {
    const { signal, clock, terminal } = context;
    const resource = await readResource(kube, signal);
    const clusterId = await clusterIdOf(kube, resource, { namespace, signal });
    return withVCenters(context, { kube, namespace, specs: resource.spec.vcenters }, async (vcenters) => {
      const deps = actingHere(context, { kube, namespace, vcenters, clusterId });
      const observe = async (id: string): Promise<Observed> => {
        const attempt = beginAttempt(deps, { act: 'delete disk', subject: id, signal });
        return { attempt, seen: await observeVolume(id, { attempt, vcenters, clusterId, nowMs: clock.now(), signal }) };
      };
      const rows: CleanupRow[] = [];
      for (const id of new Set(flags.id)) rows.push(rowOf(id, (await observe(id)).seen));
      printResult(context, flags.output, { data: rows, lines: (options) => renderTable(columns, rows, options) });
      const due = rows.filter(({ action }) => action === 'delete');
      const kept = rows.length - due.length;
      const end = kept === 0 ? exitCodes.done : exitCodes.failed;
      if (flags.dryRun || due.length === 0) return end;
      const what = due.length === 1 ? 'this volume and its disk' : `these ${due.length} volumes and their disks`;
      if (!(await confirm(context, flags, `Permanently delete ${what} of the cluster ${server}?`))) {
        terminal.err('Nothing was changed.\n');
        return exitCodes.failed;
      }
      const owner = { clusterId, isOnlyVCenter: vcenters.length === 1 };
      const gone = await removeAll(due, { observe, owner }, context);
      return gone ? end : exitCodes.failed;
    });
  });
