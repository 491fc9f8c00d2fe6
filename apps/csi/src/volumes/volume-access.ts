import { VdoError } from '@vdo/base/vdo-error';

/** CSI's access modes: who may use a volume at the same time, and how. */
const accessModes = {
  SINGLE_NODE_WRITER: { shared: false, readOnly: false },
  SINGLE_NODE_READER_ONLY: { shared: false, readOnly: true },
  SINGLE_NODE_SINGLE_WRITER: { shared: false, readOnly: false },
  SINGLE_NODE_MULTI_WRITER: { shared: false, readOnly: false },
  MULTI_NODE_READER_ONLY: { shared: true, readOnly: true },
  MULTI_NODE_SINGLE_WRITER: { shared: true, readOnly: false },
  MULTI_NODE_MULTI_WRITER: { shared: true, readOnly: false },
} as const;

export type AccessMode = keyof typeof accessModes;

export const isAccessMode = (name: string | undefined): name is AccessMode =>
  name !== undefined && Object.hasOwn(accessModes, name);

/** One use of a volume: a VolumeCapability in CSI, an access mode in Kubernetes. */
export interface VolumeUse {
  /** Undefined: not specified. */
  readonly kind: 'mount' | 'block' | undefined;
  readonly fsType: string;
  /** Undefined: not specified, or unknown. */
  readonly mode: AccessMode | undefined;
}

/** The requirements of a set of uses on one volume. */
export interface VolumeAccess {
  readonly kind: 'mount' | 'block';
  /** Lower case; empty leaves the choice to the node (ext4). */
  readonly fsType: string;
  /** Several nodes at the same time, which is possible only with a file share. */
  readonly shared: boolean;
  readonly readOnly: boolean;
}

const fileSystems: readonly string[] = ['', 'ext4', 'ext3', 'xfs', 'btrfs'];
// csi-provisioner writes ext4 if the class does not set a file system, so it was not requested.
const shareFileSystems: readonly string[] = ['', 'nfs', 'nfs4', 'ext4'];

const invalid = (message: string, remedy: string): VdoError =>
  new VdoError({ code: 'InvalidArgument', message, remedy });
const unsupported = (message: string, remedy: string): VdoError =>
  new VdoError({ code: 'VolumeCapabilityUnsupported', message, remedy });

const readOne = ({ kind, mode, ...use }: VolumeUse): VolumeAccess => {
  if (kind === undefined) throw invalid('a volume capability has neither block nor mount access', 'Set access_type.');
  if (mode === undefined) throw invalid('a volume capability has no access mode', 'Set access_mode.');
  const asked = accessModes[mode];
  if (kind === 'block') {
    if (asked.shared)
      throw unsupported(
        `a raw block device with access mode ${mode} is for several nodes, but a disk can be used by only one`,
        'Use ReadWriteOnce or ReadWriteOncePod for volumeMode Block; ReadWriteMany and ReadOnlyMany need volumeMode Filesystem.',
      );
    return { ...asked, kind, fsType: '' };
  }
  const fsType = use.fsType.toLowerCase();
  if (asked.shared && !shareFileSystems.includes(fsType))
    throw unsupported(
      `file system ${fsType} cannot be used with access mode ${mode}: several nodes share a volume only over NFS`,
      'Remove csi.storage.k8s.io/fstype from the StorageClass, or set it to nfs4.',
    );
  const share = fsType === 'nfs' || fsType === 'nfs4';
  if (!asked.shared && !share && !fileSystems.includes(fsType))
    throw unsupported(
      `file system ${fsType} is not supported`,
      'Set csi.storage.k8s.io/fstype of the StorageClass to ext4, ext3, xfs or btrfs.',
    );
  return { ...asked, shared: asked.shared || share, kind, fsType };
};

/** Combines uses that one volume must support; throws InvalidArgument or VolumeCapabilityUnsupported. */
export const readVolumeAccess = (uses: readonly VolumeUse[]): VolumeAccess => {
  const [first, ...rest] = uses.map(readOne);
  if (first === undefined) throw invalid('volume capabilities are missing', 'Set volume_capabilities.');
  if (rest.some(({ kind }) => kind !== first.kind))
    throw unsupported(
      'the volume was requested both as a raw block device and as a mounted file system',
      'Request only one of the two.',
    );
  const all = [first, ...rest];
  return {
    kind: first.kind,
    fsType: all.find(({ fsType }) => fsType !== '')?.fsType ?? '',
    shared: all.some(({ shared }) => shared),
    readOnly: all.every(({ readOnly }) => readOnly),
  };
};
