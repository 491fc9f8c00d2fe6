import { VdoError } from '@vdo/base/vdo-error';
import type { CnsClient } from '@vdo/vsphere/cns/cns-client';
import type { CnsCreateBlockSpec, CnsQueryFilter, CnsVolume } from '@vdo/vsphere/cns/cns-types';
import { type MoRef, moref } from '@vdo/vsphere/wire/moref';

/** What a vCenter keeps: shared by the fake clients of successive "processes". */
export interface FakeCnsState {
  readonly volumes: Map<string, CnsVolume>;
  readonly tasks: Map<string, CnsVolume | VdoError>;
  readonly calls: string[];
  /** Consulted at each named step; throwing stands for a failure or a crash there. */
  onStep: (step: FakeCnsStep) => void;
  nextId: number;
}

export type FakeCnsStep = 'query' | 'create' | 'accepted' | 'created' | 'await' | 'delete' | 'deleted';

export const createFakeCnsState = (): FakeCnsState => ({
  volumes: new Map(),
  tasks: new Map(),
  calls: [],
  onStep: () => {},
  nextId: 1,
});

const fakeVolumeId = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const matches = (volume: CnsVolume, { volumeIds, names, clusterIds }: CnsQueryFilter): boolean =>
  (volumeIds === undefined || volumeIds.includes(volume.id)) &&
  (names === undefined || names.includes(volume.name)) &&
  (clusterIds === undefined || volume.containerClusterIds.some((id) => clusterIds.includes(id)));

const toVolume = (state: FakeCnsState, spec: CnsCreateBlockSpec): CnsVolume => ({
  id: fakeVolumeId(state.nextId++),
  name: spec.name,
  type: 'BLOCK',
  datastoreUrl: `ds:///${spec.datastores[0]?.value ?? ''}/`,
  capacityMb: spec.capacityMb,
  healthStatus: 'green',
  storagePolicyId: spec.storagePolicyId,
  containerClusterIds: [spec.cluster.clusterId],
});

type FakeCns = Pick<CnsClient, 'createBlockVolume' | 'deleteVolume' | 'queryVolumes' | 'volumePages' | 'awaitCreate'>;

/** A CNS that does what it is told at once, and can fail at any step. */
export const createFakeCns = (state: FakeCnsState): FakeCns => {
  const step = (name: FakeCnsStep) => {
    state.calls.push(name);
    state.onStep(name);
  };
  return {
    createBlockVolume: async (spec, { fence, onTask }) => {
      fence.assertHeld();
      step('create');
      const volume = toVolume(state, spec);
      const task: MoRef = moref('Task', `task-${state.nextId}`);
      state.volumes.set(volume.id, volume);
      state.tasks.set(task.value, volume);
      step('accepted');
      await onTask?.(task);
      step('created');
      return volume;
    },
    deleteVolume: async (id, { fence }) => {
      fence.assertHeld();
      step('delete');
      const existed = state.volumes.delete(id);
      step('deleted');
      return existed;
    },
    queryVolumes: async (filter) => {
      step('query');
      return [...state.volumes.values()].filter((volume) => matches(volume, filter));
    },
    volumePages: async function* (filter) {
      step('query');
      yield [...state.volumes.values()].filter((volume) => matches(volume, filter));
    },
    awaitCreate: async (task) => {
      step('await');
      const outcome = state.tasks.get(task.value);
      if (outcome instanceof VdoError) throw outcome;
      return outcome;
    },
  };
};
