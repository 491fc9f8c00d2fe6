import { defineProperties } from '../property/properties.ts';
import { retrieveObjects } from '../property/retrieve.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import { vsanClusterGetConfig } from '../wire/methods/vsan.ts';
import { type MoRef, moref, morefKey } from '../wire/moref.ts';
import { array, ref } from '../wire/schema.ts';
import { DatastoreHostMount } from '../wire/types/datastore.ts';
import { type Ancestors, readAncestors } from './ancestors.ts';

/** A cluster whose hosts mount a vSAN datastore. */
export interface FileCluster {
  readonly ref: MoRef;
  /** Inventory path, such as `/DC/host/C1`. */
  readonly path: string;
  /** Whether its file service is enabled; undefined if vCenter does not report it. */
  readonly enabled: boolean | undefined;
}

/** Which vSAN datastores can store file shares. */
export interface FileServices {
  /** By MoRef value. Datastores for which vCenter does not report it are omitted. */
  enabledOn(datastores: readonly MoRef[], options?: CallOptions): Promise<ReadonlyMap<string, boolean>>;
  /** By MoRef value of the datastore: the clusters whose hosts mount it. */
  clustersOf(datastores: readonly MoRef[], options?: CallOptions): Promise<ReadonlyMap<string, readonly FileCluster[]>>;
}

const configSystem = moref('VsanVcClusterConfigSystem', 'vsan-cluster-config-system');
const datastoreProperties = defineProperties('Datastore', { host: array(DatastoreHostMount) });
const hostProperties = defineProperties('HostSystem', { parent: ref });

/** The path of an object from below the root, as govc writes it. */
const inventoryPath = (ancestors: Ancestors, object: MoRef): string => {
  const entry = ancestors.get(morefKey(object));
  return entry?.parent ? `${inventoryPath(ancestors, entry.parent)}/${entry.name}` : '';
};

/** Reads from the clusters whose hosts mount the datastores: two calls, plus one per cluster. */
export const createFileServices = (session: VimSession): FileServices => {
  const isEnabled = async (cluster: MoRef, options: CallOptions): Promise<boolean | undefined> => {
    try {
      const config = await session.vsan.call(vsanClusterGetConfig, { _this: configSystem, cluster }, options);
      return (config.enabled ?? false) && (config.fileServiceConfig?.enabled ?? false);
    } catch {
      options.signal?.throwIfAborted();
      return undefined;
    }
  };

  /** The clusters whose hosts mount each datastore, and whether their file service is enabled. */
  const read = async (datastores: readonly MoRef[], options: CallOptions) => {
    const collector = requireManager(await session.open(options), 'propertyCollector');
    const call = { ...options, collector };
    const mounting = await retrieveObjects(session.vim, { properties: datastoreProperties, refs: datastores }, call);
    const hosts = new Map(mounting.flatMap(({ values }) => (values.host ?? []).map(({ key }) => [morefKey(key), key])));
    const found = await retrieveObjects(session.vim, { properties: hostProperties, refs: [...hosts.values()] }, call);
    const clusterOf = new Map(
      found.flatMap(({ ref: host, values: { parent } }) =>
        parent?.type === 'ClusterComputeResource' ? [[morefKey(host), parent] as const] : [],
      ),
    );
    const clusters = [...new Map([...clusterOf.values()].map((one) => [one.value, one])).values()];
    const answers = new Map(
      await Promise.all(clusters.map(async (one) => [one.value, await isEnabled(one, options)] as const)),
    );
    return new Map(
      mounting.map(({ ref: datastore, values }) => {
        const own = (values.host ?? []).flatMap(({ key }) => clusterOf.get(morefKey(key)) ?? []);
        const mine = [...new Map(own.map((one) => [one.value, one])).values()];
        return [datastore.value, mine.map((one) => ({ ref: one, enabled: answers.get(one.value) }))] as const;
      }),
    );
  };

  return {
    enabledOn: async (datastores, options = {}) =>
      new Map(
        [...(await read(datastores, options))].flatMap(
          ([datastore, clusters]): readonly (readonly [string, boolean])[] => {
            const reported = clusters.map(({ enabled }) => enabled);
            if (reported.includes(true)) return [[datastore, true]];
            return reported.length === 0 || reported.includes(undefined) ? [] : [[datastore, false]];
          },
        ),
      ),
    clustersOf: async (datastores, options = {}) => {
      const found = await read(datastores, options);
      const refs = [...found.values()].flat().map(({ ref: cluster }) => cluster);
      const ancestors = await readAncestors(session, refs, options);
      return new Map(
        [...found].map(([datastore, clusters]) => [
          datastore,
          clusters.map((one) => ({ ...one, path: inventoryPath(ancestors, one.ref) })),
        ]),
      );
    },
  };
};
