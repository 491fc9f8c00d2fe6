import type { VolumeAttachment } from '@vdo/kube/types/storage';
import type { CnsVolume, NetPermission } from '@vdo/vsphere/cns/cns-types';
import { destructiveCalls, type HasDestructiveCalls } from '@vdo/vsphere/destructive/destructive-calls';
import type { Attempt } from '../attempt.ts';
import type { Answer, Evidence, Found } from '../evidence.ts';
import { perform } from '../internal/perform.ts';
import { actRefused } from '../internal/refusals.ts';

/** Revokes the permissions of addresses that no attachment of the share needs any more; `because` is the evidence. */
export const removeShareAccess = async (
  attempt: Attempt,
  share: {
    readonly vcenter: HasDestructiveCalls;
    readonly volumeId: string;
    readonly clusterId: string;
    readonly permissions: readonly NetPermission[];
    readonly volume: Answer<Pick<CnsVolume, 'containerClusterIds'> | undefined>;
    /** All VolumeAttachments of the share. */
    readonly attachments: readonly [Found<VolumeAttachment>, ...Found<VolumeAttachment>[]];
    readonly because: readonly Evidence[];
    /** The operation that needs it, for the logs of vCenter. */
    readonly operationId?: string | undefined;
  },
): Promise<void> => {
  const { vcenter, volumeId, clusterId, permissions, volume, attachments, because, operationId } = share;
  // Several clusters may mount one share; each revokes the permissions that it granted.
  const named = volume.value?.containerClusterIds ?? [];
  if (named.length > 0 && !named.includes(clusterId))
    throw actRefused('take access away from share', volumeId, `vCenter lists it for cluster ${named[0]}`);
  await perform(attempt, [volume, ...attachments, ...because], ({ beforeSend: assertHeld, signal }) =>
    destructiveCalls(vcenter).removeAccess(volumeId, permissions, {
      fence: { assertHeld, operationId },
      ...(signal ? { signal } : {}),
    }),
  );
};
