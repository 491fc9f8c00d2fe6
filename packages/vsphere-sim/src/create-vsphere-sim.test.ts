import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import {
  continueRetrievePropertiesEx,
  createContainerView,
  createFilter,
  createListView,
  destroyView,
  modifyListView,
  retrievePropertiesEx,
  waitForUpdatesEx,
} from '@vdo/vsphere/wire/methods/property';
import { findAllByDnsName, findAllByIp, findAllByUuid, findByInventoryPath } from '@vdo/vsphere/wire/methods/search';
import { currentTime, logout, retrieveServiceContent } from '@vdo/vsphere/wire/methods/session';
import { powerOffVMTask, powerOnVMTask, reconfigVMTask } from '@vdo/vsphere/wire/methods/vm';
import { type MoRef, moref } from '@vdo/vsphere/wire/moref';
import { make, type Value } from '@vdo/vsphere/wire/schema';
import { type ObjectContent, TraversalSpec } from '@vdo/vsphere/wire/types/property-collector';
import { describe, expect, it } from 'vitest';
import { createVSphereSim } from './create-vsphere-sim.ts';
import { demoModel } from './demo-model.ts';
import type { VSphereModel } from './model.ts';
import type { VSphereSimOptions } from './sim-options.ts';
import { managers } from './soap/service-content.ts';
import { createRawClient } from './testing/raw-client.ts';

const setup = async (model: VSphereModel = demoModel(), options: Partial<VSphereSimOptions> = {}) => {
  const clock = createVirtualClock();
  const sim = createVSphereSim({ model, clock, random: createSeededRandom(7), ...options });
  const client = createRawClient(sim.handler);
  await client.login();
  return { sim, clock, client };
};

const pc = managers.propertyCollector;

const spec = (obj: MoRef, type: string, pathSet: readonly string[]) => ({
  propSet: [{ type, pathSet }],
  objectSet: [{ obj }],
});

const viewSpec = (view: MoRef, type: string, pathSet: readonly string[]) => ({
  propSet: [{ type, pathSet }],
  objectSet: [
    { obj: view, skip: true, selectSet: [make(TraversalSpec, { type: view.type, path: 'view', skip: false })] },
  ],
});

const flat = (objects: readonly Value<typeof ObjectContent>[] = []) =>
  objects.map(({ obj, propSet }) => ({
    ref: obj.value,
    ...Object.fromEntries(propSet.map(({ name, val }) => [name, val])),
  }));

describe('sessions of the simulated vCenter', () => {
  it('reports its version without a login, and nothing else', async () => {
    const { sim } = await setup();
    const stranger = createRawClient(sim.handler);
    const content = await stranger.call(retrieveServiceContent, { _this: managers.serviceInstance });
    expect(content.about).toMatchObject({ version: '8.0.3', apiType: 'VirtualCenter', apiVersion: '8.0.3.0' });
    await expect(stranger.call(currentTime, { _this: managers.serviceInstance })).rejects.toMatchObject({
      name: 'NotAuthenticated',
    });
    await expect(
      stranger.call(retrievePropertiesEx, {
        _this: pc,
        specSet: [spec(content.rootFolder, 'Folder', ['name'])],
        options: {},
      }),
    ).rejects.toMatchObject({ name: 'NotAuthenticated' });
  });

  it('refuses a wrong password', async () => {
    const { sim } = await setup();
    await expect(createRawClient(sim.handler).login(undefined, 'wrong')).rejects.toMatchObject({
      name: 'InvalidLogin',
    });
  });

  it('ends a session after logout, idleness and expiry', async () => {
    const { sim, client, clock } = await setup();
    const time = () => client.call(currentTime, { _this: managers.serviceInstance });
    expect(await time()).toEqual(new Date(clock.now()));
    await client.call(logout, { _this: managers.sessionManager });
    await expect(time()).rejects.toMatchObject({ name: 'NotAuthenticated' });
    await client.login();
    await clock.advance(31 * 60_000);
    await expect(time()).rejects.toMatchObject({ name: 'NotAuthenticated' });
    await client.login();
    sim.control.expireSessions();
    await expect(time()).rejects.toMatchObject({ name: 'NotAuthenticated' });
  });
});

