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

/** Names of the objects that match, read page by page until the first page with a match: there may be 100,000. */
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

/** Names after the first page are not counted. */
const atLeast = (found: readonly string[]): string =>
  found.length === pageSize ? `at least ${pageSize}` : `${found.length}`;

/** The volumes of this driver and its attachments, which would lose their driver. */
const inUse = async (kube: KubeClient, signal: AbortSignal) => ({
  volumes: await namesOf(kube, persistentVolumes, { counts: ({ spec }) => spec.csi?.driver === csiDriverName, signal }),
  attachments: await namesOf(kube, volumeAttachments, {
    counts: ({ spec }) => spec.attacher === csiDriverName,
    signal,
  }),
});

/** A deletion cannot be undone; a removed part of the spec can be added again. */
const wayOut = ({ metadata, spec }: VSphereDrivers): string => {
  const orphan = `kubectl patch vspheredrivers ${metadata.name} --type=merge -p '{"spec":{"deletionPolicy":"Orphan"}}'`;
  const isFallenOut = metadata.deletionTimestamp === undefined && spec?.csi === undefined;
  return isFallenOut
    ? `Add spec.csi again, or keep the volumes without a driver: ${orphan}`
    : `The drivers keep serving them. To remove the drivers and keep the volumes: ${orphan}`;
};

/** Throws VolumesInUse while volumes need the drivers, unless deletionPolicy is Orphan. */
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
    message: `the drivers stay installed because of ${held.join(' and ')} of ${csiDriverName}`,
    remedy: wayOut(resource),
    retry: 'backoff',
    details: { volumes, attachments },
  });
};

export interface RemovalReport {
  /** True once only the objects are left that are kept on purpose. */
  readonly done: boolean;
  /** The objects that stay, as text. */
  readonly left: readonly string[];
}

export interface UninstallDeps {
  readonly kube: KubeClient;
  readonly namespace: string;
  readonly vcenters: VCenterPool;
  /** Begins an irreversible act. */
  readonly begin: (act: string, subject: string, signal: AbortSignal) => Attempt;
  /** Removes the applied objects. */
  readonly removeAll: (options: { readonly signal: AbortSignal }) => Promise<RemovalReport>;
  /** Removes the operator's records from the cluster. */
  readonly forget: (options: { readonly signal: AbortSignal }) => Promise<void>;
}

/** Throws while a workload has the labels of our drivers: it would no longer be managed. */
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
    message: `${first.kind} ${first.namespace}/${first.name} has the labels of a driver, but this operator did not apply it: perhaps a backup was restored`,
    remedy: `If it is no longer needed: ${commands.join(' && ')}`,
  });
};

/**
 * Releases the resource, which cannot be undone. The running workloads are read again: the last read may be minutes old, and a backup may have
 * been restored meanwhile.
 */
const letGo = async (
  deps: UninstallDeps,
  { metadata: { name = '', uid } }: VSphereDrivers,
  { finalizer, signal }: { readonly finalizer: string; readonly signal: AbortSignal },
): Promise<void> => {
  const attempt = deps.begin('release VSphereDrivers', name, signal);
  const gone = await attempt.ask('the running workloads of the drivers', () => requireGone(deps, { signal }));
  const seen = await attempt.read(vsphereDrivers, { name });
  if (seen.kind === 'absent' || seen.uid !== uid) return;
  await removeFinalizer(attempt, seen, { finalizer, because: [gone] });
};

/** One step of the removal: an error to show, `going` while objects are still ending, or what was kept. */
export const uninstall = async (
  deps: UninstallDeps,
  resource: VSphereDrivers,
  options: {
    readonly finalizer: string;
    /** Our objects are removed, and last time an object of another owner prevented the release: only that one is checked. */
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
