import { VdoError } from '@vdo/base/vdo-error';
import { VolumeCapability_AccessMode_Mode as Mode, type VolumeCapability } from '../gen/csi-pb.ts';

/** What a set of CSI capabilities asks of one volume. */
export interface VolumeAccess {
  readonly kind: 'mount' | 'block';
  /** Lower case; empty leaves the choice to the node (ext4). */
  readonly fsType: string;
}

const singleNode: ReadonlySet<Mode> = new Set([
  Mode.SINGLE_NODE_WRITER,
  Mode.SINGLE_NODE_READER_ONLY,
  Mode.SINGLE_NODE_SINGLE_WRITER,
  Mode.SINGLE_NODE_MULTI_WRITER,
]);
const fileSystems: readonly string[] = ['', 'ext4', 'ext3', 'xfs', 'btrfs'];

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
  if (!singleNode.has(mode))
    throw unsupported(
      `access mode ${modeName(mode)} asks for several nodes, a block volume serves one`,
      'Use ReadWriteOnce or ReadWriteOncePod; ReadWriteMany and ReadOnlyMany need file volumes, which this version does not provide.',
    );
  if (accessType.case === 'block') return { kind: 'block', fsType: '' };
  const fsType = accessType.value.fsType.toLowerCase();
  if (!fileSystems.includes(fsType))
    throw unsupported(
      `file system ${fsType} is not known`,
      'Set csi.storage.k8s.io/fstype of the StorageClass to ext4, ext3, xfs or btrfs.',
    );
  return { kind: 'mount', fsType };
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
  return { ...first, fsType: first.fsType || (rest.find(({ fsType }) => fsType !== '')?.fsType ?? '') };
};
