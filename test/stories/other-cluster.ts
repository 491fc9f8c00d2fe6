import { cnsCreateVolume } from '@vdo/vsphere/wire/methods/cns';
import { moref } from '@vdo/vsphere/wire/moref';
import { make } from '@vdo/vsphere/wire/schema';
import { CnsBlockBackingDetails } from '@vdo/vsphere/wire/types/cns';
import { createRawClient } from '@vdo/vsphere-sim/testing/raw-client';
import type { Story } from './story-world.ts';

/** Another Kubernetes cluster on the same vCenter asks for a disk of a gibibyte. Returns vCenter's task. */
export const orderOfAnotherCluster = async ({ sim }: Pick<Story, 'sim'>, name: string): Promise<string> => {
  const vim = createRawClient(sim.handler);
  await vim.login('administrator@vsphere.local', 'obviously-fake');
  const cns = createRawClient(sim.handler, { path: '/vsanHealth', jar: vim.jar });
  const containerCluster = { clusterType: 'KUBERNETES', clusterId: 'cluster-b', vSphereUser: 'b@vsphere.local' };
  const task = await cns.call(cnsCreateVolume, {
    _this: moref('CnsVolumeManager', 'cns-volume-manager'),
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
