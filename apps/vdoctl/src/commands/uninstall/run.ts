import { sleep } from '@vdo/base/clock';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { type VSphereDrivers, vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { describeRef, type ObjectRef, refOf } from '@vdo/kube/apply/object-ref';
import { inApplyOrder } from '@vdo/kube/apply/phases';
import type { KubeClient } from '@vdo/kube/client';
import { namespaces } from '@vdo/kube/types/core';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { withCluster } from '../../cluster/open-cluster.ts';
import { operatorImage, operatorObjects } from '../../install/operator-objects.ts';
import { confirm } from '../../progress/confirm.ts';
import { createProgress, type Progress } from '../../progress/progress.ts';
import type { UninstallFlags } from './command.ts';

const lookMs = 500;

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

const timedOut = (what: string, seconds: number): VdoError =>
  new VdoError({
    code: 'DeadlineExceeded',
    message: `${what} after ${seconds} s`,
    remedy: 'It goes on in the cluster: vdoctl status tells how far it is, vdoctl uninstall waits again.',
  });

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
  }
  await kube.delete(vsphereDrivers, key, { signal });
  if (!flags.wait) return;
  const giveUpMs = clock.monotonicMs() + flags.timeout * 1000;
  for (;;) {
    const resource = await findDrivers(kube, signal);
    if (!resource) break;
    const refused = refusal(resource);
    if (refused !== '') {
      throw new VdoError({
        code: 'VolumesInUse',
        message: refused,
        remedy: 'Delete the claims, or repeat with --orphan-volumes. Until then the drivers keep running.',
      });
    }
    if (clock.monotonicMs() >= giveUpMs) throw timedOut('the drivers are not removed yet', flags.timeout);
    progress.update('the operator removes the drivers');
    await sleep(clock, lookMs, { signal });
  }
  progress.done('the drivers are removed');
};

/** What goes with the operator. Namespaces stay while others keep something in them: they are removed by their owner. */
const removable = (flags: UninstallFlags): readonly ObjectRef[] => {
  const refs = operatorObjects({ version: '0', image: operatorImage, replicas: 1 })
    .map(refOf)
    .filter(({ kind }) => !flags.keepDefinitions || kind !== 'CustomResourceDefinition');
  return inApplyOrder(refs, (ref) => ref).toReversed();
};

const removeOperator = async (
  kube: KubeClient,
  refs: readonly ObjectRef[],
  signal: AbortSignal,
  progress: Progress,
): Promise<void> => {
  for (const ref of refs) {
    progress.update(`removing ${describeRef(ref)}`);
    const resource = await kube.resourceFor(ref.apiVersion, ref.kind, { signal }).catch((error: unknown) => {
      if (isVdoError(error, 'KubeResourceMissing')) return undefined;
      throw error;
    });
    if (!resource) continue;
    const key = { name: ref.name, ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }) };
    await kube.delete(resource, key, { signal, propagation: 'Foreground' });
  }
  progress.done(`${refs.length} objects of the operator are removed`);
};

/** A namespace goes after everything in it, which takes the cluster a moment. */
const waitForNamespaces = async (
  kube: KubeClient,
  refs: readonly ObjectRef[],
  flags: UninstallFlags,
  { clock, signal }: Pick<CliContext, 'clock' | 'signal'>,
  progress: Progress,
): Promise<void> => {
  const giveUpMs = clock.monotonicMs() + flags.timeout * 1000;
  for (const { name } of refs.filter(({ kind }) => kind === 'Namespace')) {
    while (await kube.find(namespaces, { name }, { signal })) {
      if (clock.monotonicMs() >= giveUpMs) throw timedOut(`namespace ${name} is not removed yet`, flags.timeout);
      progress.update(`the cluster removes namespace ${name}`);
      await sleep(clock, lookMs, { signal });
    }
  }
  progress.done('the namespaces are removed');
};

/** vdoctl uninstall */
export const uninstall: CommandRun<UninstallFlags> = (context, flags) =>
  withCluster(context, flags, async ({ kube, server }) => {
    const { signal, terminal } = context;
    const refs = removable(flags);
    const resource = await findDrivers(kube, signal);
    if (flags.dryRun) {
      if (resource) terminal.out(`delete VSphereDrivers ${vsphereDriversName}, and with it the drivers\n`);
      for (const ref of refs) terminal.out(`delete ${describeRef(ref)}\n`);
      return exitCodes.done;
    }
    const drivers = resource ? 'the drivers, ' : '';
    if (
      !(await confirm(
        context,
        flags,
        `Remove ${drivers}the operator, its definitions and its namespaces with the credentials in them from ${server}?`,
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
      await removeOperator(kube, refs, signal, progress);
      if (flags.wait) await waitForNamespaces(kube, refs, flags, context, progress);
    } finally {
      progress.end();
    }
    return exitCodes.done;
  });
