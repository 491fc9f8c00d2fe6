import { sleep } from '@vdo/base/clock';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { names } from '@vdo/config/names';
import { describeRef, type ObjectRef, refOf } from '@vdo/kube/apply/object-ref';
import { inApplyOrder } from '@vdo/kube/apply/phases';
import type { KubeClient } from '@vdo/kube/client';
import { namespaces, persistentVolumes } from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';
import type { CliContext } from '../../cli/context.ts';
import type { Progress } from '../../output/progress.ts';
import { operatorImage, operatorObjects } from './operator-objects.ts';
import { findStrangers, namedBy } from './strangers.ts';

const pollMs = 500;
const namedAtMost = 5;

export interface RemovalOptions {
  readonly keepDefinitions: boolean;
  readonly wait: boolean;
  /** Seconds. */
  readonly timeout: number;
}

/** What the operator would refuse for, in words; empty if nothing. */
export const heldBy = async (kube: KubeClient, signal: AbortSignal): Promise<string> => {
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

export const timedOut = (what: string, seconds: number): VdoError =>
  new VdoError({
    code: 'DeadlineExceeded',
    message: `${what} after ${seconds} s`,
    remedy: 'It goes on in the cluster: vdoctl status tells how far it is, vdoctl uninstall waits again.',
  });

const operatorLease: ObjectRef = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  namespace: names.namespace,
  name: names.operator,
};

/** What goes with the operator. */
export const removable = (flags: Pick<RemovalOptions, 'keepDefinitions'>): readonly ObjectRef[] => {
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

export interface Stay {
  readonly namespace: string;
  readonly strangers: readonly string[];
  /** What a next installation has to know of the volumes. */
  readonly notes: readonly string[];
}

const volumeNotes = [names.csiClusterId, names.csiSyncReport].map((name) => `ConfigMap ${name}`);

/** The namespaces that stay, because others keep something in them: that would go with them. */
export const findStays = async (
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

export const stayLine = ({ namespace, strangers, notes }: Stay): string => {
  const some = strangers.slice(0, namedAtMost).join(', ');
  const rest = strangers.length > namedAtMost ? ` and ${strangers.length - namedAtMost} more` : '';
  const why = [
    ...(strangers.length > 0 ? [`it has what is not VDO's: ${some}${rest}`] : []),
    ...(notes.length > 0 ? [`a next installation knows the volumes by ${notes.join(' and ')}`] : []),
  ];
  return `Namespace ${namespace} stays with all that is in it, credentials too, because ${why.join(', and because ')}. When nobody needs that any more: kubectl delete namespace ${namespace}`;
};

export const without = (refs: readonly ObjectRef[], stays: readonly Stay[]): readonly ObjectRef[] =>
  refs.filter(({ kind, name }) => kind !== 'Namespace' || !stays.some(({ namespace }) => namespace === name));

/** A namespace goes after everything in it, which takes the cluster a moment. */
const waitForNamespaces = async (
  kube: KubeClient,
  refs: readonly ObjectRef[],
  flags: RemovalOptions,
  { clock, signal }: Pick<CliContext, 'clock' | 'signal'>,
  progress: Progress,
): Promise<void> => {
  const giveUpMs = clock.monotonicMs() + flags.timeout * 1000;
  for (const { name } of refs.filter(({ kind }) => kind === 'Namespace')) {
    while (await kube.find(namespaces, { name }, { signal })) {
      if (clock.monotonicMs() >= giveUpMs) throw timedOut(`namespace ${name} is not removed yet`, flags.timeout);
      progress.update(`the cluster removes namespace ${name}`);
      await sleep(clock, pollMs, { signal });
    }
  }
  progress.done('the namespaces are removed');
};

/** What of it is there: what is not there is not going to be deleted. */
export const present = async (
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

/** The operator and what came with it; then its namespaces, as far as they are its own. */
export const removeOperator = async (
  rest: {
    readonly kube: KubeClient;
    readonly refs: readonly ObjectRef[];
    readonly resource: VSphereDrivers | undefined;
  },
  flags: RemovalOptions,
  context: Pick<CliContext, 'clock' | 'signal' | 'terminal'>,
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
