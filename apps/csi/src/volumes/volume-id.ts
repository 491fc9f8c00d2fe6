import { createHash } from 'node:crypto';
import type { VolumeSnapshotContent } from '@vdo/kube/types/snapshots';

/** The claim from a volume's name; undefined for volumes that were not created for a claim. */
export const claimUidOf = (volumeName: string): string | undefined => /^pvc-([0-9a-f-]{36})$/.exec(volumeName)?.[1];

/** The form of volume handles of this driver. */
export type VolumeId =
  | { readonly kind: 'block'; readonly id: string }
  | { readonly kind: 'file'; readonly id: string }
  /** `[datastore] path.vmdk`: a volume of the in-tree provider. */
  | { readonly kind: 'vmdk'; readonly id: string };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Undefined for a text that cannot be a volume handle of this driver. */
export const parseVolumeId = (text: string): VolumeId | undefined => {
  if (uuid.test(text)) return { kind: 'block', id: text };
  if (text.startsWith('file:') && uuid.test(text.slice('file:'.length))) return { kind: 'file', id: text };
  if (/^\[[^\]]+\] .+\.vmdk$/.test(text)) return { kind: 'vmdk', id: text };
  return undefined;
};

/** vCenter stores at most 80 characters of a disk's name. */
const maxCnsNameLength = 80;

/** The name of a volume in vCenter: the CSI name, or, if it is too long, its beginning and a hash. */
export const cnsNameOf = (csiName: string): string => {
  if (csiName.length <= maxCnsNameLength) return csiName;
  const hash = createHash('sha256').update(csiName).digest('hex').slice(0, 32);
  return `${csiName.slice(0, maxCnsNameLength - hash.length - 1)}-${hash}`;
};

/** A snapshot: the ID of its volume and its own ID. */
export interface SnapshotId {
  readonly volumeId: string;
  readonly snapshotId: string;
}

/** `<volume>+<snapshot>`, as the Go driver writes it. */
export const formatSnapshotId = ({ volumeId, snapshotId }: SnapshotId): string => `${volumeId}+${snapshotId}`;

/** Undefined for a text that cannot be a snapshot handle of this driver. */
export const parseSnapshotId = (text: string): SnapshotId | undefined => {
  const [volumeId = '', snapshotId = '', ...rest] = text.split('+');
  const ids = [volumeId, snapshotId].map((id) => parseVolumeId(id)?.kind);
  return rest.length === 0 && ids.every((kind) => kind === 'block') ? { volumeId, snapshotId } : undefined;
};

/** The snapshots that a VolumeSnapshotContent refers to: the one in its spec, and the one that was found or created for it. */
export const handlesOf = ({ spec, status }: VolumeSnapshotContent): readonly string[] =>
  [...new Set([spec.source.snapshotHandle, status?.snapshotHandle])].filter((handle) => handle !== undefined);
