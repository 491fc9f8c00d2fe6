import { silentLogger } from '@vdo/base/logger';
import { describe, expect, it } from 'vitest';
import { moref } from '../wire/moref.ts';
import type { VmFacts } from './node-inventory.ts';
import { createVmStore } from './vm-store.ts';

const vm = moref('VirtualMachine', 'vm-1');
const values = {
  name: 'node-1',
  parent: moref('Folder', 'group-v3'),
  'config.uuid': '4210AABB-0000-4000-8000-000000000001',
  'config.extraConfig': [
    { key: 'guestinfo.metadata', value: 'bWV0YQ==' },
    { key: 'disk.EnableUUID', value: 'TRUE' },
    { key: 'svga.present', value: 'TRUE' },
  ],
  'runtime.powerState': 'poweredOn',
  'guest.toolsRunningStatus': 'guestToolsRunning',
  'guest.net': [
    { connected: true, deviceConfigId: 4000, ipAddress: ['192.0.2.1'], macAddress: '00:50', network: 'net' },
  ],
};

const setup = () => {
  const store = createVmStore('vc.example', silentLogger);
  const changes: VmFacts[] = [];
  const stop = store.onChange((facts) => changes.push(facts));
  return { store, changes, stop };
};

describe('facts of a VM', () => {
  it('are made from its properties, with only the options of interest', () => {
    const { store } = setup();
    expect(store.put(vm, values)).toEqual({
      server: 'vc.example',
      ref: vm,
      name: 'node-1',
      uuid: '4210aabb-0000-4000-8000-000000000001',
      instanceUuid: '',
      powerState: 'poweredOn',
      toolsRunning: true,
      hostName: undefined,
      nics: [{ network: 'net', mac: '00:50', connected: true, deviceConfigId: 4000, ips: ['192.0.2.1'] }],
      numCpu: 0,
      memoryMb: 0,
      guestId: '',
      host: undefined,
      folder: moref('Folder', 'group-v3'),
      resourcePool: undefined,
      extraConfig: { 'guestinfo.metadata': 'bWV0YQ==', 'disk.EnableUUID': 'TRUE' },
    });
  });

  it('survive properties that vCenter hides', () => {
    expect(setup().store.put(vm, {})).toMatchObject({ name: 'vm-1', uuid: '', nics: [], toolsRunning: false });
  });
});

describe('changes', () => {
  it('are told once each, with the new facts', () => {
    const { store, changes } = setup();
    store.put(vm, values);
    store.change(vm, [{ name: 'runtime.powerState', op: 'assign', val: 'poweredOff' }]);
    expect(changes.map(({ powerState }) => powerState)).toEqual(['poweredOff']);
    expect(store.get(vm)).toMatchObject({ powerState: 'poweredOff', extraConfig: { 'disk.EnableUUID': 'TRUE' } });
  });

  it('that change nothing of interest are not told', () => {
    const { store, changes } = setup();
    store.put(vm, values);
    store.change(vm, [
      { name: 'runtime.powerState', op: 'assign', val: 'poweredOn' },
      {
        name: 'config.extraConfig',
        op: 'assign',
        val: [...values['config.extraConfig'], { key: 'noise', value: '1' }],
      },
      { name: 'unasked', op: 'assign', val: 1 },
    ]);
    expect(changes).toEqual([]);
  });

  it.each(['remove', 'indirectRemove'])('that %s a property leave it empty', (op) => {
    const { store } = setup();
    store.put(vm, values);
    store.change(vm, [{ name: 'guest.net', op }]);
    expect(store.get(vm)?.nics).toEqual([]);
  });

  it('of VMs that were never asked for are ignored', () => {
    const { store } = setup();
    store.change(moref('VirtualMachine', 'foreign'), [{ name: 'name', op: 'assign', val: 'x' }]);
    expect(store.refs()).toEqual([]);
  });

  it('reach the other listeners when one fails, and none after it has left', () => {
    const { store, changes, stop } = setup();
    store.onChange(() => {
      throw new Error('listener');
    });
    const late: VmFacts[] = [];
    store.onChange((facts) => late.push(facts));
    store.put(vm, values);
    store.change(vm, [{ name: 'name', op: 'assign', val: 'a' }]);
    stop();
    store.change(vm, [{ name: 'name', op: 'assign', val: 'b' }]);
    expect(changes).toHaveLength(1);
    expect(late).toHaveLength(2);
  });
});
