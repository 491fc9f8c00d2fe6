import { uuidOrders } from '@vdo/base/uuid';
import { defineProperties, type PropertySet } from '../property/properties.ts';
import { type RetrieveOptions, retrieveView, retrieveViewPages } from '../property/retrieve.ts';
import { withContainerView } from '../property/view.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import { findAllByDnsName, findAllByIp, findAllByUuid } from '../wire/methods/search.ts';
import { type MoRef, morefKey } from '../wire/moref.ts';
import { string } from '../wire/schema.ts';
import type { NodeQuery } from './node-inventory.ts';
import { type VmValues, vmProperties } from './vm-properties.ts';

/** The VMs found for each query, by its key. Queries without a result are absent. */
export type Hits = ReadonlyMap<string, readonly MoRef[]>;

export interface SearchOptions extends CallOptions {
  /** Empty: the whole vCenter. */
  readonly datacenters: readonly MoRef[];
  /** Called with the facts of VMs that a search has read anyway. */
  readonly onValues?: (ref: MoRef, values: VmValues) => void;
}

/** Four searches for the VM of a node, each for many nodes in few calls. */
export interface VmSearch {
  byUuid(queries: readonly NodeQuery[], options: SearchOptions): Promise<Hits>;
  byInstanceUuid(queries: readonly NodeQuery[], options: SearchOptions): Promise<Hits>;
  byName(queries: readonly NodeQuery[], options: SearchOptions): Promise<Hits>;
  byIp(queries: readonly NodeQuery[], options: SearchOptions): Promise<Hits>;
}

const pageSize = 2500;
/** The facts of a VM take about ten kilobytes in a reply. Smaller pages would exceed the limit of N/100 + 25 calls for 10,000 nodes. */
export const factsPageSize = 1000;
const uuidProperties = defineProperties('VirtualMachine', { 'config.uuid': string });
const instanceUuidProperties = defineProperties('VirtualMachine', { 'config.instanceUuid': string });
const hostNameProperties = defineProperties('VirtualMachine', { 'guest.hostName': string });

/** `node1.example.com` → itself and `node1`, lower case. */
const nameForms = (name: string): readonly string[] => {
  const lower = name.toLowerCase();
  const [short = lower] = lower.split('.');
  return [...new Set([lower, short])];
};

// A node with a short name must not match a host with the same short name in another domain.
const sameHost = (a: string, b: string): boolean => {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  return left === right || left.startsWith(`${right}.`) || right.startsWith(`${left}.`);
};

/** One of the two UUIDs of a VM: the values of a query that it may equal, and the property that contains it. */
interface UuidKind {
  readonly instance: boolean;
  readonly valuesIn: (query: NodeQuery) => readonly string[];
  readonly properties: PropertySet<VmValues>;
  readonly of: (values: VmValues) => string | undefined;
}

const biosUuid: UuidKind = {
  instance: false,
  valuesIn: ({ uuid = '' }) => uuidOrders(uuid),
  properties: uuidProperties,
  of: (values) => values['config.uuid'],
};

// vCenter generates it, so there is no other byte order.
const instanceUuid: UuidKind = {
  instance: true,
  valuesIn: ({ instanceUuid: uuid = '' }) => [uuid.toLowerCase()],
  properties: instanceUuidProperties,
  of: (values) => values['config.instanceUuid'],
};

interface HitList {
  add(key: string, ref: MoRef): void;
  has(key: string): boolean;
  toHits(): Hits;
}

const createHitList = (): HitList => {
  const found = new Map<string, Map<string, MoRef>>();
  return {
    add: (key, ref) => {
      const refs = found.get(key) ?? new Map<string, MoRef>();
      found.set(key, refs.set(morefKey(ref), ref));
    },
    has: (key) => found.has(key),
    toHits: () => new Map([...found].map(([key, refs]) => [key, [...refs.values()]])),
  };
};

