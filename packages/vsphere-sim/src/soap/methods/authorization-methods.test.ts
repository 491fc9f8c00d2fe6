import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import {
  addAuthorizationRole,
  fetchUserPrivilegeOnEntities,
  hasPrivilegeOnEntities,
  removeAuthorizationRole,
  removeEntityPermission,
  retrieveEntityPermissions,
  setEntityPermissions,
  updateAuthorizationRole,
} from '@vdo/vsphere/wire/methods/authorization';
import { createContainerView, retrievePropertiesEx } from '@vdo/vsphere/wire/methods/property';
import { findAllByUuid } from '@vdo/vsphere/wire/methods/search';
import { login, terminateSession } from '@vdo/vsphere/wire/methods/session';
import { powerOffVMTask } from '@vdo/vsphere/wire/methods/vm';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import { make } from '@vdo/vsphere/wire/schema';
import { TraversalSpec } from '@vdo/vsphere/wire/types/property-collector';
import { describe, expect, it } from 'vitest';
import { createVSphereSim } from '../../create-vsphere-sim.ts';
import { demoModel } from '../../demo-model.ts';
import { createRawClient, type RawClient } from '../../testing/raw-client.ts';
import { managers } from '../service-content.ts';

const _this = managers.authorizationManager;
const joe = { username: 'joe@vsphere.local', password: 'obviously-fake-joe' };

const setup = async () => {
  const sim = createVSphereSim({
    model: { ...demoModel(), users: [joe], permissions: [] },
    clock: createVirtualClock(),
    random: createSeededRandom(7),
  });
  const admin = createRawClient(sim.handler);
  await admin.login();
  const user = createRawClient(sim.handler);
  await user.login(joe.username, joe.password);
  const permit = (entity: MoRef, roleId: number, propagate = true) =>
    admin.call(setEntityPermissions, {
      _this,
      entity,
      permission: [{ principal: 'VSPHERE.LOCAL\\joe', group: false, roleId, propagate }],
    });
  const visibleVms = async (client: RawClient) => {
    const root = sim.control.find('Datacenters');
    const view = await client.call(createContainerView, {
      _this: managers.viewManager,
      container: root,
      type: ['VirtualMachine'],
      recursive: true,
    });
    const reply = await client.call(retrievePropertiesEx, {
      _this: managers.propertyCollector,
      specSet: [
        {
          propSet: [{ type: 'VirtualMachine', pathSet: ['name'] }],
          objectSet: [
            { obj: view, skip: true, selectSet: [make(TraversalSpec, { type: 'ContainerView', path: 'view' })] },
          ],
        },
      ],
      options: {},
    });
    return (reply?.objects ?? []).map(({ propSet }) => propSet[0]?.val);
  };
  return { sim, admin, user, permit, visibleVms };
};

const readOnly = -2;

describe('what a session sees', () => {
  it('is nothing without a permission', async () => {
    const { sim, user, visibleVms } = await setup();
    await expect(visibleVms(user)).rejects.toMatchObject({
      name: 'NoPermission',
      fault: { privilegeId: 'System.View' },
    });
    const uuid = '42120000-0000-4000-8000-000000000001';
    expect(await user.call(findAllByUuid, { _this: managers.searchIndex, uuid, vmSearch: true })).toEqual([]);
    const reply = await user.call(retrievePropertiesEx, {
      _this: managers.propertyCollector,
      specSet: [
        { propSet: [{ type: 'VirtualMachine', pathSet: ['name'] }], objectSet: [{ obj: sim.control.find('node-1') }] },
      ],
      options: {},
    });
    expect(reply?.objects).toMatchObject([
      {
        propSet: [],
        missingSet: [{ path: 'name', fault: { fault: { $type: 'NoPermission', privilegeId: 'System.Read' } } }],
      },
    ]);
  });

  it('is what its permissions show, as soon as they are set', async () => {
    const { sim, user, permit, visibleVms } = await setup();
    await permit(sim.control.find('Datacenters'), readOnly, false);
    expect(await visibleVms(user)).toEqual([]);
    await permit(sim.control.find('node-3'), readOnly);
    expect(await visibleVms(user)).toEqual(['node-3']);
    await permit(sim.control.find('Datacenters'), readOnly, true);
    expect(await visibleVms(user)).toHaveLength(5);
  });
});

