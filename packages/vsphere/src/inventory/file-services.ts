import { defineProperties } from '../property/properties.ts';
import { retrieveObjects } from '../property/retrieve.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import { vsanClusterGetConfig } from '../wire/methods/vsan.ts';
import { type MoRef, moref, morefKey } from '../wire/moref.ts';
import { array, ref } from '../wire/schema.ts';
import { DatastoreHostMount } from '../wire/types/datastore.ts';

/** Which vSAN datastores can store file shares. */
export interface FileServices {
  /** By MoRef value. Datastores for which vCenter does not report it are omitted. */
  enabledOn(datastores: readonly MoRef[], options?: CallOptions): Promise<ReadonlyMap<string, boolean>>;
}

const configSystem = moref('VsanVcClusterConfigSystem', 'vsan-cluster-config-system');
const datastoreProperties = defineProperties('Datastore', { host: array(DatastoreHostMount) });
const hostProperties = defineProperties('HostSystem', { parent: ref });

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

  return {
    enabledOn: async (datastores, options = {}) => {
      const collector = requireManager(await session.open(options), 'propertyCollector');
      const call = { ...options, collector };
      const mounting = await retrieveObjects(session.vim, { properties: datastoreProperties, refs: datastores }, call);
      const hosts = new Map(
        mounting.flatMap(({ values }) => (values.host ?? []).map(({ key }) => [morefKey(key), key])),
      );
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
        mounting.flatMap(({ ref: datastore, values }): readonly (readonly [string, boolean])[] => {
          const own = new Set((values.host ?? []).map(({ key }) => clusterOf.get(morefKey(key))?.value ?? ''));
          const reported = [...own].map((cluster) => answers.get(cluster));
          if (reported.includes(true)) return [[datastore.value, true]];
          return reported.length === 0 || reported.includes(undefined) ? [] : [[datastore.value, false]];
        }),
      );
    },
  };
};
