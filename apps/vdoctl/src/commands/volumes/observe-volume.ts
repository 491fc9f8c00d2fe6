import type { Attempt } from '@vdo/acts/attempt';
import type { Answer, Evidence, Found } from '@vdo/acts/evidence';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { OpenVCenter } from '../../shared/checkup/open-vcenters.ts';
import { askVolume } from './ask-volume.ts';
import type { CleanupFacts } from './why-keep.ts';

type DiskFacts = CleanupFacts['disk'];

const diskOf = async (vcenter: FullVCenter, volume: CnsVolume, signal: AbortSignal): Promise<DiskFacts> => {
  if (volume.type !== 'BLOCK') return undefined;
  const tree = await vcenter.inventory.read(['Datastore'], { signal });
  const refs = [...tree.values()].map(({ ref }) => ref).filter(({ type }) => type === 'Datastore');
  const datastores = await vcenter.health.datastores(refs, { signal });
  const datastore = [...datastores.values()].find(({ url }) => url === volume.datastoreUrl);
  const disk = datastore && (await vcenter.firstClassDisks.get(datastore.ref, volume.id, { signal }));
  return disk && { createdAtMs: disk.createTime.getTime(), consumers: disk.consumers };
};

/** The current state of a volume, with its evidence. */
export interface SeenVolume {
  readonly facts: CleanupFacts;
  /** Undefined: no vCenter has it. */
  readonly found:
    | {
        readonly vcenter: FullVCenter;
        readonly volume: Answer<CnsVolume | undefined>;
        readonly holders: Found<PersistentVolume>;
        readonly also: readonly Evidence[];
      }
    | undefined;
}

interface InTreeSource {
  readonly vsphereVolume?: { readonly volumePath?: string };
}

const fileOf = (path: string | undefined): string | undefined => path?.split('/').at(-1);

/** Whether a PersistentVolume uses the volume: by its ID, or by the path of its disk, even if the disk has moved to another datastore. */
export const hasIt =
  (id: string, volume: CnsVolume | undefined) =>
  ({ spec }: PersistentVolume): boolean => {
    const handle = spec.csi?.volumeHandle;
    if (handle === id) return true;
    const path = (spec as InTreeSource).vsphereVolume?.volumePath ?? (handle?.startsWith('[') ? handle : undefined);
    return path !== undefined && fileOf(path) === fileOf(volume?.diskPath);
  };

/** Reads one volume by its ID, from all vCenters, and its users in the cluster. */
export const observeVolume = async (
  id: string,
  input: {
    readonly attempt: Attempt;
    readonly vcenters: readonly OpenVCenter[];
    readonly clusterId: string;
    readonly nowMs: number;
    readonly signal: AbortSignal;
  },
): Promise<SeenVolume> => {
  const { attempt, signal, clusterId, nowMs } = input;
  const looks = await askVolume(id, attempt, input);
  const first = looks.find(({ volume }) => volume.value !== undefined);
  const volume = first?.volume.value;
  const question = { index: 'handle', value: id };
  const holders = await attempt.search(persistentVolumes, question, hasIt(id, volume));
  const facts = { volume, clusterId, persistentVolume: holders.objects[0]?.metadata.name, nowMs };
  if (!first || !volume) return { found: undefined, facts: { ...facts, snapshots: 0, disk: undefined } };
  const { vcenter } = first;
  const [snapshots, disk] = await Promise.all([
    attempt.ask(`snapshots of ${id}`, () => vcenter.cns.querySnapshots({ volumeId: id }, { signal })),
    attempt.ask(`disk ${id}`, () => diskOf(vcenter, volume, signal)),
  ]);
  return {
    found: { vcenter, volume: first.volume, holders, also: [snapshots, disk] },
    facts: { ...facts, snapshots: snapshots.value.length, disk: disk.value },
  };
};