describe('what a session may do', () => {
  it('is decided by roles that can be created, changed and removed', async () => {
    const { sim, admin, user, permit } = await setup();
    const vm = sim.control.find('node-1');
    const roleId = await admin.call(addAuthorizationRole, {
      _this,
      name: 'Operator',
      privIds: ['VirtualMachine.Interact.PowerOn'],
    });
    await permit(vm, roleId);
    await expect(user.call(powerOffVMTask, { _this: vm })).rejects.toMatchObject({
      name: 'NoPermission',
      fault: { object: vm, privilegeId: 'VirtualMachine.Interact.PowerOff' },
    });
    await admin.call(updateAuthorizationRole, {
      _this,
      roleId,
      newName: 'Operator',
      privIds: ['VirtualMachine.Interact.PowerOff'],
    });
    expect((await user.call(powerOffVMTask, { _this: vm })).type).toBe('Task');
    await expect(admin.call(removeAuthorizationRole, { _this, roleId, failIfUsed: true })).rejects.toMatchObject({
      name: 'RemoveFailed',
    });
    await admin.call(removeAuthorizationRole, { _this, roleId, failIfUsed: false });
    await expect(user.call(powerOffVMTask, { _this: vm })).rejects.toMatchObject({ name: 'NoPermission' });
  });

  it.each([
    ['a role name twice', 'Admin', ['System.Read'], 'AlreadyExists'],
    ['a privilege that does not exist', 'New', ['System.Fly'], 'InvalidArgument'],
  ])('refuses %s', async (_name, name, privIds, fault) => {
    const { admin } = await setup();
    await expect(admin.call(addAuthorizationRole, { _this, name, privIds })).rejects.toMatchObject({ name: fault });
  });

  it('denies administration to others', async () => {
    const { sim, user } = await setup();
    const entity = sim.control.find('node-1');
    const permission = [{ principal: 'joe@vsphere.local', group: false, roleId: -1, propagate: true }];
    await expect(user.call(setEntityPermissions, { _this, entity, permission })).rejects.toMatchObject({
      name: 'NoPermission',
    });
    await expect(user.call(addAuthorizationRole, { _this, name: 'x', privIds: [] })).rejects.toMatchObject({
      name: 'NoPermission',
    });
    await expect(
      user.call(terminateSession, { _this: managers.sessionManager, sessionId: ['x'] }),
    ).rejects.toMatchObject({ name: 'NoPermission' });
  });

  it('refuses permissions for unknown principals, or with an unknown role', async () => {
    const { sim, admin } = await setup();
    const entity = sim.control.find('node-1');
    const set = (principal: string, roleId: number) =>
      admin.call(setEntityPermissions, {
        _this,
        entity,
        permission: [{ principal, group: false, roleId, propagate: true }],
      });
    await expect(set('nobody@vsphere.local', readOnly)).rejects.toMatchObject({ name: 'UserNotFound' });
    await expect(set('joe@vsphere.local', 77)).rejects.toMatchObject({ name: 'InvalidArgument' });
  });

  it('can be queried, by session and by user', async () => {
    const { sim, admin, permit } = await setup();
    const [vm, host] = [sim.control.find('node-1'), sim.control.find('esx-a1.demo.example')];
    await permit(vm, readOnly);
    const user = createRawClient(sim.handler);
    const { key } = await user.call(login, {
      _this: managers.sessionManager,
      userName: joe.username,
      password: joe.password,
    });
    const answer = await admin.call(hasPrivilegeOnEntities, {
      _this,
      entity: [vm, host],
      sessionId: key,
      privId: ['System.Read', 'VirtualMachine.Interact.PowerOn'],
    });
    expect(answer.map(({ privAvailability }) => privAvailability.map(({ isGranted }) => isGranted))).toEqual([
      [true, false],
      [false, false],
    ]);
    const [held] = await admin.call(fetchUserPrivilegeOnEntities, {
      _this,
      entities: [vm],
      userName: 'VSPHERE.LOCAL\\joe',
    });
    expect(held?.privileges).toEqual(['System.Anonymous', 'System.View', 'System.Read']);
  });

  it('lists permissions, including the inherited ones, and removes them', async () => {
    const { sim, admin, permit } = await setup();
    const vm = sim.control.find('node-1');
    await permit(vm, readOnly);
    const list = async () =>
      (await admin.call(retrieveEntityPermissions, { _this, entity: vm, inherited: true })).map(
        ({ principal, roleId }) => [principal, roleId],
      );
    expect(await list()).toEqual([
      ['VSPHERE.LOCAL\\joe', -2],
      ['VSPHERE.LOCAL\\administrator', -1],
    ]);
    await admin.call(removeEntityPermission, { _this, entity: vm, user: 'VSPHERE.LOCAL\\joe', isGroup: false });
    expect(await list()).toHaveLength(1);
    await expect(
      admin.call(removeEntityPermission, { _this, entity: vm, user: 'joe', isGroup: false }),
    ).rejects.toMatchObject({ name: 'NotFound' });
  });
});