describe('properties of the simulated vCenter', () => {
  it('reads typed nested properties of one object', async () => {
    const { sim, client } = await setup();
    const vm = sim.control.find('node-1');
    const paths = [
      'name',
      'config.uuid',
      'runtime.powerState',
      'guest.net',
      'config.hardware.numCPU',
      'parent',
      'config.extraConfig',
    ];
    const reply = await client.call(retrievePropertiesEx, {
      _this: pc,
      specSet: [spec(vm, 'VirtualMachine', paths)],
      options: {},
    });
    expect(flat(reply?.objects)).toMatchObject([
      {
        ref: vm.value,
        name: 'node-1',
        'config.uuid': '42120000-0000-4000-8000-000000000001',
        'runtime.powerState': 'poweredOn',
        'config.hardware.numCPU': 4,
        'guest.net': [
          { network: 'Kubernetes', ipAddress: ['10.10.0.11', 'fd00:10:10::11'], deviceConfigId: 4000 },
          { deviceConfigId: -1, ipAddress: ['172.17.0.1'] },
        ],
        'config.extraConfig': [{ key: 'disk.EnableUUID', value: 'TRUE' }],
      },
    ]);
  });

  it('reads whole objects: every property of every object can be encoded', async () => {
    const { client } = await setup();
    const content = await client.call(retrieveServiceContent, { _this: managers.serviceInstance });
    const view = await client.call(createContainerView, {
      _this: managers.viewManager,
      container: content.rootFolder,
      type: [],
      recursive: true,
    });
    const all = {
      ...viewSpec(view, 'ManagedEntity', []),
      propSet: [{ type: 'ManagedEntity', all: true, pathSet: [] }],
    };
    const reply = await client.call(retrievePropertiesEx, { _this: pc, specSet: [all], options: {} });
    // 4 folders and the VM folder, datacenter, 2 clusters, 2 pools, 6 hosts, 3 datastores, 2 networks, 5 VMs.
    expect(reply?.objects).toHaveLength(26);
    const vm = flat(reply?.objects).find(({ ref }) => ref.startsWith('vm-'));
    expect(vm).toMatchObject({ summary: { config: { numVirtualDisks: 1, numEthernetCards: 1 } } });
  });

  it('pages through many objects by token', async () => {
    const { client } = await setup();
    const content = await client.call(retrieveServiceContent, { _this: managers.serviceInstance });
    const view = await client.call(createContainerView, {
      _this: managers.viewManager,
      container: content.rootFolder,
      type: ['VirtualMachine'],
      recursive: true,
    });
    const first = await client.call(retrievePropertiesEx, {
      _this: pc,
      specSet: [viewSpec(view, 'VirtualMachine', ['name'])],
      options: { maxObjects: 3 },
    });
    expect(first?.objects).toHaveLength(3);
    const second = await client.call(continueRetrievePropertiesEx, { _this: pc, token: first?.token ?? '' });
    expect([second.objects.length, second.token]).toEqual([2, undefined]);
    await expect(
      client.call(continueRetrievePropertiesEx, { _this: pc, token: first?.token ?? '' }),
    ).rejects.toMatchObject({ name: 'InvalidArgument' });
  });

  it.each([
    ['an unknown property', moref('VirtualMachine', ''), ['nonsense'], 'InvalidProperty'],
    ['a path below a plain value', moref('VirtualMachine', ''), ['name.nonsense'], 'InvalidProperty'],
    ['an object that does not exist', moref('VirtualMachine', 'vm-999'), ['name'], 'ManagedObjectNotFound'],
  ])('refuses %s', async (_name, target, paths, fault) => {
    const { sim, client } = await setup();
    const obj = target.value === '' ? sim.control.find('node-1') : target;
    const asked = client.call(retrievePropertiesEx, {
      _this: pc,
      specSet: [spec(obj, 'VirtualMachine', paths)],
      options: {},
    });
    await expect(asked).rejects.toMatchObject({ name: fault });
  });
});

