import { type Clock, sleep } from '@vdo/base/clock';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { CallOptions, KubeClient } from '../client.ts';
import type { AnyObject } from '../types/object.ts';
import type { Resource } from '../types/resource.ts';
import type { ApplyMemory } from './apply-memory.ts';
import { immutableFieldError } from './immutable-field.ts';
import { describeRef, type ObjectRef, refOf } from './object-ref.ts';
import { phaseOf } from './phases.ts';
import { readinessOf } from './readiness.ts';
import { lastRival, type Repair, repairOf } from './repair.ts';

export interface ObjectApplierOptions {
  readonly client: KubeClient;
  readonly fieldManager: string;
  /** Take over fields that others have set. */
  readonly force: boolean;
  readonly clock: Clock;
  /** Default: every object is applied each time. */
  readonly memory?: ApplyMemory | undefined;
  /** Called for each object that was repaired. */
  readonly onRepair?: ((repair: Repair) => void) | undefined;
}

/** Time limit until the kind of a new CRD can be used. */
const establishMs = 30_000;
const pollMs = 200;

/** Applies one object after the other. */
export const createObjectApplier = ({ client, fieldManager, force, clock, memory, onRepair }: ObjectApplierOptions) => {
  const apply = async (object: AnyObject, { signal }: CallOptions): Promise<ObjectRef> => {
    const ref = refOf(object);
    const call = signal ? { signal } : {};
    try {
      const resource = (await client.resourceFor(object.apiVersion, object.kind, call)) as Resource<AnyObject>;
      requireNamespace(resource, ref);
      const isRepair = memory?.isDrifted(object) ?? false;
      const isWatched = isRepair || (memory?.isContested(ref) ?? false);
      const key = { name: ref.name, ...(ref.namespace && { namespace: ref.namespace }) };
      const before = isWatched ? await client.find(resource, key, call) : undefined;
      memory?.applying(ref);
      const live = await client.apply(resource, object, { ...call, fieldManager, force });
      memory?.applied(object, live);
      const rival = lastRival(before, fieldManager);
      if (rival && memory?.isContested(ref)) memory.blame(ref, rival);
      const repair = isRepair && repairOf(ref, { before, after: live }, fieldManager);
      if (repair) onRepair?.(repair);
      return refOf({ ...object, ...live });
    } catch (error) {
      memory?.failed(ref);
      throw immutableFieldError(ref, error);
    }
  };

  const waitUntilEstablished = async (definition: AnyObject, { signal }: CallOptions): Promise<void> => {
    const { apiVersion, kind, metadata } = definition;
    const call = signal ? { signal } : {};
    const resource = (await client.resourceFor(apiVersion, kind, call)) as Resource<AnyObject>;
    const giveUpMs = clock.monotonicMs() + establishMs;
    for (;;) {
      const { state, message } = readinessOf(await client.get(resource, { name: metadata.name ?? '' }, call));
      if (state === 'Current' && (await isServed(client, definition, call))) return;
      if (state === 'Failed' || clock.monotonicMs() >= giveUpMs) throw notEstablished(definition, message);
      await sleep(clock, pollMs, call);
    }
  };

  return {
    /** Returns the objects as they are now, with their UIDs. */
    applyAll: async (objects: readonly AnyObject[], options: CallOptions): Promise<readonly ObjectRef[]> => {
      const applied: ObjectRef[] = [];
      const changed = objects.filter((object) => !memory?.current(object));
      for (const object of objects) applied.push(memory?.current(object) ?? (await apply(object, options)));
      for (const object of changed) if (phaseOf(refOf(object)) === 'crds') await waitUntilEstablished(object, options);
      return applied;
    },
  };
};

// Condition Established is not enough: the kind is served a moment later, and the next objects need it.
const isServed = async (client: KubeClient, definition: AnyObject, call: CallOptions): Promise<boolean> => {
  const spec = definition['spec'] as {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly served?: boolean }[];
  };
  const version = spec.versions.find(({ served }) => served !== false)?.name;
  try {
    await client.resourceFor(`${spec.group}/${version}`, spec.names.kind, call);
    return true;
  } catch (error) {
    if (isVdoError(error, 'KubeResourceMissing')) return false;
    throw error;
  }
};

const requireNamespace = (resource: Resource, ref: ObjectRef): void => {
  if (!resource.namespaced || ref.namespace) return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `${describeRef(ref)} has no namespace, but its kind is namespaced`,
    remedy: 'Set metadata.namespace in the manifest.',
  });
};

const notEstablished = (definition: AnyObject, message: string): VdoError =>
  new VdoError({
    code: 'KubeResourceMissing',
    message: `${describeRef(refOf(definition))} was applied, but the API server does not serve it: ${message || 'the discovery API does not list it yet'}`,
    remedy: `Check its conditions: kubectl describe crd ${definition.metadata.name}`,
    retry: 'backoff',
  });
