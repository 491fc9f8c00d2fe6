import { VdoError } from '@vdo/base/vdo-error';

/** CSI's words for who uses a volume at the same time, and how. */
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

/** One way in which a volume is to be used: a VolumeCapability of CSI, an access mode of Kubernetes. */
export interface VolumeUse {
  /** Undefined: not said. */
  readonly kind: 'mount' | 'block' | undefined;
  readonly fsType: string;
  /** Undefined: not said, or not known here. */
  readonly mode: AccessMode | undefined;
}

/** What a set of uses asks of one volume. */
export interface VolumeAccess {
  readonly kind: 'mount' | 'block';
  /** Lower case; empty leaves the choice to the node (ext4). */
  readonly fsType: string;
  /** Several nodes at once: only a file share can do that. */
  readonly shared: boolean;
  readonly readOnly: boolean;
}

const fileSystems: readonly string[] = ['', 'ext4', 'ext3', 'xfs', 'btrfs'];
// ext4 is what csi-provisioner writes when the class names no file system: nobody asked for it.
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

/** Reads uses that must all be possible with one volume; throws InvalidArgument or VolumeCapabilityUnsupported. */
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
