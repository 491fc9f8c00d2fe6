import { createHash } from 'node:crypto';
import type { VolumeSnapshotContent } from '@vdo/kube/types/snapshots';

/** The claim a volume's name stands for; undefined for volumes that others asked for. */
export const claimUidOf = (volumeName: string): string | undefined => /^pvc-([0-9a-f-]{36})$/.exec(volumeName)?.[1];

/** How volume handles of this driver look. */
export type VolumeId =
  | { readonly kind: 'block'; readonly id: string }
  | { readonly kind: 'file'; readonly id: string }
  /** `[datastore] path.vmdk`: a volume of the in-tree provider. */
  | { readonly kind: 'vmdk'; readonly id: string };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Undefined for what can never have been a volume of this driver. */
export const parseVolumeId = (text: string): VolumeId | undefined => {
  if (uuid.test(text)) return { kind: 'block', id: text };
  if (text.startsWith('file:') && uuid.test(text.slice('file:'.length))) return { kind: 'file', id: text };
  if (/^\[[^\]]+\] .+\.vmdk$/.test(text)) return { kind: 'vmdk', id: text };
  return undefined;
};

/** vCenter keeps at most 80 characters of a disk's name. */
const maxCnsNameLength = 80;

/** The name a volume carries in vCenter: the CSI name, and for longer ones its beginning and a hash of the whole. */
export const cnsNameOf = (csiName: string): string => {
  if (csiName.length <= maxCnsNameLength) return csiName;
  const hash = createHash('sha256').update(csiName).digest('hex').slice(0, 32);
  return `${csiName.slice(0, maxCnsNameLength - hash.length - 1)}-${hash}`;
};

/** A snapshot by its volume and its own id. */
export interface SnapshotId {
  readonly volumeId: string;
  readonly snapshotId: string;
}

/** `<volume>+<snapshot>`, as the Go driver writes it. */
export const formatSnapshotId = ({ volumeId, snapshotId }: SnapshotId): string => `${volumeId}+${snapshotId}`;

/** Undefined for what can never have been a snapshot of this driver. */
export const parseSnapshotId = (text: string): SnapshotId | undefined => {
  const [volumeId = '', snapshotId = '', ...rest] = text.split('+');
  const ids = [volumeId, snapshotId].map((id) => parseVolumeId(id)?.kind);
  return rest.length === 0 && ids.every((kind) => kind === 'block') ? { volumeId, snapshotId } : undefined;
};

/** The snapshots that a VolumeSnapshotContent names: the one that it was made for, and the one that was found or taken for it. */
export const handlesOf = ({ spec, status }: VolumeSnapshotContent): readonly string[] =>
  [...new Set([spec.source.snapshotHandle, status?.snapshotHandle])].filter((handle) => handle !== undefined);
