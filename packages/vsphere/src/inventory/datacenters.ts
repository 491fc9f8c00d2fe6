import type { Clock } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { defineProperties } from '../property/properties.ts';
import { retrieveView } from '../property/retrieve.ts';
import { withContainerView } from '../property/view.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import { type MoRef, morefKey } from '../wire/moref.ts';
import { string } from '../wire/schema.ts';
import { type Ancestors, readAncestors } from './ancestors.ts';

export interface Datacenter {
  readonly ref: MoRef;
  readonly name: string;
  /** `/folder/name`, from the root. */
  readonly path: string;
}

/** The datacenters of one vCenter by name, path or MOID. A name selects all datacenters with that name, in any folder. */
export interface Datacenters {
  /** Throws ConfigInvalid if one does not exist. An empty list means all, and the result is then empty, too. */
  find(wanted: readonly string[], options?: CallOptions): Promise<readonly Datacenter[]>;
  /** All datacenters that the user may read. */
  all(options?: CallOptions): Promise<readonly Datacenter[]>;
}

const datacenterProperties = defineProperties('Datacenter', { name: string });

const pathOf = (ancestors: Ancestors, key: string): string => {
  const entry = ancestors.get(key);
  // The root folder has no parent, and no name in paths.
  return entry?.parent ? `${pathOf(ancestors, morefKey(entry.parent))}/${entry.name}` : '';
};

const unknown = (server: string, name: string, known: readonly Datacenter[]): VdoError =>
  new VdoError({
    code: 'ConfigInvalid',
    message: `vCenter ${server} has no datacenter "${name}" that this user may read; the user may read ${known.map(({ path }) => path).join(', ') || 'none'}`,
    remedy: `Correct \`datacenters\` (a name, a path such as /folder/${name}, or a MOID such as datacenter-2), or allow the user to read that datacenter.`,
    details: { datacenter: name },
  });

const matches = (wanted: string, { name, path, ref: { value } }: Datacenter): boolean =>
  wanted === name || wanted === value || wanted.replace(/^\/?/, '/') === path;

export const createDatacenters = (session: VimSession, clock: Clock, maxAgeMs = 5 * 60_000): Datacenters => {
  let cached: { readonly list: readonly Datacenter[]; readonly atMs: number } | undefined;

  const read = async (options: CallOptions): Promise<readonly Datacenter[]> => {
    const opened = await session.open(options);
    const collector = requireManager(opened, 'propertyCollector');
    const { rootFolder: container } = opened.content;
    const collect = async (view: MoRef): Promise<MoRef[]> => {
      const refs: MoRef[] = [];
      const request = { properties: datacenterProperties, view };
      for await (const { ref: found } of retrieveView(session.vim, request, { ...options, collector }))
        refs.push(found);
      return refs;
    };
    const refs = await withContainerView(session, { container, types: ['Datacenter'] }, collect, options);
    const ancestors = await readAncestors(session, refs, options);
    return refs.map((found) => ({
      ref: found,
      name: ancestors.get(morefKey(found))?.name ?? found.value,
      path: pathOf(ancestors, morefKey(found)),
    }));
  };

  return {
    all: (options = {}) => read(options),
    find: async (wanted, options = {}) => {
      if (wanted.length === 0) return [];
      const isFresh = cached !== undefined && clock.monotonicMs() - cached.atMs < maxAgeMs;
      const complete = isFresh && wanted.every((name) => cached?.list.some((one) => matches(name, one)));
      if (!complete) cached = { list: await read(options), atMs: clock.monotonicMs() };
      const list = cached?.list ?? [];
      const found = wanted.flatMap((name) => {
        const matching = list.filter((one) => matches(name, one));
        if (matching.length === 0) throw unknown(session.endpoint.server, name, list);
        return matching;
      });
      return list.filter((one) => found.includes(one));
    },
  };
};
