import { sleep } from '@vdo/base/clock';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { type VSphereDrivers, vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { annotationKeys } from '@vdo/config/names';
import { describeRef, type ObjectRef } from '@vdo/kube/apply/object-ref';
import type { KubeClient } from '@vdo/kube/client';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { createProgress, type Progress } from '../../output/progress.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import {
  findStays,
  heldBy,
  present,
  removable,
  removeOperator,
  type Stay,
  stayLine,
  timedOut,
  without,
} from '../../shared/operator/remove-operator.ts';
import { requireNamespace } from '../../shared/operator/require-namespace.ts';
import type { UninstallFlags } from './command.ts';

const pollMs = 500;

const findDrivers = async (kube: KubeClient, signal: AbortSignal): Promise<VSphereDrivers | undefined> => {
  try {
    return await kube.find(vsphereDrivers, { name: vsphereDriversName }, { signal });
  } catch (error) {
    if (isVdoError(error, 'KubeResourceMissing')) return undefined;
    throw error;
  }
};

const refusal = (resource: VSphereDrivers): string =>
  resource.status?.conditions?.find(({ type, reason }) => type === 'Ready' && reason === 'VolumesInUse')?.message ?? '';

/** Throws before anything is deleted: a started deletion cannot be reverted. */
const requireUnused = async (
  kube: KubeClient,
  { metadata, spec }: VSphereDrivers,
  { orphanVolumes }: UninstallFlags,
  signal: AbortSignal,
): Promise<void> => {
  const isDecided = orphanVolumes || spec.deletionPolicy === 'Orphan' || metadata.deletionTimestamp !== undefined;
  if (isDecided || spec.csi === undefined) return;
  const held = await heldBy(kube, signal);
  if (held === '') return;
  throw new VdoError({
    code: 'VolumesInUse',
    message: `${held}; nothing was changed`,
    remedy:
      'To remove the drivers anyway, add --orphan-volumes. The volumes are kept without a driver; a later installation can use them again.',
  });
};

/** The operator removes the drivers, so it must keep running until they are gone. */
const removeDrivers = async (
  kube: KubeClient,
  flags: UninstallFlags,
  { clock, signal }: Pick<CliContext, 'clock' | 'signal'>,
  progress: Progress,
): Promise<void> => {
  const key = { name: vsphereDriversName };
  if (!(await findDrivers(kube, signal))) return;
  if (flags.orphanVolumes) {
    const body = { spec: { deletionPolicy: 'Orphan' } };
    await kube.patch(vsphereDrivers, key, { type: 'merge', body }, { signal });
  } else {
    // Admission uses counts that may be old. They were checked here just now, and the operator checks again.
    const body = { metadata: { annotations: { [annotationKeys.allowRemoval]: 'true' } } };
    await kube.patch(vsphereDrivers, key, { type: 'merge', body }, { signal });
  }
  await kube.delete(vsphereDrivers, key, { signal });
  if (!flags.wait) return;
  const giveUpMs = clock.monotonicMs() + flags.timeout * 1000;
  for (;;) {
    const resource = await findDrivers(kube, signal);
    if (!resource) break;
    const refused = refusal(resource);
    // Messages of an earlier attempt stay in the status until the operator reconciles.
    if (refused !== '' && !flags.orphanVolumes && (await heldBy(kube, signal)) !== '') {
      throw new VdoError({
        code: 'VolumesInUse',
        message: refused,
        remedy: 'The drivers keep running. To remove them and keep the volumes, add --orphan-volumes.',
      });
    }
    if (clock.monotonicMs() >= giveUpMs) throw timedOut('the drivers are not removed yet', flags.timeout);
    progress.update('waiting for the operator to remove the drivers');
    await sleep(clock, pollMs, { signal });
  }
  progress.done('drivers removed');
};

const planLines = (
  plan: {
    readonly server: string;
    readonly resource: boolean;
    readonly refs: readonly ObjectRef[];
    readonly held: string;
    readonly stays: readonly Stay[];
  },
  flags: UninstallFlags,
): readonly string[] => {
  const { server, resource, refs, held, stays } = plan;
  if (!resource && refs.length === 0) return [`Nothing to remove: VDO is not installed on ${server}.`];
  const isRefused = resource && held !== '' && !flags.orphanVolumes;
  const what = resource ? 'the drivers and the operator' : 'the operator';
  return [
    isRefused
      ? `Would be refused: ${held} on ${server}. Nothing would be removed, and nothing was changed.`
      : `Would remove ${what} from ${server}. Volumes stay in vCenter. Nothing was changed.`,
    '',
    ...(isRefused ? ['With --orphan-volumes, it would:'] : []),
    ...(resource ? [`delete VSphereDrivers ${vsphereDriversName}, and with it the drivers`] : []),
    ...without(refs, stays).map((ref) => `delete ${describeRef(ref)}`),
    ...stays.map(stayLine),
    '',
    isRefused
      ? 'Next: to remove the drivers and keep the volumes, add --orphan-volumes.'
      : 'Next: run the same command without --dry-run.',
  ];
};

/** vdoctl uninstall */
export const uninstall: CommandRun<UninstallFlags> = (context, flags) =>
  withCluster(context, flags, async ({ kube, server, namespace }) => {
    const { signal, terminal } = context;
    requireNamespace(namespace);
    const refs = removable(flags);
    const resource = await findDrivers(kube, signal);
    if (flags.dryRun) {
      const [found, held] = await Promise.all([present(kube, refs, signal), heldBy(kube, signal)]);
      const leavesVolumes = flags.orphanVolumes && held !== '';
      const stays = await findStays(kube, found, { resource, leavesVolumes }, signal);
      const plan = { server, resource: resource !== undefined, refs: found, held, stays };
      for (const line of planLines(plan, flags)) terminal.out(`${line}\n`);
      return exitCodes.done;
    }
    if (resource) await requireUnused(kube, resource, flags, signal);
    const drivers = resource ? 'the drivers, ' : '';
    const crds = flags.keepCrds ? '' : ', its CRDs';
    if (
      !(await confirm(
        context,
        flags,
        `Remove ${drivers}the operator${crds} and its namespaces, including the credentials in them, from ${server}?`,
      ))
    ) {
      terminal.err('Nothing was changed.\n');
      return exitCodes.failed;
    }
    const progress = createProgress(context);
    try {
      await removeDrivers(kube, flags, context, progress);
      if (!flags.wait && resource) {
        terminal.err(
          'The operator is removing the drivers. When they are gone, run vdoctl uninstall again to remove the operator.\n',
        );
        return exitCodes.done;
      }
      await removeOperator({ kube, refs, resource }, flags, context, progress);
    } finally {
      progress.end();
    }
    terminal.err(
      `Removed from ${server}. Volumes in vCenter are kept. To delete the vCenter account, run vdoctl vsphere user delete.\n`,
    );
    return exitCodes.done;
  });
