import { VdoError } from '@vdo/base/vdo-error';

/** As the guest sees it: lower case, no hyphens. Undefined if vCenter returns none. */
export const plainDiskUuid = (uuid: string | undefined): string | undefined =>
  uuid?.toLowerCase().replaceAll('-', '') || undefined;

/** A disk whose backing has no UUID: the node cannot identify it, and must not guess. */
export const diskWithoutUuid = (server: string, volume: string, vm: string): VdoError =>
  new VdoError({
    code: 'VCenterReplyMalformed',
    message: `vCenter ${server} attached volume ${volume} to VM ${vm}, but did not return the UUID of the disk`,
    remedy:
      'Set disk.EnableUUID=TRUE on the VM. A disk with an old format (not FlatVer2) has no UUID: move the data to a new volume.',
    details: { volume, vm },
  });
