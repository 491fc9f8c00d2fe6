import type { MessageInitShape } from '@bufbuild/protobuf';
import { VolumeCapability_AccessMode_Mode as Mode, type VolumeCapabilitySchema } from '@vdo/csi-proto/gen/csi-pb';
import type { PersistentVolume } from '@vdo/kube/types/core';

const modes: Readonly<Record<string, Mode>> = {
  ReadWriteOnce: Mode.SINGLE_NODE_MULTI_WRITER,
  ReadWriteOncePod: Mode.SINGLE_NODE_SINGLE_WRITER,
  ReadOnlyMany: Mode.MULTI_NODE_READER_ONLY,
  ReadWriteMany: Mode.MULTI_NODE_MULTI_WRITER,
};

/** How a PersistentVolume is used, as CSI says it. Of several access modes the widest counts. */
export const volumeCapabilityOf = ({ spec }: PersistentVolume): MessageInitShape<typeof VolumeCapabilitySchema> => {
  const accessModes = spec.accessModes ?? [];
  const widest = ['ReadWriteMany', 'ReadOnlyMany', 'ReadWriteOnce', 'ReadWriteOncePod'].find((mode) =>
    accessModes.includes(mode),
  );
  const mount = { fsType: spec.csi?.fsType ?? '', mountFlags: [...(spec.mountOptions ?? [])] };
  return {
    accessType: spec.volumeMode === 'Block' ? { case: 'block', value: {} } : { case: 'mount', value: mount },
    accessMode: { mode: modes[widest ?? ''] ?? Mode.UNKNOWN },
  };
};
