import { createSingleFlight } from '@vdo/base/async/single-flight';
import type { Logger } from '@vdo/base/logger';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { CnsContainerCluster } from '@vdo/vsphere/cns/cns-types';
import { diskUrlPath } from '@vdo/vsphere/fcd/disk-url-path';
import type { Ancestor, Ancestors } from '@vdo/vsphere/inventory/ancestors';
import { morefKey } from '@vdo/vsphere/wire/moref';
import type { VolumeMigrations } from '../intents/volume-migrations.ts';
import { assertOffers } from '../placement/offered.ts';
import type { CallContext } from './call-context.ts';
import type { CsiVCenter } from './csi-vcenter.ts';
import type { VolumeLocator } from './volume-locator.ts';

/** Maps disks of the in-tree provider, which are identified by path, to volumes, which have IDs. */
export interface InTreeDisks {
  /** The ID of the volume at a path. A disk that is not a volume yet is registered as one. Undefined if no vCenter has such a disk. */
  idOf(path: string, context: CallContext): Promise<string | undefined>;
  /** The known paths by volume ID. */
  known(context: CallContext): Promise<ReadonlyMap<string, string>>;
  /** Call this when the volume was deleted. */
  forget(path: string, context: CallContext): Promise<void>;
}

export interface InTreeDisksDeps {
  readonly vcenters: readonly CsiVCenter[];
  readonly locator: VolumeLocator;
  readonly migrations: VolumeMigrations;
  /** Datacenters to search, per vCenter; if there are none, all of them. */
  readonly datacentersOf: (server: string) => readonly string[];
  readonly clusterOn: (server: string, options: { readonly signal: AbortSignal }) => Promise<CnsContainerCluster>;
  readonly logger: Logger;
}

/** vCenter's fault for a missing file when a disk is registered. */
const isNoSuchDisk = (error: unknown): boolean =>
  isVdoError(error) &&
  ['InvalidArgument', 'NotFound', 'FileNotFound', 'InvalidDatastorePath'].includes(String(error.details?.['fault']));

/** The existing volume of the disk. */
const registeredAs = (error: unknown): string | undefined => {
  if (!isVdoError(error) || error.details?.['fault'] !== 'CnsAlreadyRegisteredFault') return undefined;
  return (error.details['data'] as { readonly volumeId?: { readonly id?: string } } | undefined)?.volumeId?.id;
};

/** `[ds] kubevols/kubernetes-dynamic-pvc-1.vmdk` → `kubernetes-dynamic-pvc-1`. */
const nameOf = (path: string): string => {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf(']')) + 1);
  return file.endsWith('.vmdk') && file !== '.vmdk' ? file.slice(0, -'.vmdk'.length).trim() : path;
};

interface Place {
  readonly vcenter: CsiVCenter;
  /** Its path. */
  readonly datacenter: string;
}

/** `[ds] kubevols/x.vmdk` → `ds`. */
const datastoreOf = (path: string): string => /^\[([^\]]+)\]/.exec(path)?.[1] ?? '';

/** Keys of the datacenters that have a datastore of this name. */
const datacentersWith = (datastore: string, inventory: Ancestors): ReadonlySet<string> => {
  const above = (at: Ancestor | undefined): Ancestor | undefined =>
    !at || at.ref.type === 'Datacenter' ? at : above(at.parent && inventory.get(morefKey(at.parent)));
  const named = [...inventory.values()].filter(({ ref, name }) => ref.type === 'Datastore' && name === datastore);
  return new Set(named.flatMap((one) => above(one) ?? []).map(({ ref }) => morefKey(ref)));
};

// A path is unique only within its datacenter: with the wrong datacenter another disk might be attached, or deleted.
const ambiguous = (path: string, places: readonly Place[]): VdoError => {
  const where = places.map(({ vcenter, datacenter }) => `${datacenter} of ${vcenter.server}`).join(' and ');
  return new VdoError({
    code: 'VolumeConflict',
    message: `disk ${path} is ambiguous: ${where ? `there is a datastore of that name in ${where}` : 'two volumes have that path'}`,
    remedy:
      'Set `datacenters` of the vCenter to the one datacenter that the in-tree provider used, or rename one of the datastores. The driver then retries.',
    retry: 'on-change',
  });
};

