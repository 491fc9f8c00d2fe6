import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { CallOptions, KubeClient } from '../client.ts';
import type { AnyObject } from '../types/object.ts';
import type { ApplyMemory } from './apply-memory.ts';
import { createObjectApplier } from './apply-objects.ts';
import { diffObjects, type ObjectDiff } from './diff.ts';
import { createInventory } from './inventory.ts';
import { describeRef, type ObjectRef, refKey, refOf } from './object-ref.ts';
import { inApplyOrder, missingFrom, phaseOf } from './phases.ts';
import { type Removal, type RemoveOptions, removeObjects } from './remove-objects.ts';
import type { Repair } from './repair.ts';
import { takeOver } from './take-over.ts';

export interface ApplierOptions {
  readonly client: KubeClient;
  /** Field manager of every field that is applied. */
  readonly fieldManager: string;
  /** The ConfigMap that records what was applied. */
  readonly inventory: { readonly namespace: string; readonly name: string };
  readonly clock: Clock;
  readonly logger: Logger;
  /** Take over fields that others have set, which repairs drift. Default true. */
  readonly force?: boolean;
  /**
   * Objects of ours in the cluster, whatever the inventory says. Called when the inventory is not the one that this
   * process wrote last: at the start, when it is lost or unreadable, when it was restored from a backup. Default: none.
   */
  readonly findOurs?: (call: CallOptions) => Promise<readonly ObjectRef[]>;
  /** Skips objects that would not change. Default: every object is applied each time. */
  readonly memory?: ApplyMemory;
  /** Called for each object that was repaired, as far as the memory knows. */
  readonly onRepair?: (repair: Repair) => void;
  /** As in RemoveOptions. */
  readonly podsEnding?: RemoveOptions['podsEnding'];
}

export interface ApplyCall extends CallOptions {
  /** Whether objects that are no longer in the set are deleted: all, or only this one. Others stay, and stay in the inventory. Default true. */
  readonly prune?: boolean | ((ref: ObjectRef) => boolean);
}

export interface ApplyReport {
  readonly applied: readonly ObjectRef[];
  /** Objects that are no longer in the set. */
  readonly pruned: Removal;
}

/** Makes sure that the cluster contains exactly a set of objects, as far as they are ours. */
export interface Applier {
  /** Server-side apply in order, then deletes objects that are no longer in the set. Deletes nothing unless everything was applied. */
  apply(objects: readonly AnyObject[], options?: ApplyCall): Promise<ApplyReport>;
  /** What `apply` would change, by dry run: drift, or a preview. Values of Secrets are hidden. */
  diff(objects: readonly AnyObject[], options?: CallOptions): Promise<readonly ObjectDiff[]>;
  /** Deletes everything that was applied, except protected kinds. Done when nothing is `remaining`. */
  removeAll(options?: CallOptions): Promise<Removal>;
  /** Adds objects that others created to the inventory, so that they are deleted when they are no longer in the set. */
  adopt(refs: readonly ObjectRef[], options?: CallOptions): Promise<void>;
  /** What has been applied so far. */
  inventory(options?: CallOptions): Promise<readonly ObjectRef[]>;
}

const nothing: Removal = { removed: [], remaining: [], kept: [], inUse: [] };

