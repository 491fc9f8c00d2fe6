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
import { findObjectsOfOthers, namedBy } from './objects-of-others.ts';
import { operatorImage, operatorObjects } from './operator-objects.ts';

const pollMs = 500;
const namedAtMost = 5;

export interface RemovalOptions {
  readonly keepCrds: boolean;
  readonly wait: boolean;
  /** Seconds. */
  readonly timeout: number;
}

/** Why the operator would refuse to be removed; empty if it would not. */
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
    remedy:
      'The removal continues in the cluster. Run vdoctl status to see its progress, or vdoctl uninstall to wait again.',
  });

const operatorLease: ObjectRef = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  namespace: names.namespace,
  name: names.operator,
};

/** The objects that are removed with the operator. */
export const removable = (flags: Pick<RemovalOptions, 'keepCrds'>): readonly ObjectRef[] => {
  const refs = operatorObjects({ version: '0', image: operatorImage, replicas: 2, dashboard: true, guard: true })
    .map(refOf)
    .filter(({ kind }) => !flags.keepCrds || kind !== 'CustomResourceDefinition');
  // The Lease, so that the next operator need not wait until it expires.
  return [...inApplyOrder(refs, (ref) => ref).toReversed(), operatorLease];
};

const keyOf = ({ name, namespace }: ObjectRef) => ({ name, ...(namespace === undefined ? {} : { namespace }) });

/** Undefined: the cluster does not have this kind. */
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
  readonly others: readonly string[];
  /** The objects that a later installation needs to know the volumes. */
  readonly notes: readonly string[];
}

const volumeNotes = [names.csiClusterId, names.csiSyncReport].map((name) => `ConfigMap ${name}`);

/** The namespaces that are kept because they contain objects of others, which would be deleted with them. */
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
    const others = await findObjectsOfOthers(kube, namespace, options);
    // They contain the volume ownership, so a later installation can use the volumes at once.
    const notes = leavesVolumes && namespace === names.namespace ? volumeNotes : [];
    if (others.length + notes.length > 0) stays.push({ namespace, others, notes });
  }
  return stays;
};

export const stayLine = ({ namespace, others, notes }: Stay): string => {
  const some = others.slice(0, namedAtMost).join(', ');
  const rest = others.length > namedAtMost ? ` and ${others.length - namedAtMost} more` : '';
  const why = [
    ...(others.length > 0 ? [`it contains objects that do not belong to VDO (${some}${rest})`] : []),
    ...(notes.length > 0 ? [`a later installation needs ${notes.join(' and ')} to find the volumes`] : []),
  ];
  return `Namespace ${namespace} is kept with everything in it, including credentials, because ${why.join(', and because ')}. When it is no longer needed: kubectl delete namespace ${namespace}`;
};

export const without = (refs: readonly ObjectRef[], stays: readonly Stay[]): readonly ObjectRef[] =>
  refs.filter(({ kind, name }) => kind !== 'Namespace' || !stays.some(({ namespace }) => namespace === name));

/** A namespace is deleted after everything in it, which takes some time. */
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
      progress.update(`waiting for the deletion of namespace ${name}`);
      await sleep(clock, pollMs, { signal });
    }
  }
  progress.done('namespaces removed');
};

/** Those of the objects that exist. */
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

/** Removes the operator and its objects, then its namespaces if they contain nothing else. */
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
  progress.done(`${others.length + going.length} objects of the operator removed`);
  if (flags.wait) await waitForNamespaces(kube, going, flags, context, progress);
  for (const stay of stays) terminal.err(`${stayLine(stay)}\n`);
};
