import type { VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import {
  cnsAttachVolume,
  cnsConfigureVolumeACLs,
  cnsDetachVolume,
  cnsExtendVolume,
  cnsQueryVolume,
  cnsReconfigVolumePolicy,
  cnsRelocateVolume,
  cnsUpdateVolumeMetadata,
} from '../wire/methods/cns.ts';
import type { MoRef } from '../wire/moref.ts';
import { make, type Value } from '../wire/schema.ts';
import { CnsBlockVolumeRelocateSpec, CnsQueryFilter, CnsVsanFileShareBackingDetails } from '../wire/types/cns.ts';
import { CnsVolumeAttachResult, type CnsVolumeOperationResult } from '../wire/types/cns-results.ts';
import { wireTypes } from '../wire/wire-types.ts';
import type { CnsClient } from './cns-client.ts';
import { volumeError } from './cns-fault.ts';
import { attachSpec, metadataSpec, permissionSpec, profileSpecs } from './cns-specs.ts';
import type { CnsMutationOptions, Outcome } from './cns-types.ts';
import { mutate } from './mutate.ts';
import { volumeManager } from './volume-reader.ts';
import { volumeResults } from './volume-task.ts';

type Result = Value<typeof CnsVolumeOperationResult>;

const plainDiskUuid = (uuid: string): string => uuid.toLowerCase().replaceAll('-', '');

type VolumeChanges = Pick<
  CnsClient,
  'attach' | 'detach' | 'extend' | 'updateMetadata' | 'relocate' | 'changePolicy' | 'configureAccess' | 'accessPoints'
>;

/** What is done with volumes that exist. */
export const createVolumeChanges = (session: VimSession, tasks: TaskWaiter): VolumeChanges => {
  const { vsan } = session;
  const { server } = session.endpoint;
  const _this = volumeManager;

  /** Runs a call on several volumes and matches its results to them: by id, as vCenter may answer in another order. */
  const run = async <T>(
    call: string,
    request: {
      readonly volumeIds: readonly string[];
      readonly send: (sending: CallOptions) => Promise<MoRef>;
      readonly value: (result: Result) => T;
    },
    options: CnsMutationOptions,
  ): Promise<readonly Outcome<T>[]> => {
    if (request.volumeIds.length === 0) return [];
    const results = volumeResults(await mutate(request.send, tasks, options), { server, call });
    const byId = new Map(results.map((result) => [result.volumeId?.id, result]));
    return request.volumeIds.map((volume, i): Outcome<T> => {
      const result = byId.get(volume) ?? results[i];
      if (result?.fault) return { ok: false, error: volumeError(result.fault, { server, call, volume }) };
      return { ok: true, value: request.value(result ?? {}) };
    });
  };

  /** The same for one volume: its failure is thrown. */
  const runOne = async (
    call: string,
    volumeId: string,
    send: (sending: CallOptions) => Promise<MoRef>,
    options: CnsMutationOptions,
  ): Promise<void> => {
    const [outcome] = await run(call, { volumeIds: [volumeId], send, value: () => undefined }, options);
    if (outcome?.ok === false) throw outcome.error;
  };

  return {
    attach: (items, options) => {
      const send = (sending: CallOptions) =>
        vsan.call(cnsAttachVolume, { _this, attachSpecs: items.map(attachSpec) }, sending);
      const volumeIds = items.map(({ volumeId }) => volumeId);
      const value = (result: Result) =>
        wireTypes.is(result, CnsVolumeAttachResult) ? plainDiskUuid(result.diskUUID ?? '') : '';
      return run('CnsAttachVolume', { volumeIds, send, value }, options);
    },
    detach: (items, options) => {
      const send = (sending: CallOptions) =>
        vsan.call(cnsDetachVolume, { _this, detachSpecs: items.map(attachSpec) }, sending);
      const volumeIds = items.map(({ volumeId }) => volumeId);
      return run('CnsDetachVolume', { volumeIds, send, value: () => undefined }, options);
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
      const send = (sending: CallOptions) =>
        vsan.call(cnsUpdateVolumeMetadata, { _this, updateSpecs: updates.map(metadataSpec) }, sending);
      const volumeIds = updates.map(({ volumeId }) => volumeId);
      return run('CnsUpdateVolumeMetadata', { volumeIds, send, value: () => undefined }, options);
    },
    relocate: (id, { datastore, storagePolicyId }, options) => {
      const profile = profileSpecs(storagePolicyId);
      const relocateSpecs = [make(CnsBlockVolumeRelocateSpec, { volumeId: { id }, datastore, profile })];
      return runOne(
        'CnsRelocateVolume',
        id,
        (sending) => vsan.call(cnsRelocateVolume, { _this, relocateSpecs }, sending),
        options,
      );
    },
    changePolicy: (id, storagePolicyId, options) => {
      const volumePolicyReconfigSpecs = [{ volumeId: { id }, profile: profileSpecs(storagePolicyId) }];
      const send = (sending: CallOptions) =>
        vsan.call(cnsReconfigVolumePolicy, { _this, volumePolicyReconfigSpecs }, sending);
      return runOne('CnsReconfigVolumePolicy', id, send, options);
    },
    configureAccess: (id, { permissions, remove = false }, options) => {
      const list = [{ netPermission: permissions.map(permissionSpec), delete: remove }];
      const ACLConfigSpecs = [{ volumeId: { id }, accessControlSpecList: list }];
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
