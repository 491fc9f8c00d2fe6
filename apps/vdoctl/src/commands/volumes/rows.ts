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
  /** Its URL. */
  readonly datastore: string | null;
  /** Null: not known, because the account cannot read it or no host of a node mounts it. */
  readonly datastoreName: string | null;
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

const describe = (
  known: KnownVolume | undefined,
  nameOf: ReadonlyMap<string, string>,
): Pick<VolumeRow, 'capacityGb' | 'datastore' | 'datastoreName' | 'vcenter'> => ({
  capacityGb: known ? Number(known.volume.capacityMb) / 1024 : null,
  datastore: known?.volume.datastoreUrl ?? null,
  datastoreName: nameOf.get(known?.volume.datastoreUrl ?? '') ?? null,
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
  /** Names of datastores by URL. Default: none are known. */
  readonly datastoreNames?: ReadonlyMap<string, string>;
}): readonly VolumeRow[] => {
  const { datastoreNames = new Map<string, string>() } = input;
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
      ...describe(known, datastoreNames),
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
        ...describe(known, datastoreNames),
        attachedTo: [],
      }),
    );
  return [...rows, ...orphans];
};
