import { type MoRef, moref } from '@vdo/vsphere/wire/moref';
import { describe, expect, it } from 'vitest';
import { createObjectStore } from '../state/object-store.ts';
import { createPermissions, type Permission } from './permissions.ts';
import { createRoles } from './roles.ts';
import { createSessionReader } from './session-reader.ts';

const root = moref('Folder', 'group-d1');
const folder = moref('Folder', 'group-v2');
const pool = moref('ResourcePool', 'resgroup-3');
const vm = moref('VirtualMachine', 'vm-4');
const other = moref('VirtualMachine', 'vm-5');

const joe = { user: 'joe@x', groups: ['ops@x'] };

const setup = (...granted: readonly (readonly [MoRef, string, Partial<Permission>?])[]) => {
  const store = createObjectStore();
  store.put(root, { name: 'Datacenters', childEntity: [folder] });
  store.put(folder, { name: 'vm', parent: root, childEntity: [vm, other] });
  store.put(pool, { name: 'Resources', parent: root, vm: [vm, other] });
  store.put(vm, { name: 'a', parent: folder, resourcePool: pool, runtime: { host: moref('HostSystem', 'host-9') } });
  store.put(other, { name: 'b', parent: folder });
  const roles = createRoles([{ name: 'Power', privileges: ['VirtualMachine.Interact.PowerOff'] }]);
  const permissions = createPermissions(store, roles);
  for (const [entity, role, more] of granted)
    permissions.set({
      entity,
      principal: 'joe@x',
      group: false,
      propagate: true,
      roleId: roles.byName(role)?.id ?? 0,
      ...more,
    });
  return { store, permissions };
};

const powerOff = 'VirtualMachine.Interact.PowerOff';

describe('createPermissions', () => {
  it.each([
    ['nothing without any permission', [], [false, false]],
    ['what a role above propagates', [[root, 'Power']], [true, true]],
    ['System.Read with every role', [[root, 'ReadOnly']], [true, false]],
    ['nothing below a role that does not propagate', [[folder, 'Power', { propagate: false }]], [false, false]],
    [
      'what the nearest role says',
      [
        [root, 'Power'],
        [folder, 'NoAccess'],
        [pool, 'NoAccess'],
      ],
      [false, false],
    ],
    [
      'what the resource pool allows when the folder does not',
      [
        [folder, 'NoAccess'],
        [pool, 'Power'],
      ],
      [true, true],
    ],
    [
      'what a role on the object itself says',
      [
        [root, 'NoAccess'],
        [vm, 'Power', { propagate: false }],
      ],
      [true, true],
    ],
    ['everything as Admin', [[root, 'Admin']], [true, true]],
    ['what a group may', [[root, 'Power', { principal: 'ops@x', group: true }]], [true, true]],
    [
      'what the user may before what its group may',
      [
        [root, 'Power', { principal: 'ops@x', group: true }],
        [root, 'ReadOnly'],
      ],
      [true, false],
    ],
    ['nothing through a group of others', [[root, 'Power', { principal: 'devs@x', group: true }]], [false, false]],
  ] as const)('allows %s', (_name, granted, expected) => {
    const { permissions } = setup(...granted);
    expect(['System.Read', powerOff].map((privilege) => permissions.allows(joe, privilege, vm))).toEqual(expected);
  });

  it('forgets a permission that was removed', () => {
    const { permissions } = setup([root, 'Power']);
    expect(permissions.allows(joe, powerOff, vm)).toBe(true);
    expect(permissions.remove(root, 'joe@x', false)).toBe(true);
    expect(permissions.allows(joe, powerOff, vm)).toBe(false);
  });
});

describe('createSessionReader', () => {
  it('leaves references to hidden objects out, and returns the same object while nothing changes', () => {
    const { store, permissions } = setup(
      [root, 'ReadOnly', { propagate: false }],
      [folder, 'ReadOnly', { propagate: false }],
      [vm, 'ReadOnly'],
    );
    const reader = createSessionReader({ store, permissions, principal: joe, rootFolder: root });
    expect(reader.get(folder)?.properties['childEntity']).toEqual([vm]);
    expect(reader.get(vm)?.properties['runtime']).toEqual({});
    expect(reader.get(vm)?.properties['runtime']).toBe(reader.get(vm)?.properties['runtime']);
    expect([vm, other].map(reader.canRead)).toEqual([true, false]);
  });

  it('shows more as soon as more is allowed', () => {
    const { store, permissions } = setup([folder, 'ReadOnly', { propagate: false }]);
    const reader = createSessionReader({ store, permissions, principal: joe, rootFolder: root });
    expect(reader.get(folder)?.properties['childEntity']).toEqual([]);
    permissions.set({ entity: root, principal: 'joe@x', group: false, roleId: -2, propagate: true });
    permissions.remove(folder, 'joe@x', false);
    expect(reader.get(folder)?.properties['childEntity']).toEqual([vm, other]);
  });

  it('shows an administrator the stored object itself', () => {
    const { store, permissions } = setup([root, 'Admin']);
    const reader = createSessionReader({ store, permissions, principal: joe, rootFolder: root });
    expect(reader.get(vm)).toBe(store.get(vm));
  });
});
