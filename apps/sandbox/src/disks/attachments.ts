import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { persistentVolumes } from '@vdo/kube/types/core';
import { parseQuantity } from '@vdo/kube/types/quantity';
import { volumeAttachments } from '@vdo/kube/types/storage';
import type { VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';

/** A disk that is currently attached to the VM of a node. */
export interface Attachment {
  /** UUID of the disk; the same wherever the volume is attached. */
  readonly id: string;
  readonly diskUuid: string;
  readonly bytes: bigint;
  readonly nodeName: string;
}

export type ReadAttachments = () => Promise<readonly Attachment[]>;

/** The attachments of the simulated vCenter. */
export const attachmentsOfSim =
  ({ volumes, control }: Pick<VSphereSim, 'volumes' | 'control'>): ReadAttachments =>
  async () =>
    volumes.list().flatMap(({ id, type, diskUuid, capacityMb, attachedTo }) => {
      if (type !== 'BLOCK' || !attachedTo) return [];
      const nodeName = String(control.read(attachedTo.vm.value, 'name'));
      return [{ id, diskUuid, bytes: capacityMb * 1024n * 1024n, nodeName }];
    });

const driver = names.csiDriver;

/** The attachments according to the cluster: as reported by the driver, for a vCenter that is not simulated. */
export const attachmentsInCluster =
  (kube: KubeClient): ReadAttachments =>
  async () => {
    const attached = (await kube.list(volumeAttachments)).items.filter(
      ({ spec, status }) => spec.attacher === driver && status?.attached === true,
    );
    if (attached.length === 0) return [];
    const volumes = new Map((await kube.list(persistentVolumes)).items.map((one) => [one.metadata.name, one.spec]));
    return attached.flatMap(({ spec, status }) => {
      const diskUuid = status?.attachmentMetadata?.['diskUUID'];
      const volume = volumes.get(spec.source.persistentVolumeName ?? '');
      if (diskUuid === undefined || !volume) return [];
      const bytes = parseQuantity(volume.capacity?.storage ?? '') ?? 0n;
      return [{ id: volume.csi?.volumeHandle ?? '', diskUuid, bytes, nodeName: spec.nodeName }];
    });
  };
