import type { ClusterFacts } from '@vdo/checks/facts';
import { valueIn } from '@vdo/checks/facts/reading';
import type { PlaceFacts, VCenterFacts } from '@vdo/checks/facts/vcenter-facts';
import { createVolumeMatcher } from '@vdo/checks/facts/volume-facts';
import type { DatastoreFact, DiskFact, Inventory, VCenterInventory } from '@vdo/dashboard/inventory';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { DatastoreHealth } from '@vdo/vsphere/health/health-reader';
import { morefKey } from '@vdo/vsphere/wire/moref';

export interface VolumeInventory {
  current(): Inventory;
  /** Called with each volume while the checks read them. */
  onVolume(volume: CnsVolume, server: string): void;
  /** Called with the facts of the same run. */
  see(facts: ClusterFacts): void;
}

/** The fields of a volume that are kept until the run is over: the datastores are known only then. */
type Kept = Pick<CnsVolume, 'id' | 'name' | 'type' | 'datastoreUrl' | 'capacityMb' | 'healthStatus' | 'diskPath'>;

const problemOf = ({ accessible, maintenance, suspended }: DatastoreHealth): string => {
  if (!accessible) return 'is not accessible';
  if (maintenance) return 'is in maintenance mode';
  return suspended ? 'is suspended for new volumes' : '';
};

const datastoreFacts = ({ hosts, datastores = [] }: PlaceFacts): readonly DatastoreFact[] => {
  const mounting = new Map<string, string[]>();
  for (const host of hosts.values())
    for (const ref of host.datastores) {
      const key = morefKey(ref);
      mounting.set(key, [...(mounting.get(key) ?? []), host.name]);
    }
  return datastores.map((datastore) => ({
    name: datastore.name,
    url: datastore.url,
    type: datastore.type,
    capacity: Number(datastore.capacityBytes),
    free: Number(datastore.freeBytes),
    problem: problemOf(datastore),
    hosts: mounting.get(morefKey(datastore.ref)) ?? [],
  }));
};

const diskFact = (volume: Kept, at: number | undefined, isOrphan: boolean): DiskFact => ({
  id: volume.id,
  name: volume.name,
  ...(volume.type === 'FILE' ? { isFile: true } : {}),
  ...(at === undefined ? {} : { at }),
  mb: Number(volume.capacityMb),
  ...(volume.healthStatus ? { health: volume.healthStatus } : {}),
  ...(volume.diskPath ? { path: volume.diskPath } : {}),
  ...(isOrphan ? { isOrphan: true } : {}),
});

const emptyOf = (vcenter: string): VCenterInventory => ({
  vcenter,
  problem: '',
  volumes: [],
  datastores: [],
  hosts: [],
  policies: [],
  slots: {},
});

/** The same volumes with references to a newer list of datastores: a run may read datastores without volumes. */
const movedTo = (datastores: readonly DatastoreFact[], known: VCenterInventory): readonly DiskFact[] => {
  const positions = new Map(datastores.map(({ url }, at) => [url, at]));
  return known.volumes.map(({ at: before, ...volume }) => {
    const at = before === undefined ? undefined : positions.get(known.datastores[before]?.url ?? '');
    return { ...volume, ...(at === undefined ? {} : { at }) };
  });
};

const withDatastores = (known: VCenterInventory, places: PlaceFacts, nowMs: number): VCenterInventory => {
  const datastores = datastoreFacts(places);
  return { ...known, datastores, volumes: movedTo(datastores, known), placesAtMs: nowMs };
};

const withPlaces = (known: VCenterInventory, vcenter: VCenterFacts, facts: ClusterFacts): VCenterInventory => {
  const places = valueIn(vcenter.places);
  const policies = valueIn(vcenter.policies);
  const slots = facts.nodes.flatMap(({ node, vm, slots: of }) =>
    of && vm?.server === vcenter.server ? [[node.metadata.name ?? '', [of.used, of.total] as const] as const] : [],
  );
  return {
    ...(places?.datastores ? withDatastores(known, places, facts.nowMs) : known),
    ...(places ? { hosts: [...places.hosts.values()].map(({ name, version }) => ({ name, version })) } : {}),
    ...(policies
      ? { policies: policies.map(({ name, exists, compatible }) => ({ name, exists, datastores: compatible })) }
      : {}),
    ...(slots.length > 0 ? { slots: Object.fromEntries(slots) } : {}),
  };
};

const withVolumes = (
  known: VCenterInventory,
  vcenter: VCenterFacts,
  read: { readonly volumes: readonly Kept[]; readonly facts: ClusterFacts },
): VCenterInventory => {
  if (vcenter.volumes === undefined) return known;
  // The last known data stays, with its age.
  if ('error' in vcenter.volumes)
    return { ...known, problem: `${vcenter.volumes.error.message}. ${vcenter.volumes.error.remedy}` };
  const persistent = valueIn(read.facts.kube.persistentVolumes);
  const isKnown = createVolumeMatcher(persistent);
  const positions = new Map(known.datastores.map(({ url }, at) => [url, at]));
  return {
    ...known,
    problem: '',
    volumesAtMs: read.facts.nowMs,
    volumes: read.volumes.map((volume) =>
      diskFact(volume, positions.get(volume.datastoreUrl), persistent !== undefined && !isKnown(volume as CnsVolume)),
    ),
  };
};

/** Keeps vCenter's data about volumes in memory, from the facts that the checks gather anyway: it costs no call. */
export const createVolumeInventory = (): VolumeInventory => {
  let known: ReadonlyMap<string, VCenterInventory> = new Map();
  /** By server and ID: an aborted run has reported some already. */
  let reading = new Map<string, Map<string, Kept>>();
  return {
    current: () => ({ vcenters: [...known.values()] }),
    onVolume: ({ id, name, type, datastoreUrl, capacityMb, healthStatus, diskPath }, server) => {
      const volumes = reading.get(server) ?? new Map<string, Kept>();
      reading.set(server, volumes);
      volumes.set(id, { id, name, type, datastoreUrl, capacityMb, healthStatus, diskPath });
    },
    see: (facts) => {
      const read = reading;
      reading = new Map();
      if (facts.vcenters.length === 0) return;
      known = new Map(
        facts.vcenters.map((vcenter) => {
          const name = vcenter.spec.server;
          const placed = withPlaces(known.get(name) ?? emptyOf(name), vcenter, facts);
          return [
            name,
            withVolumes(placed, vcenter, { volumes: [...(read.get(vcenter.server)?.values() ?? [])], facts }),
          ];
        }),
      );
    },
  };
};
