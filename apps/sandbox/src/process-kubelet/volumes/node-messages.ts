import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  VolumeCapability_AccessMode_Mode as Mode,
  NodeServiceCapability_RPC_Type as Rpc,
  type VolumeCapabilitySchema,
} from '@vdo/csi-proto/gen/csi-pb';
import type { PersistentVolume, Pod } from '@vdo/kube/types/core';

const modeOf = (accessMode: string, capabilities: ReadonlySet<Rpc>): Mode => {
  const knowsWriters = capabilities.has(Rpc.SINGLE_NODE_MULTI_WRITER);
  switch (accessMode) {
    case 'ReadOnlyMany':
      return Mode.MULTI_NODE_READER_ONLY;
    case 'ReadWriteMany':
      return Mode.MULTI_NODE_MULTI_WRITER;
    case 'ReadWriteOncePod':
      return knowsWriters ? Mode.SINGLE_NODE_SINGLE_WRITER : Mode.SINGLE_NODE_WRITER;
    default:
      return knowsWriters ? Mode.SINGLE_NODE_MULTI_WRITER : Mode.SINGLE_NODE_WRITER;
  }
};

/** The capability that the kubelet passes to a driver: from the first of the volume's access modes. */
export const capabilityOf = (
  { spec }: PersistentVolume,
  capabilities: ReadonlySet<Rpc>,
): MessageInitShape<typeof VolumeCapabilitySchema> => ({
  accessType:
    spec.volumeMode === 'Block'
      ? { case: 'block', value: {} }
      : { case: 'mount', value: { fsType: spec.csi?.fsType ?? '', mountFlags: [...(spec.mountOptions ?? [])] } },
  accessMode: { mode: modeOf(spec.accessModes?.[0] ?? 'ReadWriteOnce', capabilities) },
});

/** The pod information that a driver with `podInfoOnMount` receives. */
export const podInfo = (pod: Pod): Readonly<Record<string, string>> => ({
  'csi.storage.k8s.io/pod.name': pod.metadata.name ?? '',
  'csi.storage.k8s.io/pod.namespace': pod.metadata.namespace ?? '',
  'csi.storage.k8s.io/pod.uid': pod.metadata.uid ?? '',
  'csi.storage.k8s.io/serviceAccount.name': pod.spec.serviceAccountName ?? 'default',
  'csi.storage.k8s.io/ephemeral': 'false',
});