export const createInTreeDisks = (deps: InTreeDisksDeps): InTreeDisks => {
  const { vcenters, locator, migrations, datacentersOf, clusterOn, logger } = deps;
  const ids = new Map<string, string>();
  const lookups = createSingleFlight<string | undefined>();

  const registerAt = async (path: string, vcenter: CsiVCenter, datacenter: string, context: CallContext) => {
    const { lifetime: signal, fence } = context;
    await assertOffers(vcenter, 'in-tree-disks', { signal });
    const backing = { diskUrlPath: diskUrlPath(vcenter.server, datacenter, path) };
    const spec = { name: nameOf(path), backing, cluster: await clusterOn(vcenter.server, { signal }) };
    try {
      return (await vcenter.cns.registerDisk(spec, { fence, signal })).id;
    } catch (error) {
      const known = registeredAs(error);
      if (known === undefined && !isNoSuchDisk(error)) throw error;
      return known;
    }
  };

  /** Datacenters to search: those with a datastore of that name, if there are any. */
  const placesOf = async (path: string, signal: AbortSignal): Promise<readonly Place[]> => {
    const all = await Promise.all(
      vcenters.map(async (vcenter) => {
        const named = datacentersOf(vcenter.server);
        const { datacenters, inventory } = vcenter;
        const wanted = await (named.length > 0 ? datacenters.find(named, { signal }) : datacenters.all({ signal }));
        const having = datacentersWith(datastoreOf(path), await inventory.read(['Datastore'], { signal }));
        return wanted.map(({ ref, path: datacenter }) => ({ vcenter, datacenter, has: having.has(morefKey(ref)) }));
      }),
    );
    const places = all.flat();
    const having = places.filter(({ has }) => has);
    if (having.length > 1) throw ambiguous(path, having);
    return having.length === 1 ? having : places;
  };

  const register = async (path: string, context: CallContext): Promise<string | undefined> => {
    for (const { vcenter, datacenter } of await placesOf(path, context.lifetime)) {
      const id = await registerAt(path, vcenter, datacenter, context);
      if (id === undefined) continue;
      logger.info('a disk of the in-tree provider was registered as a volume', {
        path,
        volumeId: id,
        vcenter: vcenter.server,
      });
      return id;
    }
    return undefined;
  };

  const lookUp = async (path: string, context: CallContext): Promise<string | undefined> => {
    const { lifetime: signal } = context;
    for (const [known, id] of await migrations.list({ signal })) ids.set(known, id);
    const kept = ids.get(path);
    if (kept !== undefined) return kept;
    // Without the object the disk may still be a volume: its writer may have crashed, or the cluster does not have the resource.
    const { volumes, failures } = await locator.all({ signal });
    const [failure] = failures.values();
    const [first, second] = volumes.filter(({ diskPath }) => diskPath === path);
    if (second) throw ambiguous(path, []);
    const found = first?.id;
    if (found === undefined && failures.size > 0) throw failure;
    const id = found ?? (await register(path, context));
    if (id === undefined) return undefined;
    await migrations.put(path, id, nameOf(path), { signal });
    ids.set(path, id);
    return id;
  };

  return {
    idOf: async (path, context) => ids.get(path) ?? lookups.run(path, () => lookUp(path, context)),
    known: async ({ lifetime: signal }) => {
      for (const [path, id] of await migrations.list({ signal })) ids.set(path, id);
      return new Map([...ids].map(([path, id]) => [id, path]));
    },
    forget: async (path, { lifetime: signal }) => {
      const id = ids.get(path);
      ids.delete(path);
      if (id !== undefined) await migrations.remove(id, { signal });
    },
  };
};
