import type { PersistentVolume } from '@vdo/kube/types/core';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { OpenVCenter } from '../../shared/checkup/open-vcenters.ts';
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

/** A volume as it is now, and the vCenter that has it. */
export interface SeenVolume {
  readonly facts: CleanupFacts;
  readonly vcenter: FullVCenter | undefined;
}

/** Looks at one volume by its id, in all vCenters; who has it in the cluster is read by `readVolumes`. */
export const lookAtVolume = async (
  id: string,
  input: {
    readonly vcenters: readonly OpenVCenter[];
    readonly clusterId: string;
    readonly readVolumes: () => Promise<readonly PersistentVolume[]>;
    readonly nowMs: number;
    readonly signal: AbortSignal;
  },
): Promise<SeenVolume> => {
  const { signal, clusterId, nowMs } = input;
  const bare = id.replace(/^file:/, '');
  const found = await Promise.all(
    input.vcenters.map(async ({ vcenter }) => {
      const [volume] = await vcenter.cns.queryVolumes({ volumeIds: [bare] }, { signal });
      return volume ? [{ vcenter, volume }] : [];
    }),
  );
  const [first] = found.flat();
  const owner = (await input.readVolumes()).find(({ spec }) => {
    const handle = spec.csi?.volumeHandle;
    return handle === id || handle === bare || handle === `file:${bare}`;
  });
  const facts = { volume: first?.volume, clusterId, persistentVolume: owner?.metadata.name, nowMs };
  if (!first) return { vcenter: undefined, facts: { ...facts, snapshots: 0, disk: undefined } };
  const { vcenter, volume } = first;
  const [snapshots, disk] = await Promise.all([
    vcenter.cns.querySnapshots({ volumeId: bare }, { signal }),
    diskOf(vcenter, volume, signal),
  ]);
  return { vcenter, facts: { ...facts, snapshots: snapshots.length, disk } };
};
