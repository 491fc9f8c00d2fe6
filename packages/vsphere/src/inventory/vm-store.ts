import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '@vdo/base/logger';
import { type MoRef, morefKey } from '../wire/moref.ts';
import type { Value } from '../wire/schema.ts';
import type { PropertyChange } from '../wire/types/property-collector.ts';
import type { VmFacts } from './node-inventory.ts';
import { toVmFacts, toVmValues, type VmValues, vmProperties } from './vm-properties.ts';

/** The facts of the node VMs of one vCenter. No I/O. */
export interface VmStore {
  /** Stores facts that were read; notifies listeners if they differ from the known ones. */
  put(ref: MoRef, values: VmValues): VmFacts;
  /** Applies changes of the watch. VMs that were never stored are ignored. */
  change(ref: MoRef, changes: readonly Value<typeof PropertyChange>[]): void;
  /** The VM was deleted, or is hidden from this account; notifies listeners if it was known. */
  remove(ref: MoRef): void;
  get(ref: MoRef): VmFacts | undefined;
  refs(): readonly MoRef[];
  onChange(listener: (vm: VmFacts, before: VmFacts) => void): () => void;
  onGone(listener: (vm: VmFacts) => void): () => void;
}

export const createVmStore = (server: string, logger: Logger): VmStore => {
  const vms = new Map<string, VmFacts>();
  type Listener = (vm: VmFacts, before: VmFacts) => void;
  const listeners = new Set<Listener>();
  const goneListeners = new Set<Listener>();
  const known = new Set(vmProperties.paths);

  const notify = (reported: ReadonlySet<Listener>, facts: VmFacts, before: VmFacts): void => {
    for (const listener of reported) {
      try {
        listener(facts, before);
      } catch (error) {
        logger.error('a listener of VM changes failed', { vm: facts.name, error });
      }
    }
  };

  const put = (ref: MoRef, values: VmValues): VmFacts => {
    const before = vms.get(morefKey(ref));
    const read = { ...toVmFacts(server, ref, values), server };
    if (before && isDeepStrictEqual(before, read)) return before;
    // Decoded strings are slices that keep the whole reply in memory: what stays must be copied out of it.
    const facts = { ...structuredClone(read), server };
    vms.set(morefKey(ref), facts);
    if (before) notify(listeners, facts, before);
    return facts;
  };

  return {
    put,
    change: (ref, changes) => {
      const before = vms.get(morefKey(ref));
      if (!before) return;
      const values: Record<string, unknown> = { ...toVmValues(before) };
      for (const { name, op, val } of changes) {
        if (!known.has(name)) continue;
        if (op === 'remove' || op === 'indirectRemove') delete values[name];
        else values[name] = val;
      }
      put(ref, values as VmValues);
    },
    remove: (ref) => {
      const before = vms.get(morefKey(ref));
      vms.delete(morefKey(ref));
      if (before) notify(goneListeners, before, before);
    },
    get: (ref) => vms.get(morefKey(ref)),
    refs: () => [...vms.values()].map(({ ref }) => ref),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onGone: (listener) => {
      goneListeners.add(listener);
      return () => goneListeners.delete(listener);
    },
  };
};
