import { isNonCompliant } from '@vdo/checks/facts/volume-facts';
import type { PersistentVolume } from '@vdo/kube/types/core';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';

/** A volume that vCenter lists under the cluster ID of this cluster. */
export interface KnownVolume {
  readonly server: string;
  readonly volume: CnsVolume;
}

export interface VolumeRow {
  /** Null: an orphan. */
  readonly persistentVolume: string | null;
  readonly claim: string | null;
  readonly handle: string;
  readonly state: 'ok' | 'lost' | 'unknown' | 'orphan' | 'degraded' | 'inaccessible' | 'noncompliant';
  readonly capacityGb: number | null;
  readonly datastore: string | null;
  readonly vcenter: string | null;
  /** Nodes it is attached to, according to the cluster. */
  readonly attachedTo: readonly string[];
}

/** CNS writes the prefix of a file volume itself. */
const handleOf = ({ id, type }: CnsVolume): string => (type === 'FILE' && !id.startsWith('file:') ? `file:${id}` : id);

const stateOf = (volume: CnsVolume | undefined, allRead: boolean): VolumeRow['state'] => {
  // If its vCenter did not answer, the volume is not lost.
  if (!volume) return allRead ? 'lost' : 'unknown';
  if (volume.healthStatus === 'red') return 'inaccessible';
  if (volume.healthStatus === 'yellow') return 'degraded';
  return isNonCompliant(volume) ? 'noncompliant' : 'ok';
};

const describe = (known: KnownVolume | undefined): Pick<VolumeRow, 'capacityGb' | 'datastore' | 'vcenter'> => ({
  capacityGb: known ? Number(known.volume.capacityMb) / 1024 : null,
  datastore: known?.volume.datastoreUrl ?? null,
  vcenter: known?.server ?? null,
});

/** Joins the PersistentVolumes of the driver with the volumes reported by the vCenters. */
export const volumeRows = (input: {
  readonly volumes: readonly PersistentVolume[];
  readonly attachments: readonly VolumeAttachment[];
  readonly known: readonly KnownVolume[];
  readonly driver: string;
  /** Every vCenter has reported its volumes. */
  readonly allRead: boolean;
}): readonly VolumeRow[] => {
  const byHandle = new Map(input.known.map((known) => [handleOf(known.volume), known]));
  const attached = (name: string): readonly string[] =>
    input.attachments
      .filter(({ spec, status }) => spec.source.persistentVolumeName === name && status?.attached)
      .map(({ spec }) => spec.nodeName);
  const ours = input.volumes.filter(({ spec }) => spec.csi?.driver === input.driver);
  const rows = ours.map((volume): VolumeRow => {
    const name = volume.metadata.name ?? '';
    const handle = volume.spec.csi?.volumeHandle ?? '';
    const known = byHandle.get(handle);
    const { claimRef } = volume.spec;
    return {
      persistentVolume: name,
      claim: claimRef ? `${claimRef.namespace}/${claimRef.name}` : null,
      handle,
      state: stateOf(known?.volume, input.allRead),
      ...describe(known),
      attachedTo: attached(name),
    };
  });
  const owned = new Set(ours.map(({ spec }) => spec.csi?.volumeHandle));
  const orphans = input.known
    .filter(({ volume }) => !owned.has(handleOf(volume)))
    .map(
      (known): VolumeRow => ({
        persistentVolume: null,
        claim: null,
        handle: handleOf(known.volume),
        state: 'orphan',
        ...describe(known),
        attachedTo: [],
      }),
    );
  return [...rows, ...orphans];
};
