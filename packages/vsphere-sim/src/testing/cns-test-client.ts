import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { cnsCreateVolume } from '@vdo/vsphere/wire/methods/cns';
import { retrievePropertiesEx } from '@vdo/vsphere/wire/methods/property';
import { type MoRef, moref } from '@vdo/vsphere/wire/moref';
import { make, type Value } from '@vdo/vsphere/wire/schema';
import {
  CnsBlockBackingDetails,
  CnsKubernetesEntityMetadata,
  CnsSnapshotVolumeSource,
} from '@vdo/vsphere/wire/types/cns';
import type { CnsVolumeOperationResult } from '@vdo/vsphere/wire/types/cns-results';
import { createVSphereSim } from '../create-vsphere-sim.ts';
import { demoModel } from '../demo-model.ts';
import { managers } from '../soap/service-content.ts';
import { createRawClient } from './raw-client.ts';

/** The reference of the CNS volume manager. */
export const cnsManager = moref('CnsVolumeManager', 'cns-volume-manager');

/** The Kubernetes cluster that volumes of these tests belong to. */
export const testCluster = { clusterType: 'KUBERNETES', clusterId: 'demo-cluster', vSphereUser: 'csi@vsphere.local' };

interface CreateOptions {
  readonly capacityInMb?: bigint;
  readonly datastores?: readonly string[];
  readonly volumeId?: string;
  readonly volumeType?: 'BLOCK' | 'FILE';
  readonly source?: { readonly volume: string; readonly snapshot: string };
}

/** For the tests of this package: the demo vCenter on a virtual clock, and a session that creates volumes. */
export const createCnsTestClient = async (
  account: readonly [string, string] = ['csi@vsphere.local', 'obviously-fake-csi'],
) => {
  const clock = createVirtualClock();
  // The newest release, which has everything.
  const release = '9.1.0';
  const model = { ...demoModel(), version: release };
  const sim = createVSphereSim({ model, clock, random: createSeededRandom(7) });
  const vim = createRawClient(sim.handler, { release });
  await vim.login(...account);
  const cns = createRawClient(sim.handler, { path: '/vsanHealth', jar: vim.jar, release });
  const reader = createRawClient(sim.handler, { jar: vim.jar, release, namespace: 'urn:vsan' });

  const read = async (obj: MoRef, path: string): Promise<unknown> => {
    const reply = await reader.call(retrievePropertiesEx, {
      _this: managers.propertyCollector,
      specSet: [{ propSet: [{ type: obj.type, pathSet: [path] }], objectSet: [{ obj }] }],
      options: {},
    });
    return reply?.objects[0]?.propSet[0]?.val;
  };
  const outcome = async (task: MoRef) => {
    await clock.advance(1_000);
    return (await read(task, 'info')) as {
      readonly state: string;
      readonly error?: unknown;
      readonly result?: Record<string, unknown> & {
        readonly volumeResults: readonly (Value<typeof CnsVolumeOperationResult> & Record<string, unknown>)[];
      };
    };
  };
  const createSpec = (name: string, options: CreateOptions = {}) => ({
    name,
    volumeType: options.volumeType ?? 'BLOCK',
    ...(options.volumeId ? { volumeId: { id: options.volumeId } } : {}),
    datastores: (options.datastores ?? []).map((datastore) => sim.control.find(datastore)),
    metadata: {
      containerCluster: testCluster,
      entityMetadata: [
        make(CnsKubernetesEntityMetadata, {
          entityName: name,
          entityType: 'PERSISTENT_VOLUME',
          labels: [{ key: 'app', value: 'db' }],
        }),
      ],
    },
    backingObjectDetails: make(CnsBlockBackingDetails, { capacityInMb: options.capacityInMb ?? 1024n }),
    ...(options.source
      ? {
          volumeSource: make(CnsSnapshotVolumeSource, {
            volumeId: { id: options.source.volume },
            snapshotId: { id: options.source.snapshot },
          }),
        }
      : {}),
  });
  const create = async (name: string, options: CreateOptions = {}) => {
    const task = await cns.call(cnsCreateVolume, { _this: cnsManager, createSpecs: [createSpec(name, options)] });
    return (await outcome(task)).result?.volumeResults[0];
  };
  return { sim, clock, vim, cns, read, create, createSpec, outcome };
};
