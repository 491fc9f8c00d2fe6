import type { Attempt } from '@vdo/acts/attempt';
import { removeFinalizer } from '@vdo/acts/objects/remove-finalizer';
import { toVdoError, VdoError } from '@vdo/base/vdo-error';
import { type VSphereDrivers, vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { persistentVolumes } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { observeComponents } from './gather/observe-components.ts';
import type { VCenterPool } from './gather/vcenter-pool.ts';

const csiDriverName = names.csiDriver;
const namedAtMost = 5;
const pageSize = 100;

const list = (names: readonly string[]): string =>
  names.slice(0, namedAtMost).join(', ') +
  (names.length > namedAtMost ? ` and ${names.length - namedAtMost} more` : '');

/** Names of objects that count, read page by page and no further than the first page that has one: there may be a hundred thousand. */
const namesOf = async <T extends KubeObject>(
  kube: KubeClient,
  resource: Resource<T>,
  { counts, signal }: { readonly counts: (object: T) => boolean; readonly signal: AbortSignal },
): Promise<readonly string[]> => {
  for await (const { items } of kube.pages(resource, { limit: pageSize, signal })) {
    const found = items.filter(counts).map(({ metadata }) => metadata.name ?? '');
    if (found.length > 0) return found;
  }
  return [];
};

/** Of more than a page of names the rest is not counted. */
const atLeast = (found: readonly string[]): string =>
  found.length === pageSize ? `at least ${pageSize}` : `${found.length}`;

/** What would lose its driver: volumes of this driver and attachments made by it. */
const inUse = async (kube: KubeClient, signal: AbortSignal) => ({
  volumes: await namesOf(kube, persistentVolumes, { counts: ({ spec }) => spec.csi?.driver === csiDriverName, signal }),
  attachments: await namesOf(kube, volumeAttachments, {
    counts: ({ spec }) => spec.attacher === csiDriverName,
    signal,
  }),
});

/** A deletion cannot be taken back; what fell out of the spec can be put back. */
const wayOut = ({ metadata, spec }: VSphereDrivers): string => {
  const orphan = `kubectl patch vspheredrivers ${metadata.name} --type=merge -p '{"spec":{"deletionPolicy":"Orphan"}}'`;
  const isFallenOut = metadata.deletionTimestamp === undefined && spec?.csi === undefined;
  return isFallenOut
    ? `Put spec.csi back, or leave the volumes without a driver: ${orphan}`
    : `The drivers go on serving them. To remove the drivers and leave the volumes as they are: ${orphan}`;
};

/** Throws VolumesInUse while removing the drivers would strand data, unless the resource says to orphan it. */
export const requireRemovable = async (
  kube: KubeClient,
  resource: VSphereDrivers,
  options: { readonly signal: AbortSignal },
): Promise<void> => {
  if (resource.spec?.deletionPolicy === 'Orphan') return;
  const { volumes, attachments } = await inUse(kube, options.signal);
  if (volumes.length + attachments.length === 0) return;
  const held = [
    ...(volumes.length > 0 ? [`${atLeast(volumes)} PersistentVolumes (${list(volumes)})`] : []),
    ...(attachments.length > 0 ? [`${atLeast(attachments)} VolumeAttachments (${list(attachments)})`] : []),
  ];
  throw new VdoError({
    code: 'VolumesInUse',
    message: `the drivers stay installed because ${held.join(' and ')} of ${csiDriverName} exist`,
    remedy: wayOut(resource),
    retry: 'backoff',
    details: { volumes, attachments },
  });
};

export interface RemovalReport {
  /** True once nothing of what was applied is left but what is kept. */
  readonly done: boolean;
  /** What stays for good, in words. */
  readonly left: readonly string[];
}

export interface UninstallDeps {
  readonly kube: KubeClient;
  readonly namespace: string;
  readonly vcenters: VCenterPool;
  /** Begins something that cannot be undone. */
  readonly begin: (act: string, subject: string, signal: AbortSignal) => Attempt;
  /** Removes what was applied. */
  readonly removeAll: (options: { readonly signal: AbortSignal }) => Promise<RemovalReport>;
  /** Removes what the operator remembered in the cluster. */
  readonly forget: (options: { readonly signal: AbortSignal }) => Promise<void>;
}

/** Throws while a workload bears the labels of our drivers: nothing would look after it any more. */
const requireGone = async (
  { kube, namespace }: UninstallDeps,
  call: { readonly signal: AbortSignal },
): Promise<void> => {
  const running = (await observeComponents(kube, { namespace, ...call })).filter(({ ours }) => ours);
  const [first] = running;
  if (!first) return;
  const commands = running.map((one) => `kubectl -n ${one.namespace} delete ${one.kind.toLowerCase()} ${one.name}`);
  throw new VdoError({
    code: 'DriverManagedElsewhere',
    message: `${first.kind} ${first.namespace}/${first.name} bears the labels of a driver, but this operator has not applied it: perhaps a backup was restored`,
    remedy: `If nothing needs it any more: ${commands.join(' && ')}`,
  });
};

/**
 * Lets the resource go, which nobody can undo. What runs is looked at again: the last look may be minutes old, and a backup may have
 * been restored meanwhile.
 */
const letGo = async (
  deps: UninstallDeps,
  { metadata: { name = '', uid } }: VSphereDrivers,
  { finalizer, signal }: { readonly finalizer: string; readonly signal: AbortSignal },
): Promise<void> => {
  const attempt = deps.begin('let VSphereDrivers go', name, signal);
  const gone = await attempt.ask('what runs of the drivers', () => requireGone(deps, { signal }));
  const seen = await attempt.read(vsphereDrivers, { name });
  if (seen.kind === 'absent' || seen.uid !== uid) return;
  await removeFinalizer(attempt, seen, { finalizer, because: [gone] });
};

/** One step of the removal: an error to show, `going` while objects still end, or what was left behind. */
export const uninstall = async (
  deps: UninstallDeps,
  resource: VSphereDrivers,
  options: {
    readonly finalizer: string;
    /** All of ours is gone, and something of somebody else stood against it last time: only that is looked at. */
    readonly awaitsOthers: boolean;
    readonly signal: AbortSignal;
  },
): Promise<VdoError | 'going' | { readonly left: readonly string[] }> => {
  const { finalizer, awaitsOthers, signal } = options;
  try {
    if (awaitsOthers) await requireGone(deps, { signal });
    if (resource.spec?.csi !== undefined) await requireRemovable(deps.kube, resource, { signal });
    const { done, left } = await deps.removeAll({ signal });
    if (!done) return 'going';
    await requireGone(deps, { signal });
    await deps.forget({ signal });
    await deps.vcenters.close();
    await letGo(deps, resource, { finalizer, signal });
    return { left };
  } catch (error) {
    signal.throwIfAborted();
    return toVdoError(error);
  }
};
