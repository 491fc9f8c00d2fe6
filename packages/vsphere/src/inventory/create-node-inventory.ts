import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import { retrieveObjects } from '../property/retrieve.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import { type MoRef, morefKey } from '../wire/moref.ts';
import type { Datacenters } from './datacenters.ts';
import type { NodeInventory, NodeQuery, NodeResolution, VmFacts } from './node-inventory.ts';
import type { PlaceStore } from './place-store.ts';
import { type VmValues, vmProperties } from './vm-properties.ts';
import { createVmSearch, factsPageSize, type Hits, type SearchOptions } from './vm-search.ts';
import { createVmStore } from './vm-store.ts';
import { createVmWatch } from './vm-watch.ts';

export interface NodeInventoryOptions {
  /** Name of the server in the facts; the server of the session by default. */
  readonly name?: string;
  readonly session: VimSession;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Updated by the same watch. */
  readonly places: PlaceStore;
  readonly datacenters: Pick<Datacenters, 'find'>;
}

const wayNames = ['uuid', 'instance UUID', 'name', 'IP'] as const;
type Way = (typeof wayNames)[number];

/** The present result of a query. */
interface Finding {
  readonly query: NodeQuery;
  readonly match: MoRef | undefined;
  readonly ambiguous: { readonly by: string; readonly refs: readonly MoRef[] } | undefined;
}

const keysOf = (query: NodeQuery, way: Way): readonly string[] => {
  if (way === 'uuid') return query.uuid ? [query.uuid] : [];
  if (way === 'instance UUID') return query.instanceUuid ? [query.instanceUuid] : [];
  return (way === 'name' ? query.names : query.ips) ?? [];
};

/** A VM whose UUID differs from that of the node is not the node's VM, whatever its name: names and addresses only decide between several VMs. */
const couldBe = ({ query, ambiguous }: Finding, way: Way, ref: MoRef): boolean =>
  way === 'uuid' ||
  way === 'instance UUID' ||
  query.uuid === undefined ||
  (ambiguous?.refs.some((one) => morefKey(one) === morefKey(ref)) ?? false);

const take = (finding: Finding, way: Way, hits: Hits): Finding => {
  const refs = (hits.get(finding.query.key) ?? []).filter((ref) => couldBe(finding, way, ref));
  const [only] = refs;
  if (refs.length === 1) return { ...finding, match: only };
  if (refs.length === 0 || finding.ambiguous) return finding;
  return { ...finding, ambiguous: { by: `${way} ${keysOf(finding.query, way).join(', ')}`, refs } };
};

/** If the UUID of a node is known, other properties are used only to decide between several VMs with that UUID. */
const isAsked = ({ query, ambiguous }: Pick<Finding, 'query' | 'ambiguous'>, way: Way): boolean =>
  keysOf(query, way).length > 0 &&
  (way === 'uuid' || way === 'instance UUID' || query.uuid === undefined || ambiguous !== undefined);

const searchedText = (query: NodeQuery): string =>
  wayNames
    .flatMap((way) =>
      isAsked({ query, ambiguous: undefined }, way) ? [`${way} ${keysOf(query, way).join(', ')}`] : [],
    )
    .join('; ');

export const createNodeInventory = (options: NodeInventoryOptions): NodeInventory => {
  const { session, datacenters } = options;
  const store = createVmStore(options.name ?? session.endpoint.server, options.logger);
  const watch = createVmWatch({ ...options, store });
  const search = createVmSearch(session);
  const ways = [
    ['uuid', search.byUuid],
    ['instance UUID', search.byInstanceUuid],
    ['name', search.byName],
    ['IP', search.byIp],
  ] as const;

  const locate = async (queries: readonly NodeQuery[], scope: SearchOptions): Promise<readonly Finding[]> => {
    let findings: readonly Finding[] = queries.map((query) => ({ query, match: undefined, ambiguous: undefined }));
    for (const [way, find] of ways) {
      const open = findings.filter((finding) => !finding.match && isAsked(finding, way));
      if (open.length === 0) continue;
      const hits = await find(
        open.map(({ query }) => query),
        scope,
      );
      findings = findings.map((finding) => (finding.match ? finding : take(finding, way, hits)));
    }
    return findings;
  };

  /** Stores facts as they arrive, because the data that vCenter sends for a VM is much larger than the facts. */
  const createIntake = () => {
    const facts = new Map<string, VmFacts>();
    const fresh: MoRef[] = [];
    const take = (ref: MoRef, values: VmValues): void => {
      if (store.get(ref) === undefined) fresh.push(ref);
      facts.set(morefKey(ref), store.put(ref, values));
    };
    return { facts, fresh, take };
  };

  const read = async (refs: readonly MoRef[], intake: ReturnType<typeof createIntake>, scope: SearchOptions) => {
    const collector = requireManager(await session.open(scope), 'propertyCollector');
    const unread = [...new Map(refs.map((ref) => [morefKey(ref), ref])).values()].filter(
      (ref) => !intake.facts.has(morefKey(ref)),
    );
    for (let at = 0; at < unread.length; at += factsPageSize) {
      const page = { properties: vmProperties, refs: unread.slice(at, at + factsPageSize) };
      for (const { ref, values } of await retrieveObjects(session.vim, page, { ...scope, collector }))
        intake.take(ref, values);
    }
    watch.added(intake.fresh);
  };

  const describe = async (refs: readonly MoRef[], scope: SearchOptions): Promise<ReadonlyMap<string, string>> => {
    const collector = requireManager(await session.open(scope), 'propertyCollector');
    const found = await retrieveObjects(session.vim, { properties: vmProperties, refs }, { ...scope, collector });
    return new Map(found.map(({ ref, values }) => [morefKey(ref), `${values.name ?? '?'} (${ref.value})`]));
  };

  return {
    resolve: async (queries, call = {}) => {
      const { signal } = call;
      const within = await datacenters.find(call.datacenters ?? [], { signal });
      const intake = createIntake();
      const { facts } = intake;
      const scope: SearchOptions = {
        signal,
        datacenters: within.map(({ ref }) => ref),
        onValues: intake.take,
      };
      const findings = await locate(queries, scope);
      await read(
        findings.flatMap(({ match }) => (match ? [match] : [])),
        intake,
        scope,
      );
      const doubtful = findings.flatMap(({ match, ambiguous }) => (!match && ambiguous ? ambiguous.refs : []));
      const names = await describe(doubtful, scope);
      const resolutionOf = ({ query, match, ambiguous }: Finding): NodeResolution => {
        const vm = match && facts.get(morefKey(match));
        if (vm) return { state: 'found', vm };
        if (!ambiguous || match) return { state: 'not-found', searched: searchedText(query) };
        const candidates = ambiguous.refs.map((ref) => names.get(morefKey(ref)) ?? ref.value);
        return { state: 'ambiguous', by: ambiguous.by, candidates };
      };
      return new Map(findings.map((finding) => [finding.query.key, resolutionOf(finding)]));
    },
    get: (ref) => store.get(ref),
    onChange: (listener) => store.onChange(listener),
    onGone: (listener) => store.onGone(listener),
    run: (signal, options) => watch.run(signal, options),
  };
};
