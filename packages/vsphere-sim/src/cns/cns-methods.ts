import { cnsCreateVolume, cnsDeleteVolume, cnsQueryAllVolume, cnsQueryVolume } from '@vdo/vsphere/wire/methods/cns';
import { make } from '@vdo/vsphere/wire/schema';
import { CnsVolumeOperationBatchResult, CnsVolumeOperationResult } from '@vdo/vsphere/wire/types/cns-results';
import { faults, SimFault } from '../sim-fault.ts';
import { type Call, handle, type MethodHandler } from '../soap/method-handler.ts';
import { type CnsContext, createVolume, deleteVolume } from './create-volume.ts';
import { queryVolumes } from './volume-query.ts';
import type { VolumeStore } from './volume-store.ts';

/** Carries out one volume's part of a batch; its fault is told in its own result. */
const attempt = (id: string, run: () => void) => {
  try {
    run();
    return make(CnsVolumeOperationResult, { volumeId: { id } });
  } catch (error) {
    if (!(error instanceof SimFault)) throw error;
    return make(CnsVolumeOperationResult, {
      volumeId: { id },
      fault: { fault: error.fault, localizedMessage: error.message },
    });
  }
};

const only = <T>(specs: readonly T[]): T => {
  const [first] = specs;
  // One specification a call is all that a real vCenter accepts here.
  if (first === undefined || specs.length > 1) throw faults.invalidArgument('InputSpec');
  return first;
};

/** The methods of the CNS volume manager. */
export const cnsMethods = (volumes: VolumeStore): readonly MethodHandler[] => {
  const contextOf = ({ core, client }: Call): CnsContext => ({ core, volumes, principal: client.session });
  const searchable = (call: Call): void => call.authorize('Cns.Searchable', call.core.rootFolder);

  return [
    handle(cnsCreateVolume, ({ createSpecs }, call) =>
      call.startTask(undefined, () =>
        make(CnsVolumeOperationBatchResult, { volumeResults: [createVolume(contextOf(call), only(createSpecs))] }),
      ),
    ),

    handle(cnsDeleteVolume, ({ volumeIds, deleteDisk }, call) =>
      call.startTask(undefined, () => {
        const { id } = only(volumeIds);
        const result = attempt(id, () => deleteVolume(contextOf(call), id, deleteDisk));
        return make(CnsVolumeOperationBatchResult, { volumeResults: [result] });
      }),
    ),

    handle(cnsQueryVolume, ({ filter }, call) => {
      searchable(call);
      return queryVolumes(volumes.list(), filter, { store: call.core.store, paged: true });
    }),

    handle(cnsQueryAllVolume, ({ filter }, call) => {
      searchable(call);
      return queryVolumes(volumes.list(), filter, { store: call.core.store, paged: false });
    }),
  ];
};
