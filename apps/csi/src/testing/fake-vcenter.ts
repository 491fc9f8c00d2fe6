import { aborted } from '@vdo/base/async/aborted';
import type { NodeResolution, VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import type { DatastoreFacts } from '@vdo/vsphere/inventory/placement';
import { moref } from '@vdo/vsphere/wire/moref';
import type { CsiVCenter } from '../volumes/csi-vcenter.ts';
import { createFakeCns, createFakeCnsState, type FakeCnsState } from './fake-cns.ts';

export const datastore = (name: string, overrides: Partial<DatastoreFacts> = {}): DatastoreFacts => ({
  ref: moref('Datastore', name),
  name,
  url: `ds:///${name}/`,
  type: 'VMFS',
  accessible: true,
  maintenance: false,
  capacityBytes: 1n << 40n,
  freeBytes: 1n << 39n,
  ...overrides,
});

const vmFacts = (server: string, name: string, overrides: Partial<VmFacts> = {}): VmFacts => ({
  server,
  ref: moref('VirtualMachine', `vm-${name}`),
  name,
  uuid: `uuid-${name}`,
  instanceUuid: `instance-${name}`,
  powerState: 'poweredOn',
  toolsRunning: true,
  hostName: name,
  nics: [],
  numCpu: 2,
  memoryMb: 4096,
  guestId: 'other',
  host: moref('HostSystem', `host-of-${name}`),
  folder: undefined,
  resourcePool: undefined,
  extraConfig: {},
  ...overrides,
});

export interface FakeVCenterOptions {
  readonly server?: string;
  readonly cns?: FakeCnsState;
  /** Node VM (by name) → datastores its host mounts. */
  readonly mounts?: Readonly<Record<string, readonly DatastoreFacts[]>>;
}

export interface FakeVCenter extends CsiVCenter {
  readonly state: FakeCnsState;
  readonly lookups: { resolve: number; shared: number };
  /** Tells watchers that a VM moved to another host. */
  move(name: string, mounts: readonly DatastoreFacts[]): void;
  /** Makes every call fail. */
  fail(error: Error | undefined): void;
}

/** The simulator is what these are tested on. */
const unused = () => Promise.reject(new Error('not part of this fake'));

const noAuthorization = {
  roles: unused,
  createRole: unused,
  updateRole: unused,
  removeRole: unused,
  permissions: unused,
  setPermission: unused,
  removePermission: unused,
};

/** A vCenter of VMs named like their nodes, each on a host of its own. */
export const createFakeVCenter = (options: FakeVCenterOptions = {}): FakeVCenter => {
  const { server = 'vc1.example', cns = createFakeCnsState() } = options;
  const mounts = new Map(Object.entries(options.mounts ?? { 'node-1': [datastore('shared')] }));
  const vms = new Map([...mounts.keys()].map((name) => [name, vmFacts(server, name)]));
  const listeners = new Set<(vm: VmFacts) => void>();
  const lookups = { resolve: 0, shared: 0 };
  let failure: Error | undefined;
  const check = () => {
    if (failure) throw failure;
  };

  const byRef = (value: string) => [...vms.values()].find(({ ref }) => ref.value === value);
  return {
    server,
    state: cns,
    lookups,
    about: () => Promise.reject(new Error('not used')),
    login: async () => check(),
    datacenters: { find: async () => [], all: async () => [] },
    nodes: {
      resolve: async (queries) => {
        lookups.resolve++;
        check();
        return new Map(
          queries.map(({ key, uuid = '', names = [] }): [string, NodeResolution] => {
            const vm = [...vms.values()].find((one) => one.uuid === uuid || names.includes(one.name));
            return [key, vm ? { state: 'found', vm } : { state: 'not-found', searched: `uuid ${uuid}` }];
          }),
        );
      },
      get: (ref) => byRef(ref.value),
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      run: aborted,
    },
    existence: { prove: async (refs) => refs.map(() => ({ state: 'exists' })) },
    topology: { locate: async () => new Map() },
    placement: {
      sharedDatastores: async (refs) => {
        lookups.shared++;
        check();
        const names = refs.map(({ value }) => byRef(value)?.name ?? value);
        const all = new Map([...mounts.values()].flat().map((one) => [one.name, one]));
        const lacking = (name: string) => names.filter((vm) => !mounts.get(vm)?.some((one) => one.name === name));
        return {
          shared: [...all.values()].filter(({ name }) => lacking(name).length === 0),
          missing: new Map(
            [...all.keys()].map((name) => [name, lacking(name)] as const).filter(([, vm]) => vm.length > 0),
          ),
        };
      },
    },
    cns: {
      ...createFakeCns(cns),
      attach: unused,
      detach: unused,
      extend: unused,
      createFromSnapshot: unused,
      createFileVolume: unused,
      registerDisk: unused,
      unregister: unused,
      createSnapshot: unused,
      deleteSnapshot: unused,
      querySnapshots: unused,
      updateMetadata: unused,
      relocate: unused,
      changePolicy: unused,
      configureAccess: unused,
      accessPoints: unused,
    },
    disks: { of: unused },
    fileServices: { enabledOn: async () => new Map() },
    authorization: { ...noAuthorization, missingPrivileges: async () => new Map() },
    firstClassDisks: { register: unused, get: unused, list: unused, setKeepAfterDeleteVm: unused, reconcile: unused },
    policies: { list: unused, find: unused, placement: unused },
    close: async () => {},
    move: (name, next) => {
      mounts.set(name, next);
      const moved = vmFacts(server, name, { host: moref('HostSystem', `host-of-${name}-${next.length}`) });
      vms.set(name, moved);
      for (const listener of listeners) listener(moved);
    },
    fail: (error) => {
      failure = error;
      cns.onStep = () => check();
    },
  };
};
