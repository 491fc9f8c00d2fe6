import type { VolumeSnapshotContent } from '@vdo/kube/types/snapshots';
import { parseVolumeId } from './volume-id.ts';

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
