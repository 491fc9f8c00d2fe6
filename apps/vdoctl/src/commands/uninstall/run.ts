import { sleep } from '@vdo/base/clock';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { type VSphereDrivers, vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { annotationKeys, names } from '@vdo/config/names';
import { describeRef, type ObjectRef, refOf } from '@vdo/kube/apply/object-ref';
import { inApplyOrder } from '@vdo/kube/apply/phases';
import type { KubeClient } from '@vdo/kube/client';
import { namespaces, persistentVolumes } from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { createProgress, type Progress } from '../../output/progress.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { operatorImage, operatorObjects } from '../../shared/operator/operator-objects.ts';
import { requireNamespace } from '../../shared/operator/require-namespace.ts';
import type { UninstallFlags } from './command.ts';
import { findStrangers, namedBy } from './strangers.ts';

const lookMs = 500;
const namedAtMost = 5;

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

/** What the operator would refuse for, in words; empty if nothing. */
const heldBy = async (kube: KubeClient, signal: AbortSignal): Promise<string> => {
  const [volumes, attachments] = await Promise.all([
    kube.list(persistentVolumes, { signal }),
    kube.list(volumeAttachments, { signal }),
  ]);
  const ours = volumes.items.filter(({ spec }) => spec.csi?.driver === names.csiDriver);
  const held = ours.length;
  const attached = attachments.items.filter(({ spec }) => spec.attacher === names.csiDriver).length;
  if (held === 0 && attached > 0) return `${attached} VolumeAttachments of ${names.csiDriver} would never be released`;
  if (held === 0) return '';
  const [what, their] = held === 1 ? ['PersistentVolume', 'its'] : ['PersistentVolumes', 'their'];
  const some = ours.slice(0, namedAtMost).map(({ metadata }) => metadata.name);
  const rest = held > namedAtMost ? ` and ${held - namedAtMost} more` : '';
  return `${held} ${what} of ${names.csiDriver} (${some.join(', ')}${rest}) would lose ${their} driver`;
};

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
    await sleep(clock, lookMs, { signal });
  }
  progress.done('the drivers are removed');
};

const operatorLease: ObjectRef = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  namespace: names.namespace,
  name: names.operator,
};

/** What goes with the operator. */
const removable = (flags: UninstallFlags): readonly ObjectRef[] => {
  const refs = operatorObjects({ version: '0', image: operatorImage, replicas: 2, dashboard: true, guard: true })
    .map(refOf)
    .filter(({ kind }) => !flags.keepDefinitions || kind !== 'CustomResourceDefinition');
  // A next operator need not wait until the Lease of one that could not give it back is over.
  return [...inApplyOrder(refs, (ref) => ref).toReversed(), operatorLease];
};

const keyOf = ({ name, namespace }: ObjectRef) => ({ name, ...(namespace === undefined ? {} : { namespace }) });

/** Undefined: the cluster does not know such objects. */
const servedAs = (kube: KubeClient, ref: ObjectRef, signal: AbortSignal) =>
  kube.resourceFor(ref.apiVersion, ref.kind, { signal }).catch((error: unknown) => {
    if (isVdoError(error, 'KubeResourceMissing')) return undefined;
    throw error;
  });

const removeAll = async (
  kube: KubeClient,
  refs: readonly ObjectRef[],
  signal: AbortSignal,
  progress: Progress,
): Promise<void> => {
  for (const ref of refs) {
    progress.update(`removing ${describeRef(ref)}`);
    const resource = await servedAs(kube, ref, signal);
    if (resource) await kube.delete(resource, keyOf(ref), { signal, propagation: 'Foreground' });
  }
};

interface Stay {
  readonly namespace: string;
  readonly strangers: readonly string[];
  /** What a next installation has to know of the volumes. */
  readonly notes: readonly string[];
}

const volumeNotes = [names.csiClusterId, names.csiSyncReport].map((name) => `ConfigMap ${name}`);

/** The namespaces that stay, because others keep something in them: that would go with them. */
const findStays = async (
  kube: KubeClient,
  refs: readonly ObjectRef[],
  { resource, leavesVolumes }: { readonly resource: VSphereDrivers | undefined; readonly leavesVolumes: boolean },
  signal: AbortSignal,
): Promise<readonly Stay[]> => {
  const ours = refs.filter(({ kind }) => kind === 'Namespace').map(({ name }) => name);
  if (ours.length === 0) return [];
  const resources = await kube.namespacedResources({ signal });
  const options = { resources, named: namedBy(resource), signal };
  const stays: Stay[] = [];
  for (const namespace of ours) {
    const strangers = await findStrangers(kube, namespace, options);
    // Which volumes are whose is noted there: a next installation goes on with them at once.
    const notes = leavesVolumes && namespace === names.namespace ? volumeNotes : [];
    if (strangers.length + notes.length > 0) stays.push({ namespace, strangers, notes });
  }
  return stays;
};

const stayLine = ({ namespace, strangers, notes }: Stay): string => {
  const some = strangers.slice(0, namedAtMost).join(', ');
  const rest = strangers.length > namedAtMost ? ` and ${strangers.length - namedAtMost} more` : '';
  const why = [
    ...(strangers.length > 0 ? [`it has what is not VDO's: ${some}${rest}`] : []),
    ...(notes.length > 0 ? [`a next installation knows the volumes by ${notes.join(' and ')}`] : []),
  ];
  return `Namespace ${namespace} stays with all that is in it, credentials too, because ${why.join(', and because ')}. When nobody needs that any more: kubectl delete namespace ${namespace}`;
};

const without = (refs: readonly ObjectRef[], stays: readonly Stay[]): readonly ObjectRef[] =>
  refs.filter(({ kind, name }) => kind !== 'Namespace' || !stays.some(({ namespace }) => namespace === name));

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

/** What of it is there: what is not there is not going to be deleted. */
const present = async (
  kube: KubeClient,
  refs: readonly ObjectRef[],
  signal: AbortSignal,
): Promise<readonly ObjectRef[]> => {
  const found: ObjectRef[] = [];
  for (const ref of refs) {
    const resource = await servedAs(kube, ref, signal);
    if (resource && (await kube.find(resource, keyOf(ref), { signal }))) found.push(ref);
  }
  return found;
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

/** The operator and what came with it; then its namespaces, as far as they are its own. */
const removeRest = async (
  rest: {
    readonly kube: KubeClient;
    readonly refs: readonly ObjectRef[];
    readonly resource: VSphereDrivers | undefined;
  },
  flags: UninstallFlags,
  context: CliContext,
  progress: Progress,
): Promise<void> => {
  const { kube, refs, resource } = rest;
  const { signal, terminal } = context;
  const found = await present(kube, refs, signal);
  const isNamespace = ({ kind }: ObjectRef): boolean => kind === 'Namespace';
  const others = found.filter((ref) => !isNamespace(ref));
  await removeAll(kube, others, signal, progress);
  const leavesVolumes = (await heldBy(kube, signal)) !== '';
  const stays = await findStays(kube, found, { resource, leavesVolumes }, signal);
  const going = without(found.filter(isNamespace), stays);
  await removeAll(kube, going, signal, progress);
  progress.done(`${others.length + going.length} objects of the operator are removed`);
  if (flags.wait) await waitForNamespaces(kube, going, flags, context, progress);
  for (const stay of stays) terminal.err(`${stayLine(stay)}\n`);
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
      await removeRest({ kube, refs, resource }, flags, context, progress);
    } finally {
      progress.end();
    }
    terminal.err(`Removed from ${server}. Volumes in vCenter stay; vdoctl vsphere user delete removes the account.\n`);
    return exitCodes.done;
  });
