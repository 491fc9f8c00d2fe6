import type { AnyObject } from '@vdo/kube/types/object';
import { conflict } from '../api-error.ts';
import { deepEqual, objectOf, timestamp } from '../json.ts';
import { type ApiDeps, existing, isReadyToGo, type Target, targetKey, withMetadata } from './target.ts';

export type Propagation = 'Foreground' | 'Background' | 'Orphan';

export interface DeleteOptions {
  readonly propagation?: Propagation;
  readonly gracePeriodSeconds?: number;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly dryRun: boolean;
}

export interface Deleted {
  /** The object in its last or its terminating state. */
  readonly object: AnyObject;
  /** False while finalizers or a grace period hold it back. */
  readonly isGone: boolean;
}

const propagationFinalizers = { Foreground: ['foregroundDeletion'], Orphan: ['orphan'], Background: [] } as const;

const finalizersFor = (
  before: AnyObject,
  { definition }: Target,
  propagation: Propagation | undefined,
): readonly string[] => {
  const current = before.metadata.finalizers ?? [];
  const kept = propagation ? current.filter((name) => name !== 'foregroundDeletion' && name !== 'orphan') : current;
  const added = [
    ...(propagation ? propagationFinalizers[propagation] : []),
    ...(definition.strategy.finalizersOnDelete?.(before) ?? []),
  ];
  return [...new Set([...kept, ...added])];
};

const checkPreconditions = (before: AnyObject, target: Target, { uid, resourceVersion }: DeleteOptions): void => {
  const { definition, name = '' } = target;
  if (uid !== undefined && uid !== before.metadata.uid)
    throw conflict(
      definition,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.metadata.uid}`,
    );
  if (resourceVersion !== undefined && resourceVersion !== before.metadata.resourceVersion)
    throw conflict(
      definition,
      name,
      `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${before.metadata.resourceVersion}`,
    );
};

/** The object marked as deleted; a second deletion can only shorten the time it has left. */
const marked = (deps: ApiDeps, before: AnyObject, target: Target, options: DeleteOptions): AnyObject => {
  const { strategy } = target.definition;
  const { deletionTimestamp, deletionGracePeriodSeconds, generation } = before.metadata;
  const wanted = strategy.deletionGraceSeconds?.(before, options.gracePeriodSeconds) ?? 0;
  const isFirst = deletionTimestamp === undefined;
  const grace = isFirst ? wanted : Math.min(wanted, deletionGracePeriodSeconds ?? 0);
  const isShorter = !isFirst && grace < (deletionGracePeriodSeconds ?? 0);
  const object = withMetadata(before, {
    deletionTimestamp: isFirst || isShorter ? timestamp(deps.clock.now() + grace * 1_000) : deletionTimestamp,
    deletionGracePeriodSeconds: grace,
    finalizers: noneIfEmpty(finalizersFor(before, target, isFirst ? options.propagation : undefined)),
    generation: isFirst && generation !== undefined ? generation + 1 : generation,
  });
  if (object.kind !== 'Namespace') return object;
  return { ...object, status: { ...objectOf(object['status']), phase: 'Terminating' } };
};

const noneIfEmpty = (list: readonly string[]): readonly string[] | undefined => (list.length > 0 ? list : undefined);

/** Deletes an object, or marks it if finalizers, dependents or a grace period come first. */
export const deleteObject = (deps: ApiDeps, target: Target, options: DeleteOptions): Deleted => {
  const before = existing(deps, target);
  checkPreconditions(before, target, options);
  const object = marked(deps, before, target, options);
  const isGone = isReadyToGo(object);
  if (options.dryRun) return { object, isGone };
  const { bucket } = target.definition;
  if (isGone) return { object: deps.store.remove(bucket, targetKey(target)) ?? object, isGone };
  return { object: deepEqual(before, object) ? before : deps.store.put(bucket, targetKey(target), object), isGone };
};
