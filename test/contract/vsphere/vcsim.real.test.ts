import { describe } from 'vitest';
import { startVcsim } from '../../harness/vcsim.ts';
import { type DisksTarget, describeDisksContract } from './disks-contract.ts';
import { describeManagementContract } from './management-contract.ts';
import { describePlacesContract, type PlacesTarget } from './places-contract.ts';
import { describeSsoContract } from './sso-contract.ts';
import { describeVCenterContract } from './vcenter-contract.ts';

const startTarget = async (): Promise<PlacesTarget & DisksTarget> => {
  const vcsim = await startVcsim({ vms: 4, hosts: 2, datastores: 2 });
  const vmPath = (name: string) => `/DC0/vm/${name}`;
  // Guests of govmomi's simulator have no tools, host name or address unless told.
  for (let i = 0; i < 4; i++)
    await vcsim.govc(
      'vm.change',
      '-vm',
      vmPath(`DC0_C0_RP0_VM${i}`),
      ...['-e', 'SET.guest.toolsRunningStatus=guestToolsRunning'],
      ...['-e', `SET.guest.hostName=DC0_C0_RP0_VM${i}`],
      ...['-e', `SET.guest.ipAddress=192.0.2.${10 + i}`],
    );
  return {
    name: 'vcsim',
    server: vcsim.host,
    port: vcsim.port,
    thumbprint: vcsim.thumbprintSha256,
    username: vcsim.username,
    password: vcsim.password,
    control: {
      powerOff: async (vm) => void (await vcsim.govc('vm.power', '-off', '-force', vmPath(vm))),
      rename: async (vm, name) => void (await vcsim.govc('object.rename', vmPath(vm), name)),
      destroy: async (vm) => void (await vcsim.govc('vm.destroy', vmPath(vm))),
      tag: async (category, tag, path) => {
        await vcsim.govc('tags.category.create', '-m', category).catch(() => undefined);
        await vcsim.govc('tags.create', '-c', category, tag).catch(() => undefined);
        await vcsim.govc('tags.attach', '-c', category, tag, path);
      },
      endSessions: async () => {
        const listed = JSON.parse(await vcsim.govc('session.ls', '-json')) as {
          readonly sessionList: readonly { readonly key: string }[];
        };
        for (const { key } of listed.sessionList) await vcsim.govc('session.rm', key).catch(() => undefined);
      },
    },
    disks: {
      create: async (path, capacityMb) =>
        void (await vcsim.govc('datastore.disk.create', '-ds', 'LocalDS_0', '-size', `${capacityMb}MB`, path)),
      remove: async (path) => void (await vcsim.govc('datastore.rm', '-f', '-ds', 'LocalDS_0', path)),
    },
    places: {
      migrate: async (vm, host) =>
        void (await vcsim.govc('vm.migrate', '-host', `/DC0/host/DC0_C0/${host}`, vmPath(vm))),
      enterMaintenance: async (host) => void (await vcsim.govc('host.maintenance.enter', `/DC0/host/DC0_C0/${host}`)),
      renameAt: async (path, name) => void (await vcsim.govc('object.rename', path, name)),
      cutOff: async (datastore) => {
        throw new Error(`govmomi's simulator keeps ${datastore} accessible`);
      },
    },
    stop: () => vcsim.stop(),
  };
};

describe('vCenter contract on govmomi vcsim', () => describeVCenterContract(startTarget));
// It takes volumes from snapshots but does not look at the snapshot, does not type the backing of volumes, makes a new disk where a path is given, and
// registers a volume as often as asked.
describe('management contract on govmomi vcsim', () =>
  describeManagementContract(startTarget, {
    lacks: [
      'from-snapshot',
      'relocate',
      'policy-change',
      'file-volumes',
      'disk-path',
      'register-by-path',
      'register-once',
    ],
  }));
// It has no control flags, and where CNS is given a path it makes a new disk.
describe('disks contract on govmomi vcsim', () =>
  describeDisksContract(startTarget, { lacks: ['control-flags', 'volume-by-path', 'volume-once'] }));
// It has no list of a group's members, changes passwords on a copy, keeps no session for single sign-on, and gives a token to
// whoever asks.
describe('single sign-on contract on govmomi vcsim', () =>
  describeSsoContract(startTarget, {
    lacks: ['group-members', 'password-reset', 'administrators-only', 'certificates-checked'],
  }));
// It takes hosts into maintenance without telling its property collectors, and cannot lose a datastore.
describe('hosts and datastores of nodes on govmomi vcsim', () =>
  describePlacesContract(startTarget, { lacks: ['host-changes', 'datastore-changes'] }));
