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

/** Throws before anything is marked or removed: a deletion that has begun cannot be taken back. */
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
      'Repeat with --orphan-volumes to remove the drivers all the same: the volumes then stay as they are, without a driver, and a next installation finds them.',
  });
};

/** The operator removes the drivers itself; it must still run while it does. */
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
    // Admission knows what the operator has counted some time ago; here it was looked at just now, and the operator looks again.
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
    // What an earlier attempt was told stays there until the operator looks again.
    if (refused !== '' && !flags.orphanVolumes && (await heldBy(kube, signal)) !== '') {
      throw new VdoError({
        code: 'VolumesInUse',
        message: refused,
        remedy:
          'The drivers keep running. Repeat with --orphan-volumes to remove them and leave the volumes as they are.',
      });
    }
    if (clock.monotonicMs() >= giveUpMs) throw timedOut('the drivers are not removed yet', flags.timeout);
    progress.update('the operator removes the drivers');
    await sleep(clock, pollMs, { signal });
  }
  progress.done('the drivers are removed');
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
  if (!resource && refs.length === 0) return [`Nothing to remove: there is nothing of VDO on ${server}.`];
  const isRefused = resource && held !== '' && !flags.orphanVolumes;
  const what = resource ? 'the drivers and the operator' : 'the operator';
  return [
    isRefused
      ? `Would be refused: ${held} on ${server}. Nothing was changed.`
      : `Would remove ${what} from ${server}. Volumes stay in vCenter. Nothing was changed.`,
    '',
    ...(resource ? [`delete VSphereDrivers ${vsphereDriversName}, and with it the drivers`] : []),
    ...without(refs, stays).map((ref) => `delete ${describeRef(ref)}`),
    ...stays.map(stayLine),
    '',
    isRefused
      ? 'Next: add --orphan-volumes: the volumes then stay as they are, without a driver.'
      : 'Next: the same without --dry-run.',
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
    const definitions = flags.keepDefinitions ? '' : ', its definitions';
    if (
      !(await confirm(
        context,
        flags,
        `Remove ${drivers}the operator${definitions} and its namespaces with the credentials in them from ${server}?`,
      ))
    ) {
      terminal.err('Nothing was changed.\n');
      return exitCodes.failed;
    }
    const progress = createProgress(context);
    try {
      await removeDrivers(kube, flags, context, progress);
      if (!flags.wait && resource) {
        terminal.err('The operator removes the drivers now; vdoctl uninstall removes the operator afterwards.\n');
        return exitCodes.done;
      }
      await removeOperator({ kube, refs, resource }, flags, context, progress);
    } finally {
      progress.end();
    }
    terminal.err(`Removed from ${server}. Volumes in vCenter stay; vdoctl vsphere user delete removes the account.\n`);
    return exitCodes.done;
  });
