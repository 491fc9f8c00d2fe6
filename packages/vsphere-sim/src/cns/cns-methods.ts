import {
  cnsAttachVolume,
  cnsConfigureVolumeACLs,
  cnsCreateVolume,
  cnsDeleteVolume,
  cnsDetachVolume,
  cnsExtendVolume,
  cnsQueryAllVolume,
  cnsQueryVolume,
  cnsReconfigVolumePolicy,
  cnsRelocateVolume,
  cnsUpdateVolumeMetadata,
} from '@vdo/vsphere/wire/methods/cns';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import { make } from '@vdo/vsphere/wire/schema';
import { CnsVolumeAttachResult } from '@vdo/vsphere/wire/types/cns-results';
import { faults } from '../sim-fault.ts';
import { type Call, handle, type MethodHandler } from '../soap/method-handler.ts';
import { attachVolume, detachVolume } from './attach-volume.ts';
import { attempt, attemptPlain, batchResult, only, some } from './batch.ts';
import { configureAcl, extendVolume, relocateVolume, setPolicy, updateMetadata } from './change-volume.ts';
import type { CnsContext } from './cns-context.ts';
import { createVolume, deleteVolume, profileId } from './create-volume.ts';
import { createMoves } from './moves.ts';
import { snapshotMethods } from './snapshot-methods.ts';
import { queryVolumes } from './volume-query.ts';
import type { VolumeStore } from './volume-store.ts';

/** The methods of the CNS volume manager. */
export const cnsMethods = (volumes: VolumeStore): readonly MethodHandler[] => {
  const moves = createMoves(volumes);
  const contextOf = ({ core, client }: Call): CnsContext => ({ core, volumes, principal: client.session });

  /** A task over a list of specifications, each with its own result. */
  const each = <T extends { readonly volumeId: { readonly id: string } }>(
    call: Call,
    specs: readonly T[],
    run: (context: CnsContext, spec: T) => void,
  ): MoRef =>
    call.startTask(undefined, () =>
      batchResult(
        some(specs, 'InputSpec').map((spec) => attemptPlain(spec.volumeId.id, () => run(contextOf(call), spec))),
      ),
    );

  /** If a volume does not exist, the call is refused; if it is deleted later, the fault is in the result. */
  const mustExist = (ids: readonly { readonly id: string }[]): void => {
    if (ids.some(({ id }) => !volumes.get(id))) throw faults.notFound();
  };

  return [
    handle(cnsCreateVolume, ({ createSpecs }, call) =>
      call.startTask(undefined, () => batchResult([createVolume(contextOf(call), only(createSpecs))])),
    ),

    handle(cnsDeleteVolume, ({ volumeIds, deleteDisk }, call) => {
      mustExist(volumeIds);
      return call.startTask(undefined, () => {
        const { id } = only(volumeIds);
        const run = () => {
          moves.assertStill([id]);
          deleteVolume(contextOf(call), id, deleteDisk);
        };
        return batchResult([attemptPlain(id, run)]);
      });
    }),

    handle(cnsExtendVolume, ({ extendSpecs }, call) =>
      call.startTask(undefined, () => {
        const { volumeId, capacityInMb } = only(extendSpecs);
        const run = () => {
          moves.assertStill([volumeId.id]);
          extendVolume(contextOf(call), volumeId.id, capacityInMb);
        };
        return batchResult([attemptPlain(volumeId.id, run)]);
      }),
    ),

    handle(cnsAttachVolume, ({ attachSpecs }, call) =>
      call.startTask(undefined, () =>
        batchResult(
          some(attachSpecs, 'InputSpec').map((spec) =>
            attempt(
              spec.volumeId.id,
              () => {
                moves.assertStill([spec.volumeId.id], spec.vm);
                const diskUUID = attachVolume(contextOf(call), spec);
                return make(CnsVolumeAttachResult, { volumeId: spec.volumeId, diskUUID });
              },
              (failure) => make(CnsVolumeAttachResult, failure),
            ),
          ),
        ),
      ),
    ),

    handle(cnsDetachVolume, ({ detachSpecs }, call) => {
      mustExist(detachSpecs.map(({ volumeId }) => volumeId));
      return each(call, detachSpecs, (context, spec) => {
        moves.assertStill([spec.volumeId.id], spec.vm);
        detachVolume(context, spec);
      });
    }),
    handle(cnsUpdateVolumeMetadata, ({ updateSpecs }, call) =>
      each(call, updateSpecs, (context, spec) => updateMetadata(context, spec.volumeId.id, spec.metadata)),
    ),
    handle(cnsRelocateVolume, ({ relocateSpecs }, call) => {
      const { volumeId, datastore, profile } = only(relocateSpecs);
      moves.assertStill([volumeId.id]);
      const task = call.startTask(undefined, () => {
        moves.end(volumeId.id);
        const run = () => relocateVolume(contextOf(call), volumeId.id, { datastore, policyId: profileId(profile) });
        return batchResult([attemptPlain(volumeId.id, run)]);
      });
      moves.begin(volumeId.id, {
        task,
        isRunning: () => call.core.tasks.running().some(({ value }) => value === task.value),
      });
      return task;
    }),
    handle(cnsReconfigVolumePolicy, ({ volumePolicyReconfigSpecs }, call) =>
      each(call, volumePolicyReconfigSpecs, (context, spec) => {
        moves.assertStill([spec.volumeId.id]);
        setPolicy(context, spec.volumeId.id, profileId(spec.profile));
      }),
    ),
    handle(cnsConfigureVolumeACLs, ({ ACLConfigSpecs }, call) =>
      each(call, ACLConfigSpecs, (context, spec) =>
        configureAcl(context, spec.volumeId.id, spec.accessControlSpecList),
      ),
    ),

    handle(cnsQueryVolume, ({ filter }, call) =>
      queryVolumes(volumes.shown(), filter, { store: call.core.store, paged: true }),
    ),
    handle(cnsQueryAllVolume, ({ filter }, call) =>
      queryVolumes(volumes.shown(), filter, { store: call.core.store, paged: false }),
    ),
    ...snapshotMethods(volumes),
  ];
};
