import type { VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import { diskWithoutUuid, plainDiskUuid } from '../vms/disk-uuid.ts';
import {
  cnsAttachVolume,
  cnsConfigureVolumeACLs,
  cnsExtendVolume,
  cnsQueryVolume,
  cnsReconfigVolumePolicy,
  cnsUpdateVolumeMetadata,
} from '../wire/methods/cns.ts';
import { make } from '../wire/schema.ts';
import { CnsQueryFilter, CnsVsanFileShareBackingDetails } from '../wire/types/cns.ts';
import { CnsVolumeAttachResult } from '../wire/types/cns-results.ts';
import { wireTypes } from '../wire/wire-types.ts';
import type { CnsClient } from './cns-client.ts';
import { accessSpecs, attachSpec, metadataSpec, profileSpecs } from './cns-specs.ts';
import type { MetadataUpdate, VolumeOnVm } from './cns-types.ts';
import { createVolumeRunner, type VolumeResult } from './run-on-volumes.ts';
import { volumeManager } from './volume-reader.ts';

const idOf = ({ volumeId }: { readonly volumeId: string }): string => volumeId;

type VolumeChanges = Pick<
  CnsClient,
  'attach' | 'extend' | 'updateMetadata' | 'changePolicy' | 'grantAccess' | 'accessPoints'
>;

/** Operations on existing volumes. */
export const createVolumeChanges = (session: VimSession, tasks: TaskWaiter): VolumeChanges => {
  const { vsan } = session;
  const { server } = session.endpoint;
  const _this = volumeManager;

  const { run, runOne } = createVolumeRunner(server, tasks);

  return {
    attach: (items, options) => {
      const send = (some: readonly VolumeOnVm[], sending: CallOptions) =>
        vsan.call(cnsAttachVolume, { _this, attachSpecs: some.map(attachSpec) }, sending);
      const value = (result: VolumeResult, { volumeId, vm }: VolumeOnVm) => {
        const uuid = wireTypes.is(result, CnsVolumeAttachResult) ? plainDiskUuid(result.diskUUID) : undefined;
        if (uuid === undefined) throw diskWithoutUuid(server, volumeId, vm.value);
        return uuid;
      };
      return run('CnsAttachVolume', { items, volumeId: idOf, send, value }, options);
    },
    extend: (id, capacityInMb, options) => {
      const extendSpecs = [{ volumeId: { id }, capacityInMb }];
      return runOne(
        'CnsExtendVolume',
        id,
        (sending) => vsan.call(cnsExtendVolume, { _this, extendSpecs }, sending),
        options,
      );
    },
    updateMetadata: (updates, options) => {
      const send = (some: readonly MetadataUpdate[], sending: CallOptions) =>
        vsan.call(cnsUpdateVolumeMetadata, { _this, updateSpecs: some.map(metadataSpec) }, sending);
      const request = { items: updates, volumeId: idOf, send, value: () => undefined };
      return run('CnsUpdateVolumeMetadata', request, options);
    },
    changePolicy: (id, storagePolicyId, options) => {
      const volumePolicyReconfigSpecs = [{ volumeId: { id }, profile: profileSpecs(storagePolicyId) }];
      const send = (sending: CallOptions) =>
        vsan.call(cnsReconfigVolumePolicy, { _this, volumePolicyReconfigSpecs }, sending);
      return runOne('CnsReconfigVolumePolicy', id, send, options);
    },
    grantAccess: (id, permissions, options) => {
      const ACLConfigSpecs = accessSpecs(id, permissions, false);
      const send = (sending: CallOptions) => vsan.call(cnsConfigureVolumeACLs, { _this, ACLConfigSpecs }, sending);
      return runOne('CnsConfigureVolumeACLs', id, send, options);
    },
    accessPoints: async (id, options = {}) => {
      const filter = make(CnsQueryFilter, { volumeIds: [{ id }] });
      const { volumes } = await vsan.call(cnsQueryVolume, { _this, filter }, options);
      const details = volumes[0]?.backingObjectDetails;
      if (!wireTypes.is(details, CnsVsanFileShareBackingDetails)) return {};
      return Object.fromEntries(details.accessPoints.map(({ key, value }) => [key, value]));
    },
  };
};