export const createApplier = (options: ApplierOptions): Applier => {
  const { client, fieldManager, clock, logger, podsEnding, memory, force = true } = options;
  const inventory = createInventory({ client, fieldManager, logger, ...options.inventory });
  let written: string | undefined;

  const known = async (call: CallOptions): Promise<readonly ObjectRef[]> => {
    const noted = await inventory.read(call);
    if (noted && signatureOf(noted) === written) return noted;
    memory?.forget();
    const found = (await options.findOurs?.(call)) ?? [];
    // The inventory of an older backup may list objects with the UIDs of their predecessors.
    const all = [...found, ...missingFrom(noted ?? [], found)];
    written = noted && signatureOf(noted);
    // Parallel calls share one search.
    if (all.length > 0 && signatureOf(all) !== written) await note(all, call);
    return all;
  };
  const note = async (refs: readonly ObjectRef[], call: CallOptions): Promise<void> => {
    await inventory.write(refs, call);
    written = signatureOf(refs);
  };
  const objectApplier = createObjectApplier({ client, fieldManager, force, clock, memory, onRepair: options.onRepair });

  const report = (removal: Removal): void => {
    for (const ref of removal.removed) logger.info('removed', { object: describeRef(ref) });
    for (const ref of removal.inUse) logger.info('kept a StorageClass that volumes use', { object: describeRef(ref) });
    for (const ref of removal.kept)
      logger.info('kept: objects of this kind are never removed', { object: describeRef(ref) });
  };

  return {
    apply: async (objects, { prune = true, ...call } = {}) => {
      const ordered = inApplyOrder(objects, refOf);
      // The namespace of the inventory may be among them, and namespaces are never pruned.
      const namespaces = ordered.filter((object) => phaseOf(refOf(object)) === 'namespaces');
      const others = ordered.filter((object) => phaseOf(refOf(object)) !== 'namespaces');
      const applied = [...(await objectApplier.applyAll(namespaces, call))];
      const before = await known(call);
      const intended = union(before, ordered.map(refOf));
      // The inventory is written first, so that objects are found again after a crash.
      if (signatureOf(intended) !== written) await note(intended, call);
      const withUid = new Set(before.filter(({ uid }) => uid !== undefined).map(refKey));
      for (const group of inGroups(others)) {
        const unknown = group.filter((object) => !withUid.has(refKey(refOf(object))));
        if (force) for (const object of unknown) await takeOver(client, object, { ...call, fieldManager });
        applied.push(...(await objectApplier.applyAll(group, call)));
      }
      memory?.retain(applied);
      const outdated = missingFrom(before, applied);
      const going = outdated.filter((ref) => (typeof prune === 'function' ? prune(ref) : prune));
      const pruned =
        going.length === 0 ? nothing : await removeObjects(client, going, { ...call, fieldManager, podsEnding });
      report(pruned);
      const after = [...applied, ...pruned.remaining, ...pruned.inUse, ...missingFrom(outdated, going)];
      if (signatureOf(after) !== written) await note(after, call);
      return { applied, pruned };
    },
    diff: (objects, call = {}) => diffObjects(client, inApplyOrder(objects, refOf), { ...call, fieldManager, force }),
    removeAll: async (call = {}) => {
      const removal = await removeObjects(client, await known(call), { ...call, fieldManager, podsEnding });
      report(removal);
      if (removal.remaining.length === 0) {
        await inventory.delete(call);
        written = undefined;
      } else await note([...removal.remaining, ...removal.inUse, ...removal.kept], call);
      return removal;
    },
    adopt: async (refs, call = {}) => {
      const before = await known(call);
      const unknown = missingFrom(refs, before);
      if (unknown.length > 0) await note([...before, ...unknown], call);
    },
    inventory: async (call = {}) => (await inventory.read(call)) ?? [],
  };
};

// CRDs must be served before objects of their kinds are applied, so each phase is one group.
const inGroups = (objects: readonly AnyObject[]): readonly (readonly AnyObject[])[] => {
  const groups = new Map<string, AnyObject[]>();
  for (const object of objects) {
    const phase = phaseOf(refOf(object));
    groups.set(phase, [...(groups.get(phase) ?? []), object]);
  }
  return [...groups.values()];
};

const union = (known: readonly ObjectRef[], wanted: readonly ObjectRef[]): readonly ObjectRef[] => [
  ...known,
  ...missingFrom(wanted, known).map(({ uid: _, ...ref }) => ref),
];

const signatureOf = (refs: readonly ObjectRef[]): string =>
  JSON.stringify(refs.map((ref) => `${refKey(ref)} ${ref.apiVersion} ${ref.uid}`).sort());
