import { defineProperties } from '../property/properties.ts';
import { retrieveObjects } from '../property/retrieve.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import { type MoRef, morefKey } from '../wire/moref.ts';
import { ref, string } from '../wire/schema.ts';

export interface Ancestor {
  readonly ref: MoRef;
  /** The name as vCenter shows it, without escapes. */
  readonly name: string;
  readonly parent: MoRef | undefined;
}

/** Objects and all their ancestors, by `morefKey`. */
export type Ancestors = ReadonlyMap<string, Ancestor>;

export const entityProperties = defineProperties('ManagedEntity', { name: string, parent: ref });

/** The types of possible ancestors of a VM or a host. None of them extends another, because vCenter matches an object with only one type. */
export const aboveProperties = ['Folder', 'Datacenter', 'ComputeResource', 'ResourcePool'].map((type) =>
  defineProperties(type, { name: string, parent: ref }),
);

// vCenter escapes % / \\ in names.
const plainName = (name: string): string =>
  name.replace(/%(25|2f|5c)/gi, (_match, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

interface EntityValues {
  readonly name?: string | undefined;
  readonly parent?: MoRef | undefined;
}

export const toAncestor = (object: MoRef, values: EntityValues): Ancestor => ({
  ref: object,
  name: plainName(values.name ?? object.value),
  parent: values.parent,
});

/** Reads the ancestors of all objects together, with one call per level of the inventory. */
export const readAncestors = async (
  session: VimSession,
  starts: readonly MoRef[],
  options: CallOptions,
): Promise<Ancestors> => {
  const found = new Map<string, Ancestor>();
  let frontier = new Map(starts.map((start) => [morefKey(start), start]));
  while (frontier.size > 0) {
    const collector = requireManager(await session.open(options), 'propertyCollector');
    const request = { properties: entityProperties, refs: [...frontier.values()] };
    const level = await retrieveObjects(session.vim, request, { ...options, collector, pageSize: 2500 });
    for (const { ref: object, values } of level) found.set(morefKey(object), toAncestor(object, values));
    const parents = level.flatMap(({ values }) => (values.parent ? [values.parent] : []));
    frontier = new Map(parents.map((parent) => [morefKey(parent), parent]));
    for (const key of found.keys()) frontier.delete(key);
  }
  return found;
};