describe('search in the simulated vCenter', () => {
  it('finds VMs by UUID, name, address and path', async () => {
    const { sim, client } = await setup();
    const vm = sim.control.find('node-2');
    const _this = managers.searchIndex;
    const uuid = '42120000-0000-4000-8000-000000000002';
    expect(await client.call(findAllByUuid, { _this, uuid: uuid.toUpperCase(), vmSearch: true })).toEqual([vm]);
    expect(await client.call(findAllByUuid, { _this, uuid, vmSearch: true, instanceUuid: true })).toEqual([]);
    expect(await client.call(findAllByDnsName, { _this, dnsName: 'NODE-2.demo.example', vmSearch: true })).toEqual([
      vm,
    ]);
    expect(await client.call(findAllByIp, { _this, ip: '10.10.0.12', vmSearch: true })).toEqual([vm]);
    expect(await client.call(findByInventoryPath, { _this, inventoryPath: 'demo/vm/kubernetes/node-2' })).toEqual(vm);
    expect(await client.call(findByInventoryPath, { _this, inventoryPath: '/demo/vm/none' })).toBeUndefined();
    const datacenter = sim.control.find('demo');
    expect(await client.call(findAllByIp, { _this, ip: '10.10.0.12', vmSearch: true, datacenter })).toEqual([vm]);
  });
});

describe('updates of the simulated vCenter', () => {
  it('streams live changes of a list of VMs', async () => {
    const { sim, client, clock } = await setup();
    const [one, two] = [sim.control.find('node-1'), sim.control.find('node-2')];
    const view = await client.call(createListView, { _this: managers.viewManager, obj: [one] });
    await client.call(createFilter, {
      _this: pc,
      spec: viewSpec(view, 'VirtualMachine', ['runtime.powerState', 'guest.ipAddress']),
      partialUpdates: false,
    });
    const wait = (version: string, maxWaitSeconds = 60) =>
      client.call(waitForUpdatesEx, { _this: pc, version, options: { maxWaitSeconds } });
    const first = await wait('');
    expect(first?.filterSet[0]?.objectSet.map(({ kind, obj }) => [kind, obj.value])).toEqual([['enter', one.value]]);

    await client.call(modifyListView, { _this: view, add: [two], remove: [] });
    const second = await wait(first?.version ?? '');
    expect(second?.filterSet[0]?.objectSet.map(({ kind, obj }) => [kind, obj.value])).toEqual([['enter', two.value]]);

    const waiting = wait(second?.version ?? '');
    sim.control.powerOff('node-1');
    const third = await waiting;
    expect(third?.filterSet[0]?.objectSet[0]?.changeSet.map(({ name, val }) => [name, val])).toEqual([
      ['runtime.powerState', 'poweredOff'],
      ['guest.ipAddress', undefined],
    ]);

    const quiet = wait(third?.version ?? '', 5);
    await clock.advance(5_000);
    expect(await quiet).toBeUndefined();
  });

  it('answers a wait with NotAuthenticated when the session ends', async () => {
    const { sim, client } = await setup();
    const waiting = client.call(waitForUpdatesEx, { _this: pc, version: '', options: {} });
    const outcome = expect(waiting).rejects.toMatchObject({ name: 'NotAuthenticated' });
    await new Promise((resolve) => setImmediate(resolve));
    sim.control.expireSessions();
    await outcome;
  });

  it('breaks a wait when it restarts, is down for a while, and then knows no session', async () => {
    const { sim, client, clock } = await setup();
    const time = () => client.call(currentTime, { _this: managers.serviceInstance });
    const outcome = expect(
      client.call(waitForUpdatesEx, { _this: pc, version: '', options: {} }),
    ).rejects.toMatchObject({
      kind: 'interrupted',
    });
    await new Promise((resolve) => setImmediate(resolve));
    sim.control.restart(60_000);
    await outcome;
    await expect(time()).rejects.toMatchObject({ kind: 'refused' });
    await clock.advance(60_000);
    await expect(time()).rejects.toMatchObject({ name: 'NotAuthenticated' });
    await client.login();
    await expect(time()).resolves.toBeInstanceOf(Date);
  });

  it('follows the inventory in container views until they are destroyed', async () => {
    const { sim, client } = await setup();
    const content = await client.call(retrieveServiceContent, { _this: managers.serviceInstance });
    const view = await client.call(createContainerView, {
      _this: managers.viewManager,
      container: content.rootFolder,
      type: ['VirtualMachine'],
      recursive: true,
    });
    const count = async () =>
      (
        await client.call(retrievePropertiesEx, {
          _this: pc,
          specSet: [viewSpec(view, 'VirtualMachine', [])],
          options: {},
        })
      )?.objects.length;
    expect(await count()).toBe(5);
    const restore = sim.control.deleteVm('node-5');
    expect(await count()).toBe(4);
    restore();
    expect(await count()).toBe(5);
    expect(sim.control.read('node-5', 'guest.hostName')).toBe('node-5.demo.example');
    sim.control.deleteVm('node-5');
    await client.call(destroyView, { _this: view });
    await expect(count()).rejects.toMatchObject({ name: 'ManagedObjectNotFound' });
  });
});

