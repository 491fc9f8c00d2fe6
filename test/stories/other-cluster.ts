import { cnsCreateSnapshots, cnsCreateVolume } from '@vdo/vsphere/wire/methods/cns';
import { moref } from '@vdo/vsphere/wire/moref';
import { make } from '@vdo/vsphere/wire/schema';
import { CnsBlockBackingDetails } from '@vdo/vsphere/wire/types/cns';
import { createRawClient } from '@vdo/vsphere-sim/testing/raw-client';
import type { Story } from './story-world.ts';

const connect = async ({ sim }: Pick<Story, 'sim'>) => {
  const vim = createRawClient(sim.handler);
  await vim.login('administrator@vsphere.local', 'obviously-fake');
  return createRawClient(sim.handler, { path: '/vsanHealth', jar: vim.jar });
};
const _this = moref('CnsVolumeManager', 'cns-volume-manager');

/** Another Kubernetes cluster on the same vCenter asks for a snapshot of a disk. Returns vCenter's task. */
export const snapshotOfAnotherCluster = async (story: Pick<Story, 'sim'>, diskId: string): Promise<string> => {
  const cns = await connect(story);
  const snapshotSpecs = [{ volumeId: { id: diskId }, description: 'theirs' }];
  return (await cns.call(cnsCreateSnapshots, { _this, snapshotSpecs })).value;
};

/** Another Kubernetes cluster on the same vCenter asks for a disk of a gibibyte. Returns vCenter's task. */
export const orderOfAnotherCluster = async (story: Pick<Story, 'sim'>, name: string): Promise<string> => {
  const cns = await connect(story);
  const containerCluster = { clusterType: 'KUBERNETES', clusterId: 'cluster-b', vSphereUser: 'b@vsphere.local' };
  const task = await cns.call(cnsCreateVolume, {
    _this,
    createSpecs: [
      {
        name,
        volumeType: 'BLOCK',
        datastores: [],
        metadata: { containerCluster, entityMetadata: [] },
        backingObjectDetails: make(CnsBlockBackingDetails, { capacityInMb: 1024n }),
      },
    ],
  });
  return task.value;
};

/** The same, once it has it. */
export const diskOfAnotherCluster = async ({ sim, until }: Pick<Story, 'sim' | 'until'>, name: string) => {
  const task = await orderOfAnotherCluster({ sim }, name);
  const disk = await until(`disk ${name} is made`, () => sim.volumes.list().find((one) => one.name === name));
  return { id: disk.id, task };
};
