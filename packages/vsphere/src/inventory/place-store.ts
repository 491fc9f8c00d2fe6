import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '@vdo/base/logger';
import { type MoRef, morefKey } from '../wire/moref.ts';
import type { Value } from '../wire/schema.ts';
import type { PropertyChange } from '../wire/types/property-collector.ts';
import { type Ancestor, toAncestor } from './ancestors.ts';
import type { HostFacts, MountedDatastore, NodePlaces, PlaceChange } from './node-places.ts';
import { toHostFacts, toMountedDatastore } from './place-properties.ts';

/** The hosts and datastores of the node VMs of one vCenter, and their ancestors. No I/O. */
export interface PlaceStore extends NodePlaces {
  /** A new watch begins, which will report everything again. */
  begin(): void;
  /** The watch has reported everything: objects that it did not report since `begin` no longer exist. */
  settle(): void;
  /** The watch has ended: its data may be outdated. */
  end(): void;
  /** Applies changes of the watch. */
  change(ref: MoRef, changes: readonly Value<typeof PropertyChange>[]): void;
  remove(ref: MoRef): void;
}

interface Entry<F> {
  readonly values: Readonly<Record<string, unknown>>;
  readonly facts: F;
}

const applied = (
  values: Readonly<Record<string, unknown>>,
  changes: readonly Value<typeof PropertyChange>[],
): Readonly<Record<string, unknown>> => {
  const next: Record<string, unknown> = { ...values };
  for (const { name, op, val } of changes) {
    if (op === 'remove' || op === 'indirectRemove') delete next[name];
    // Decoded strings are slices that keep the whole reply in memory, so strings that are stored must be copied.
    else next[name] = structuredClone(val);
  }
  return next;
};

export const createPlaceStore = (server: string, logger: Logger): PlaceStore => {
  const hosts = new Map<string, Entry<HostFacts>>();
  const datastores = new Map<string, Entry<MountedDatastore>>();
  const above = new Map<string, Entry<Ancestor>>();
  const listeners = new Set<(change: PlaceChange) => void>();
  const unreported = new Set<string>();
  let current = false;

  const notify = (change: PlaceChange): void => {
    for (const listener of listeners) {
      try {
        listener(change);
      } catch (error) {
        logger.error('a listener of host and datastore changes failed', { object: change.after.name, error });
      }
    }
  };

  /** Stores the new facts; returns the old ones if they differ. */
  const put = <F>(entries: Map<string, Entry<F>>, key: string, entry: Entry<F>): F | undefined => {
    const before = entries.get(key)?.facts;
    entries.set(key, entry);
    return before === undefined || isDeepStrictEqual(before, entry.facts) ? undefined : before;
  };

  const drop = (key: string): void => {
    hosts.delete(key);
    datastores.delete(key);
    above.delete(key);
  };

  const ancestor = (key: string): Ancestor | undefined => hosts.get(key)?.facts ?? above.get(key)?.facts;

  return {
    begin: () => {
      current = false;
      for (const key of [...hosts.keys(), ...datastores.keys(), ...above.keys()]) unreported.add(key);
    },
    settle: () => {
      current = true;
      for (const key of unreported) drop(key);
      unreported.clear();
    },
    end: () => {
      current = false;
    },
    change: (ref, changes) => {
      const key = morefKey(ref);
      unreported.delete(key);
      if (ref.type === 'HostSystem') {
        const values = applied(hosts.get(key)?.values ?? {}, changes);
        const after = toHostFacts(server, ref, values);
        const before = put(hosts, key, { values, facts: after });
        if (before) notify({ kind: 'host', before, after });
      } else if (ref.type === 'Datastore') {
        const values = applied(datastores.get(key)?.values ?? {}, changes);
        const after = toMountedDatastore(server, ref, values);
        const before = put(datastores, key, { values, facts: after });
        if (before) notify({ kind: 'datastore', before, after });
      } else {
        const values = applied(above.get(key)?.values ?? {}, changes);
        const after = toAncestor(ref, values);
        const before = put(above, key, { values, facts: after });
        if (before) notify({ kind: 'ancestor', before, after });
      }
    },
    remove: (ref) => drop(morefKey(ref)),
    host: (ref) => hosts.get(morefKey(ref))?.facts,
    datastore: (ref) => datastores.get(morefKey(ref))?.facts,
    hosts: () => [...hosts.values()].map(({ facts }) => facts),
    datastores: () => [...datastores.values()].map(({ facts }) => facts),
    ancestor: (ref) => above.get(morefKey(ref))?.facts,
    ancestors: (starts) => {
      const found = new Map<string, Ancestor>();
      for (const start of starts)
        for (let at: MoRef | undefined = start; at && !found.has(morefKey(at)); ) {
          const one: Ancestor | undefined = current ? ancestor(morefKey(at)) : undefined;
          if (!one) return undefined;
          found.set(morefKey(at), one);
          at = one.parent;
        }
      return found;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