describe('tasks of the simulated vCenter', () => {
  it('take time, and then change the VM', async () => {
    const { sim, client, clock } = await setup(demoModel(), { taskLatencyMs: 500 });
    const vm = sim.control.find('node-1');
    const task = await client.call(powerOffVMTask, { _this: vm });
    const read = async (obj: MoRef, type: string, path: string) =>
      flat(
        (await client.call(retrievePropertiesEx, { _this: pc, specSet: [spec(obj, type, [path])], options: {} }))
          ?.objects,
      )[0];
    expect(await read(task, 'Task', 'info.state')).toMatchObject({ 'info.state': 'running' });
    expect(await read(vm, 'VirtualMachine', 'runtime.powerState')).toMatchObject({ 'runtime.powerState': 'poweredOn' });
    await clock.advance(500);
    expect(await read(task, 'Task', 'info')).toMatchObject({ info: { state: 'success', entityName: 'node-1' } });
    expect(await read(vm, 'VirtualMachine', 'summary.runtime.powerState')).toMatchObject({
      'summary.runtime.powerState': 'poweredOff',
    });
  });

  it('are forgotten at a restart while their work continues, and a newly installed vCenter uses their numbers again', async () => {
    const { sim, client, clock } = await setup(demoModel(), { taskLatencyMs: 500 });
    const [first, second] = [sim.control.find('node-1'), sim.control.find('node-2')];
    const task = await client.call(powerOffVMTask, { _this: first });
    const info = () =>
      client.call(retrievePropertiesEx, { _this: pc, specSet: [spec(task, 'Task', ['info'])], options: {} });
    sim.control.forgetTasks({ renumber: true });
    await expect(info()).rejects.toMatchObject({ name: 'ManagedObjectNotFound' });
    await clock.advance(100);
    expect(await client.call(powerOffVMTask, { _this: second })).toEqual(task);
    await clock.advance(400);
    expect(sim.control.read('node-1', 'runtime.powerState')).toBe('poweredOff');
    expect(flat((await info())?.objects)[0]).toMatchObject({ info: { state: 'running', entityName: 'node-2' } });
  });

  it('fail with the correct fault, or the injected one', async () => {
    const { sim, client, clock } = await setup();
    const vm = sim.control.find('node-1');
    sim.control.addFault({
      method: 'ReconfigVM_Task',
      effect: { kind: 'task-failure', fault: { $type: 'GenericVmConfigFault', reason: 'busy' } },
    });
    const tasks = [
      await client.call(powerOnVMTask, { _this: vm }),
      await client.call(reconfigVMTask, { _this: vm, spec: {} }),
    ];
    await clock.advance(100);
    const infos = await Promise.all(
      tasks.map(
        async (task) =>
          flat(
            (
              await client.call(retrievePropertiesEx, {
                _this: pc,
                specSet: [spec(task, 'Task', ['info.error'])],
                options: {},
              })
            )?.objects,
          )[0],
      ),
    );
    expect(infos).toMatchObject([
      { 'info.error': { fault: { $type: 'InvalidPowerState', existingState: 'poweredOn' } } },
      { 'info.error': { fault: { $type: 'GenericVmConfigFault', reason: 'busy' } } },
    ]);
  });
});

