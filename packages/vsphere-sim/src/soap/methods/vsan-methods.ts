import { vsanClusterGetConfig } from '@vdo/vsphere/wire/methods/vsan';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import { faults } from '../../sim-fault.ts';
import { readPath } from '../../state/property-path.ts';
import { handle, type MethodHandler } from '../method-handler.ts';

/** The configuration of vSAN clusters. `withoutFiles` has the MoRef values of those whose file service is disabled. */
export const vsanMethods = (withoutFiles: ReadonlySet<string>): readonly MethodHandler[] => [
  handle(vsanClusterGetConfig, ({ cluster }, { core, authorize }) => {
    const found = core.store.get(cluster);
    if (!found) throw faults.managedObjectNotFound(cluster);
    authorize('System.Read', cluster);
    const datastores = (found.properties['datastore'] ?? []) as readonly MoRef[];
    const enabled = datastores.some(
      (datastore) => readPath(core.store.get(datastore)?.properties ?? {}, 'summary.type') === 'vsan',
    );
    return { enabled, fileServiceConfig: { enabled: enabled && !withoutFiles.has(cluster.value) } };
  }),
];
