import { beginAttempt } from '@vdo/acts/begin-attempt';
import { VdoError } from '@vdo/base/vdo-error';
import { vcenterFor } from '@vdo/config/driver-accounts';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { persistentVolumes } from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';
import type { CommandRun } from '../../../cli/command-run.ts';
import type { CliContext } from '../../../cli/context.ts';
import { exitCodes } from '../../../cli/exit-codes.ts';
import { confirm } from '../../../output/confirm.ts';
import { printResult } from '../../../output/print-result.ts';
import { createProgress } from '../../../output/progress.ts';
import { renderTable } from '../../../output/table.ts';
import { gatherHere } from '../../../shared/checkup/gather.ts';
import { type OpenVCenter, withVCenters } from '../../../shared/checkup/open-vcenters.ts';
import { withCluster } from '../../../shared/cluster/open-cluster.ts';
import { readResource } from '../../../shared/cluster/read-resource.ts';
import { actingHere } from '../acting-here.ts';
import { chooseVolumes } from '../choose-volumes.ts';
import { clusterIdOf } from '../cluster-id-of.ts';
import type { MoveFlags } from '../command.ts';
import { type KnownVolume, type VolumeRow, volumeRows } from '../rows.ts';
import { isDatastore, observeMove, readDatastores, type SeenMove } from './observe-move.ts';
import { type MoveRow, planMoves, wayBack } from './plan-moves.ts';
import { type RunMovesInput, runMoves } from './run-moves.ts';

const columns = [
  { title: 'volume', value: ({ persistentVolume, handle }: MoveRow) => persistentVolume ?? handle },
  { title: 'claim', value: ({ claim }: MoveRow) => claim ?? '' },
  { title: 'size', value: ({ capacityGb }: MoveRow) => (capacityGb === null ? '' : `${capacityGb} GiB`) },
  { title: 'from', value: ({ from }: MoveRow) => from ?? '' },
  { title: 'to', value: ({ to }: MoveRow) => to },
  { title: 'action', value: ({ action }: MoveRow) => action },
  { title: 'rule', value: ({ rule }: MoveRow) => rule ?? '' },
  { title: 'because', value: ({ reason }: MoveRow) => reason ?? '' },
];

interface Selection {
  readonly kube: KubeClient;
  readonly vcenters: readonly OpenVCenter[];
  readonly clusterId: string;
  readonly signal: AbortSignal;
}

/** The volumes of the cluster that the names or the datastore select. */
const select = async (
  { kube, vcenters, clusterId, signal }: Selection,
  wanted: readonly string[],
  from: string | undefined,
): Promise<readonly VolumeRow[]> => {
  const known: KnownVolume[] = [];
  const urls = new Set<string>();
  for (const { vcenter } of vcenters) {
    const volumes = await vcenter.cns.queryVolumes({ clusterIds: [clusterId] }, { signal });
    known.push(...volumes.map((volume) => ({ server: vcenter.server, volume })));
    if (from === undefined) continue;
    for (const one of await readDatastores(vcenter, signal)) if (isDatastore(from, one)) urls.add(one.url);
  }
  if (from !== undefined && urls.size === 0)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `no vCenter has a datastore ${from}`,
      remedy:
        'Pass the name or the URL of a datastore: vdoctl volumes -o wide shows the URLs, govc ls /*/datastore the names.',
    });
  const [volumes, attachments] = await Promise.all([
    kube.list(persistentVolumes, { signal }),
    kube.list(volumeAttachments, { signal }),
  ]);
  const all = volumeRows({
    volumes: volumes.items,
    attachments: attachments.items,
    known,
    driver: names.csiDriver,
    allRead: true,
  });
  const chosen = chooseVolumes(all, wanted);
  return from === undefined ? chosen : chosen.filter(({ datastore }) => datastore !== null && urls.has(datastore));
};

type Observe = RunMovesInput['observe'];

const planAll = async (chosen: readonly VolumeRow[], observe: Observe, to: string): Promise<readonly MoveRow[]> => {
  const looked: { readonly row: VolumeRow; readonly seen: SeenMove }[] = [];
  for (const row of chosen) looked.push({ row, seen: (await observe(row.handle)).seen });
  return planMoves(looked, to);
};

/** Moves what the plan moves, once it is confirmed, and prints the way back. */
const carryOut = async (
  context: CliContext,
  flags: MoveFlags,
  plan: Pick<RunMovesInput, 'clusterId' | 'observe'> & { readonly rows: readonly MoveRow[]; readonly server: string },
): Promise<number> => {
  const { clock, signal, terminal } = context;
  const { rows, clusterId, observe, server } = plan;
  const due = rows.filter(({ action }) => action === 'move');
  const isDone = rows.every(({ action, rule }) => action === 'move' || rule === 'already-there');
  if (flags.dryRun || due.length === 0) return isDone ? exitCodes.done : exitCodes.failed;
  const what = due.length === 1 ? 'this volume' : `these ${due.length} volumes, one after the other,`;
  if (!(await confirm(context, flags, `Move ${what} of the cluster ${server} to ${due[0]?.to ?? flags.to}?`))) {
    terminal.err('Nothing was changed.\n');
    return exitCodes.failed;
  }
  const progress = createProgress(context);
  const outcomes = await runMoves(due, { clusterId, observe, progress, clock, signal });
  const moved = outcomes.flatMap(({ kind, row }) => (kind === 'moved' ? [row] : []));
  if (moved.length > 0) terminal.err(['To move back:', ...wayBack(moved).map((line) => `  ${line}`), ''].join('\n'));
  return isDone && moved.length === due.length ? exitCodes.done : exitCodes.failed;
};

/** vdoctl volumes move */
export const moveVolumes: CommandRun<MoveFlags> = (context, flags, wanted) => {
  const { from, to } = flags;
  if (wanted.length === 0 && from === undefined)
    throw new VdoError({
      code: 'InvalidArgument',
      message: 'which volumes are to be moved was not said',
      remedy:
        'Name PersistentVolumes or claims, or pass --from DATASTORE to move all volumes of this cluster away from it.',
    });
  return withCluster(context, flags, async (cluster) => {
    const { kube, namespace, server } = cluster;
    const { signal } = context;
    const resource = await readResource(kube, signal);
    const clusterId = await clusterIdOf(kube, resource, { namespace, signal });
    // The storage driver may have an account of its own, which has the privileges on datastores.
    const specs = resource.spec.vcenters.map((vcenter) => vcenterFor(resource.spec, vcenter, 'csi'));
    return withVCenters(context, { kube, namespace, specs }, async (vcenters) => {
      const { nodes } = await gatherHere(context, { cluster, resource, vcenters, groups: ['topology'] });
      const deps = actingHere(context, { kube, namespace, vcenters, clusterId });
      const observe = async (id: string) => {
        const attempt = beginAttempt(deps, { act: 'move disk', subject: id, signal });
        return { attempt, seen: await observeMove(id, attempt, { vcenters, nodes, clusterId, to, signal }) };
      };
      const chosen = await select({ kube, vcenters, clusterId, signal }, wanted, from);
      const rows = await planAll(chosen, observe, to);
      const nothing = [`No volume of this cluster is on ${from ?? 'that datastore'}.`];
      printResult(context, flags.output, {
        data: rows,
        lines: (options) => (rows.length === 0 ? nothing : renderTable(columns, rows, options)),
      });
      return carryOut(context, flags, { rows, clusterId, observe, server });
    });
  });
};