describe('models', () => {
  const tiny = (overrides: Partial<VSphereModel['datacenters'][number]> = {}): VSphereModel => ({
    datacenters: [
      {
        name: 'dc',
        clusters: [{ name: 'c', hosts: [{ name: 'h' }] }],
        datastores: [{ name: 'd', type: 'VMFS' }],
        vms: [],
        ...overrides,
      },
    ],
  });

  it('nest datacenters, VMs and resource pools in folders', async () => {
    const { client } = await setup({
      datacenters: [
        {
          name: 'dc',
          folder: 'emea/prod',
          clusters: [{ name: 'c', folder: 'row-1', hosts: [{ name: 'h' }], resourcePools: ['gold/inner'] }],
          hosts: [{ name: 'alone' }],
          datastores: [{ name: 'd', type: 'NFS' }],
          vms: [{ name: 'a/b', folder: 'k8s/workers', host: 'h', resourcePool: 'gold/inner' }],
        },
      ],
    });
    const find = (inventoryPath: string) =>
      client.call(findByInventoryPath, { _this: managers.searchIndex, inventoryPath });
    const vm = await find('emea/prod/dc/vm/k8s/workers/a%2fb');
    expect(vm?.type).toBe('VirtualMachine');
    expect(await find('emea/prod/dc/host/row-1/c/Resources/gold/inner/a%2fb')).toEqual(vm);
    expect((await find('emea/prod/dc/host/alone'))?.type).toBe('ComputeResource');
  });

  it.each([
    ['a host', tiny({ vms: [{ name: 'v', host: 'x' }] }), 'the host "x"'],
    ['a datastore', tiny({ vms: [{ name: 'v', datastore: 'x' }] }), 'the datastore "x"'],
    ['a network', tiny({ vms: [{ name: 'v', nics: [{ network: 'x', ips: [] }] }] }), 'the network "x"'],
    ['a path', { ...tiny(), permissions: [{ principal: 'a@b', role: 'Admin', path: '/x' }] }, 'no object at /x'],
    ['a role', { ...tiny(), permissions: [{ principal: 'a@b', role: 'x', path: '/' }] }, 'no role x'],
  ] satisfies [string, VSphereModel, string][])(
    'that name %s they do not define are refused',
    async (_name, model, message) => {
      await expect(setup(model)).rejects.toMatchObject({
        code: 'InvalidArgument',
        message: expect.stringContaining(message),
      });
    },
  );
});

describe('determinism', () => {
  it('gives the same references and UUIDs for the same seed', async () => {
    const read = async () => {
      const { client } = await setup();
      const content = await client.call(retrieveServiceContent, { _this: managers.serviceInstance });
      const view = await client.call(createContainerView, {
        _this: managers.viewManager,
        container: content.rootFolder,
        type: [],
        recursive: true,
      });
      const reply = await client.call(retrievePropertiesEx, {
        _this: pc,
        specSet: [viewSpec(view, 'VirtualMachine', ['config.instanceUuid', 'guest.net'])],
        options: {},
      });
      return flat(reply?.objects);
    };
    expect(await read()).toEqual(await read());
  });
});
