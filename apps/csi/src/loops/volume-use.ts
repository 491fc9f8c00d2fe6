import type { AccessMode, VolumeUse } from '../volumes/volume-access.ts';

/** The widest first. */
const modes: Readonly<Record<string, AccessMode>> = {
  ReadWriteMany: 'MULTI_NODE_MULTI_WRITER',
  ReadOnlyMany: 'MULTI_NODE_READER_ONLY',
  ReadWriteOnce: 'SINGLE_NODE_MULTI_WRITER',
  ReadWriteOncePod: 'SINGLE_NODE_SINGLE_WRITER',
};

interface Used {
  readonly volumeMode?: string | undefined;
  readonly accessModes?: readonly string[] | undefined;
}

/** How a claim or a PersistentVolume is used: once for each access mode. */
export const volumeUsesOf = ({ volumeMode, accessModes = [] }: Used, fsType: string): readonly VolumeUse[] =>
  accessModes.map((name) =>
    volumeMode === 'Block'
      ? { kind: 'block', fsType: '', mode: modes[name] }
      : { kind: 'mount', fsType, mode: modes[name] },
  );

/** The same for a volume that is to be attached: of several access modes the widest one is used. */
export const widestUseOf = ({ volumeMode, accessModes = [] }: Used, fsType: string): VolumeUse => {
  const widest = Object.keys(modes).find((mode) => accessModes.includes(mode)) ?? '';
  const [use] = volumeUsesOf({ volumeMode, accessModes: [widest] }, fsType);
  return use ?? { kind: 'mount', fsType, mode: undefined };
};
