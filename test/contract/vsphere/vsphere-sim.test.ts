import { createSystemClock } from '@vdo/base/clock';
import { createSeededRandom } from '@vdo/base/random';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { describe } from 'vitest';
import { type DisksTarget, describeDisksContract } from './disks-contract.ts';
import { describeManagementContract } from './management-contract.ts';
import { describePlacesContract, type PlacesTarget } from './places-contract.ts';
import { describeSsoContract } from './sso-contract.ts';
import type { Target } from './target.ts';
import { describeVCenterContract } from './vcenter-contract.ts';

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

const createSim = () => {
  const sim = createVSphereSim({ model, clock: createSystemClock(), random: createSeededRandom(1) });
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

const startInMemory = async (): Promise<PlacesTarget & DisksTarget> => {
  const { sim, target } = createSim();
  const place = { name: 'vsphere-sim', server: 'vcenter.example', port: 443, thumbprint: '' };
  return { ...target, ...place, transport: sim.handler, stop: async () => {} };
};

const startServed = async (): Promise<Target> => {
  const { sim, target } = createSim();
  const server = await serveVSphereSim(sim, { clock: createSystemClock() });
  const place = { name: 'vsphere-sim over TLS', server: server.host, port: server.port };
  return { ...target, ...place, thumbprint: server.thumbprints.sha256, stop: () => server.close() };
};

describe('vCenter contract on vsphere-sim in memory', () => describeVCenterContract(startInMemory));
describe('vCenter contract on vsphere-sim over TLS', () => describeVCenterContract(startServed));
describe('management contract on vsphere-sim', () => describeManagementContract(startInMemory));
describe('disks contract on vsphere-sim', () => describeDisksContract(startInMemory));
describe('single sign-on contract on vsphere-sim', () => describeSsoContract(startInMemory));
describe('hosts and datastores of nodes on vsphere-sim', () => describePlacesContract(startInMemory));
