import { VdoError } from '@vdo/base/vdo-error';
import { VolumeCapability_AccessMode_Mode as Mode, type VolumeCapability } from '@vdo/csi-proto/gen/csi-pb';

/** What a set of CSI capabilities asks of one volume. */
export interface VolumeAccess {
  readonly kind: 'mount' | 'block';
  /** Lower case; empty leaves the choice to the node (ext4). */
  readonly fsType: string;
  /** Several nodes at once: only a file share can do that. */
  readonly shared: boolean;
  readonly readOnly: boolean;
}

const singleNode: ReadonlySet<Mode> = new Set([
  Mode.SINGLE_NODE_WRITER,
  Mode.SINGLE_NODE_READER_ONLY,
  Mode.SINGLE_NODE_SINGLE_WRITER,
  Mode.SINGLE_NODE_MULTI_WRITER,
]);
const readers: ReadonlySet<Mode> = new Set([Mode.SINGLE_NODE_READER_ONLY, Mode.MULTI_NODE_READER_ONLY]);
const fileSystems: readonly string[] = ['', 'ext4', 'ext3', 'xfs', 'btrfs'];
// ext4 is what csi-provisioner writes when the class names no file system: nobody asked for it.
const shareFileSystems: readonly string[] = ['', 'nfs', 'nfs4', 'ext4'];

const modeName = (mode: Mode): string =>
  Object.entries(Mode).find(([, value]) => value === mode)?.[0] ?? `unknown (${mode})`;

const invalid = (message: string, remedy: string): VdoError =>
  new VdoError({ code: 'InvalidArgument', message, remedy });
const unsupported = (message: string, remedy: string): VdoError =>
  new VdoError({ code: 'VolumeCapabilityUnsupported', message, remedy });

const readOne = (capability: VolumeCapability): VolumeAccess => {
  const { accessType, accessMode } = capability;
  if (accessType.case === undefined)
    throw invalid('a volume capability names neither block nor mount access', 'Set access_type.');
  const mode = accessMode?.mode ?? Mode.UNKNOWN;
  if (mode === Mode.UNKNOWN) throw invalid('a volume capability has no access mode', 'Set access_mode.');
  const asked = { shared: !singleNode.has(mode), readOnly: readers.has(mode) };
  if (accessType.case === 'block') {
    if (asked.shared)
      throw unsupported(
        `a raw block device with access mode ${modeName(mode)} asks for several nodes, and a disk serves one`,
        'Use ReadWriteOnce or ReadWriteOncePod for volumeMode Block; ReadWriteMany and ReadOnlyMany need volumeMode Filesystem.',
      );
    return { ...asked, kind: 'block', fsType: '' };
  }
  const fsType = accessType.value.fsType.toLowerCase();
  if (asked.shared && !shareFileSystems.includes(fsType))
    throw unsupported(
      `file system ${fsType} with access mode ${modeName(mode)} cannot be: several nodes share a volume over NFS`,
      'Leave csi.storage.k8s.io/fstype out of the StorageClass, or set it to nfs4.',
    );
  const share = fsType === 'nfs' || fsType === 'nfs4';
  if (!asked.shared && !share && !fileSystems.includes(fsType))
    throw unsupported(
      `file system ${fsType} is not known`,
      'Set csi.storage.k8s.io/fstype of the StorageClass to ext4, ext3, xfs or btrfs.',
    );
  return { ...asked, shared: asked.shared || share, kind: 'mount', fsType };
};

/** Reads capabilities that must all hold for one volume; throws InvalidArgument or VolumeCapabilityUnsupported. */
export const readVolumeAccess = (capabilities: readonly VolumeCapability[]): VolumeAccess => {
  const [first, ...rest] = capabilities.map(readOne);
  if (first === undefined) throw invalid('volume capabilities are missing', 'Set volume_capabilities.');
  if (rest.some(({ kind }) => kind !== first.kind))
    throw unsupported(
      'the volume is asked to be both a raw block device and a mounted file system',
      'Ask for one of the two.',
    );
  const all = [first, ...rest];
  return {
    kind: first.kind,
    fsType: all.find(({ fsType }) => fsType !== '')?.fsType ?? '',
    shared: all.some(({ shared }) => shared),
    readOnly: all.every(({ readOnly }) => readOnly),
  };
};
