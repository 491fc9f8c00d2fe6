import { retrieveView } from '../property/retrieve.ts';
import { withContainerView } from '../property/view.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import { type MoRef, morefKey } from '../wire/moref.ts';
import { type Ancestor, type Ancestors, entityProperties, readAncestors, toAncestor } from './ancestors.ts';

export interface TreeOptions extends CallOptions {
  /** The root folder by default. */
  readonly below?: MoRef;
}

/** The inventory with names and parents, for selection lists and to resolve paths. */
export interface InventoryTree {
  /** All objects of these types that the user may read, and all their ancestors. */
  read(types: readonly string[], options?: TreeOptions): Promise<Ancestors>;
}

export const createInventoryTree = (session: VimSession): InventoryTree => ({
  read: async (types, { below, ...options } = {}) => {
    const opened = await session.open(options);
    const collector = requireManager(opened, 'propertyCollector');
    const container = below ?? opened.content.rootFolder;
    const found = new Map<string, Ancestor>();
    const collect = async (view: MoRef): Promise<void> => {
      const request = { properties: entityProperties, view };
      for await (const { ref, values } of retrieveView(session.vim, request, { ...options, collector, pageSize: 2500 }))
        found.set(morefKey(ref), toAncestor(ref, values));
    };
    await withContainerView(session, { container, types }, collect, options);
    const parents = [...found.values()].flatMap(({ parent }) => (parent ? [parent] : []));
    const unread = [container, ...parents].filter((ref) => !found.has(morefKey(ref)));
    return new Map([...(await readAncestors(session, unread, options)), ...found]);
  },
});
