import { createSystemClock } from '@vdo/base/clock';
import { createSeededRandom } from '@vdo/base/random';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import type { DisksTarget } from './disks-contract.ts';
import type { PlacesTarget } from './places-contract.ts';

// Named as govmomi's simulator names its inventory, so that the same suite fits both.
const model: VSphereModel = {
  datacenters: [
    {
      name: 'DC0',
      clusters: [{ name: 'DC0_C0', hosts: [{ name: 'DC0_C0_H0' }, { name: 'DC0_C0_H1' }] }],
      datastores: [
        { name: 'LocalDS_0', type: 'VMFS' },
        { name: 'vsanDatastore', type: 'vsan' },
      ],
      vms: Array.from({ length: 4 }, (_, i) => ({
        name: `DC0_C0_RP0_VM${i}`,
        nics: [{ network: 'VM Network', ips: [`192.0.2.${10 + i}`] }],
      })),
    },
  ],
  users: [{ username: 'contract@vsphere.local', password: 'obviously-fake' }],
  policies: [{ name: 'gold', datastores: ['LocalDS_0'] }],
};

/** A simulated vCenter of a release as a target of the contract. Default: the newest that is tried. */
export const createSimTarget = (version?: string) => {
  const versioned = version === undefined ? model : { ...model, version };
  const sim = createVSphereSim({ model: versioned, clock: createSystemClock(), random: createSeededRandom(1) });
  const { control } = sim;
  const account = { username: 'administrator@vsphere.local', password: 'obviously-fake' };
  return {
    sim,
    target: {
      ...account,
      control: {
        powerOff: async (vm: string) => control.powerOff(vm),
        rename: async (vm: string, name: string) => control.rename(vm, name),
        destroy: async (vm: string) => {
          control.deleteVm(vm);
        },
        tag: async (category: string, tag: string, path: string) => control.tag(path, category, tag),
        endSessions: async () => control.expireSessions(),
      },
      disks: {
        create: async (path: string, capacityMb: number) =>
          control.addDisk('/DC0/datastore/LocalDS_0', { path, capacityMb }),
        remove: async (path: string) => control.removeDisk(`[LocalDS_0] ${path}`),
      },
      places: {
        migrate: async (vm: string, host: string) => control.migrate(vm, host),
        enterMaintenance: async (host: string) => control.setHostMaintenance(host, true),
        renameAt: async (path: string, name: string) => control.rename(path.split('/').at(-1) ?? '', name),
        cutOff: async (datastore: string) => control.setDatastoreAccessible(datastore, false),
      },
    },
  };
};

/** In memory. */
export const startSimTarget = async (version?: string): Promise<PlacesTarget & DisksTarget> => {
  const { sim, target } = createSimTarget(version);
  const place = { name: 'vsphere-sim', server: 'vcenter.example', port: 443, thumbprint: '' };
  return { ...target, ...place, transport: sim.handler, stop: async () => {} };
};