/** With more than `bulkThreshold` queries (10 by default), one pass over all VMs is cheaper than one search per query. */
export const createVmSearch = (session: VimSession, options: { readonly bulkThreshold?: number } = {}): VmSearch => {
  const { vim } = session;
  const { bulkThreshold = 10 } = options;

  /** Passes the VMs of the scope to `visit`, one container view after another. */
  const eachView = async (search: SearchOptions, visit: (view: MoRef, collector: MoRef) => Promise<void>) => {
    const opened = await session.open(search);
    const collector = requireManager(opened, 'propertyCollector');
    const containers = search.datacenters.length > 0 ? search.datacenters : [opened.content.rootFolder];
    const use = (view: MoRef) => visit(view, collector);
    for (const container of containers)
      await withContainerView(session, { container, types: ['VirtualMachine'] }, use, search);
  };

  const ask = async (
    search: SearchOptions,
    call: (index: MoRef, datacenter: { readonly datacenter?: MoRef }) => Promise<readonly MoRef[]>,
  ): Promise<readonly MoRef[]> => {
    const index = requireManager(await session.open(search), 'searchIndex');
    const scopes = search.datacenters.length > 0 ? search.datacenters.map((datacenter) => ({ datacenter })) : [{}];
    const found = await Promise.all(scopes.map((scope) => call(index, scope)));
    return found.flat();
  };

  const scanUuids = async (kind: UuidKind, queries: readonly NodeQuery[], search: SearchOptions): Promise<Hits> => {
    const keys = new Map<string, string[]>();
    for (const query of queries)
      for (const value of kind.valuesIn(query)) keys.set(value, [...(keys.get(value) ?? []), query.key]);
    const hits = createHitList();
    const matches = (ref: MoRef, uuid: string | undefined): boolean => {
      const found = keys.get(uuid?.toLowerCase() ?? '') ?? [];
      for (const key of found) hits.add(key, ref);
      return found.length > 0;
    };
    const readFacts = async (view: MoRef, paging: RetrieveOptions): Promise<void> => {
      for await (const { ref, values } of retrieveView(vim, { properties: vmProperties, view }, paging))
        if (matches(ref, kind.of(values))) search.onValues?.(ref, values);
    };
    await eachView(search, async (view, collector) => {
      const paging = { ...search, collector, pageSize };
      for await (const { objects, more } of retrieveViewPages(vim, { properties: kind.properties, view }, paging)) {
        const found = objects.filter(({ ref, values }) => matches(ref, kind.of(values)));
        // If most VMs are nodes, to read all facts in this pass is cheaper than a second pass.
        if (more && found.length * 2 >= objects.length) return readFacts(view, { ...paging, pageSize: factsPageSize });
      }
    });
    return hits.toHits();
  };

  const scanNames = async (queries: readonly NodeQuery[], hits: HitList, search: SearchOptions): Promise<void> => {
    const byForm = new Map<string, { readonly key: string; readonly name: string }[]>();
    for (const { key, names = [] } of queries)
      for (const name of names)
        for (const form of nameForms(name)) byForm.set(form, [...(byForm.get(form) ?? []), { key, name }]);
    const visit = (ref: MoRef, hostName: string) => {
      for (const form of nameForms(hostName))
        for (const { key, name } of byForm.get(form) ?? []) if (sameHost(name, hostName)) hits.add(key, ref);
    };
    await eachView(search, async (view, collector) => {
      const pages = retrieveView(vim, { properties: hostNameProperties, view }, { ...search, collector, pageSize });
      for await (const { ref, values } of pages) if (values['guest.hostName']) visit(ref, values['guest.hostName']);
    });
  };

  const findUuids =
    (kind: UuidKind): VmSearch['byUuid'] =>
    async (queries, search) => {
      if (queries.length > bulkThreshold) return scanUuids(kind, queries, search);
      const hits = createHitList();
      for (const query of queries)
        for (const uuid of kind.valuesIn(query)) {
          const { instance } = kind;
          const find = (_this: MoRef, scope: { readonly datacenter?: MoRef }) =>
            vim.call(findAllByUuid, { _this, ...scope, uuid, vmSearch: true, instanceUuid: instance }, search);
          for (const ref of await ask(search, find)) hits.add(query.key, ref);
        }
      return hits.toHits();
    };

  return {
    byUuid: findUuids(biosUuid),
    byInstanceUuid: findUuids(instanceUuid),
    byName: async (queries, search) => {
      const hits = createHitList();
      const few = queries.length <= bulkThreshold;
      for (const { key, names = [] } of few ? queries : [])
        for (const dnsName of new Set(names)) {
          const find = (_this: MoRef, scope: { readonly datacenter?: MoRef }) =>
            vim.call(findAllByDnsName, { _this, ...scope, dnsName, vmSearch: true }, search);
          for (const ref of await ask(search, find)) hits.add(key, ref);
        }
      // vCenter compares complete names: another case, or a short name for a full one, is found only by reading all names.
      const rest = queries.filter(({ key }) => !hits.has(key));
      if (rest.length > 0) await scanNames(rest, hits, search);
      return hits.toHits();
    },
    byIp: async (queries, search) => {
      const hits = createHitList();
      for (const { key, ips = [] } of queries)
        for (const ip of new Set(ips)) {
          const find = (_this: MoRef, scope: { readonly datacenter?: MoRef }) =>
            vim.call(findAllByIp, { _this, ...scope, ip, vmSearch: true }, search);
          for (const ref of await ask(search, find)) hits.add(key, ref);
        }
      return hits.toHits();
    },
  };
};
