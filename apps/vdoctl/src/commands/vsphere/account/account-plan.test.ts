import { createSeededRandom } from '@vdo/base/random';
import { requiredPrivileges } from '@vdo/checks/privileges/required-privileges';
import { vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { Permission, Role } from '@vdo/vsphere/authorization/authorization';
import type { Ancestors } from '@vdo/vsphere/inventory/ancestors';
import { type MoRef, moref, morefKey } from '@vdo/vsphere/wire/moref';
import { describe, expect, it } from 'vitest';
import { accountKeys } from '../../../shared/vsphere/store-password.ts';
import { planAccount, planRemoval, principalKey } from './account-plan.ts';
import { newPassword } from './new-password.ts';
import { wantedGrants } from './wanted-grants.ts';

const rolesOf = (csi?: object) =>
  requiredPrivileges({ csi: csi ? vsphereDriversSpec.shape.csi.parse(csi) : undefined });

/** An inventory of objects that are called by their paths. */
const treeOf = (...objects: readonly (readonly [path: string, type: string])[]) => {
  const all = [['/', 'Folder'] as const, ...objects];
  const refOf = (path: string): MoRef => moref(all.find(([one]) => one === path)?.[1] ?? 'Folder', path);
  const tree: Ancestors = new Map(
    all.map(([path]) => {
      const parent = path.slice(0, path.lastIndexOf('/')) || '/';
      const name = path.slice(path.lastIndexOf('/') + 1);
      const ref = refOf(path);
      return [morefKey(ref), { ref, name, parent: path === '/' ? undefined : refOf(parent) }] as const;
    }),
  );
  return { tree, refOf };
};

const { tree, refOf } = treeOf(
  ['/dc', 'Datacenter'],
  ['/dc/vm', 'Folder'],
  ['/dc/vm/k8s', 'Folder'],
  ['/dc/vm/k8s/workers', 'Folder'],
  ['/dc/host', 'Folder'],
  ['/dc/host/c', 'ClusterComputeResource'],
  ['/dc/host/c/h1', 'HostSystem'],
  ['/dc/host/c/Resources', 'ResourcePool'],
  ['/dc/datastore', 'Folder'],
  ['/dc/datastore/d', 'Datastore'],
);
const targets = {
  root: refOf('/'),
  folders: [refOf('/dc/vm/k8s/workers'), refOf('/dc/vm/k8s')],
  places: [refOf('/dc/host/c/h1'), refOf('/dc/host/c/Resources')],
  datastores: [refOf('/dc/datastore/d')],
  fileClusters: [refOf('/dc/host/c')],
};
const grants = (csi?: object) =>
  wantedGrants(rolesOf(csi), targets, tree).map(
    ({ path, role, propagate }) => `${path} ${role}${propagate ? ' +' : ''}`,
  );

describe('the permissions of an account', () => {
  it('are one for each object, and none where one is inherited', () => {
    expect(grants({})).toEqual([
      '/ CNS-SEARCH-AND-SPBM',
      '/dc ReadOnly',
      '/dc/datastore/d CNS-DATASTORE',
      '/dc/host ReadOnly',
      '/dc/host/c ReadOnly',
      '/dc/host/c/Resources ReadOnly',
      '/dc/host/c/h1 ReadOnly',
      '/dc/vm ReadOnly',
      '/dc/vm/k8s CNS-VM +',
    ]);
  });

  it('reach the hosts through the cluster with file volumes', () => {
    expect(grants({ fileVolumes: {} }).filter((one) => one.startsWith('/dc/host/'))).toEqual([
      '/dc/host/c CNS-HOST-CONFIG-STORAGE +',
    ]);
  });

  it('read the VMs, and nothing else, without the storage driver', () => {
    expect(grants()).toContain('/dc/vm/k8s ReadOnly +');
    expect(new Set(grants().map((one) => one.split(' ')[1]))).toEqual(new Set(['ReadOnly']));
  });
});

const account = 'vdo@vsphere.local';
const system: Role = { id: -2, name: 'ReadOnly', system: true, privileges: ['System.Read'] };
const cnsVm = (...privileges: readonly string[]): Role => ({ id: 7, name: 'CNS-VM', system: false, privileges });
const permission = (principal: string, roleId: number, path: string): Permission => ({
  entity: refOf(path),
  principal,
  group: false,
  roleId,
  propagate: true,
});
const plan = (roles: readonly Role[], permissions: readonly Permission[], prune = true) => {
  const needed = rolesOf({}).filter(({ name }) => name === 'CNS-VM' || name === 'ReadOnly');
  const wanted = wantedGrants(rolesOf({}), targets, tree).filter(({ role }) => role === 'CNS-VM');
  return planAccount(
    { account, roles: needed, grants: wanted, prune },
    { userExists: true, roles, permissions, inventory: tree },
  );
};
const both = ['VirtualMachine.Config.AddExistingDisk', 'VirtualMachine.Config.AddRemoveDevice'];

describe('the plan', () => {
  it('cuts a role back that nobody else has', () => {
    expect(plan([system, cnsVm(...both, 'VirtualMachine.Interact.PowerOff')], []).steps[0]).toMatchObject({
      action: 'update-role',
      privileges: both,
      reason: 'it has unneeded privileges: VirtualMachine.Interact.PowerOff',
    });
  });

  it('only extends a role that others have', () => {
    const shared = [permission('CORP\\someone', 7, '/dc')];
    const { steps, notes } = plan([system, cnsVm(both[0] ?? '', 'VirtualMachine.Interact.PowerOff')], shared);
    expect(steps[0]).toMatchObject({ privileges: [both[0], 'VirtualMachine.Interact.PowerOff', both[1]] });
    expect(notes).toEqual([expect.stringContaining('other accounts use it')]);
  });

  it('knows its permissions by either spelling of the account, and takes old ones away only if told', () => {
    const held = [permission('VSPHERE.LOCAL\\vdo', 7, '/dc/vm/k8s'), permission('VSPHERE.LOCAL\\vdo', 7, '/dc/vm')];
    expect(plan([system, cnsVm(...both)], held).steps).toMatchObject([
      { action: 'remove-permission', object: '/dc/vm' },
    ]);
    const kept = plan([system, cnsVm(...both)], held, false);
    expect(kept.steps).toEqual([]);
    expect(kept.notes).toEqual([expect.stringContaining('user apply removes it')]);
  });

  it('removes the roles of an account that goes, but for those of others', () => {
    const roles = [system, cnsVm(...both), { ...cnsVm('Datastore.FileManagement'), id: 8, name: 'CNS-DATASTORE' }];
    const permissions = [permission(account, 7, '/dc/vm'), permission('other@vsphere.local', 8, '/dc')];
    const removal = planRemoval(
      { account, roles: rolesOf({}) },
      { userExists: true, roles, permissions, inventory: tree },
    );
    expect(removal.steps.map(({ action }) => action)).toEqual(['remove-permission', 'delete-user', 'remove-role']);
    expect(removal.notes).toEqual(['role CNS-DATASTORE is kept: other accounts use it']);
  });

  it('compares accounts without regard to case', () => {
    expect(principalKey('VSPHERE.LOCAL\\VDO')).toBe(principalKey('vdo@vsphere.local'));
  });
});

describe('a password that is made up', () => {
  it('suits the default policy of vCenter, whatever chance gives', () => {
    const random = createSeededRandom(4);
    for (let round = 0; round < 500; round++) {
      const password = newPassword(random);
      expect(password).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[-_.+=])[A-Za-z][-\w.+=]{19}$/);
      expect(password).not.toMatch(/(.)\1\1/);
    }
  });
});

describe('the keys of a Secret', () => {
  it.each([
    [{}, 'vc.example', 'vc.example.username', 'vc.example.password'],
    [{ 'VC.example.username': 'a' }, 'vc.example', 'VC.example.username', 'VC.example.password'],
    [{ username: 'a', password: 'b' }, 'vc.example', 'username', 'password'],
    [{ server_x: 'vc.example' }, 'vc.example', 'username_x', 'password_x'],
    [{}, 'fd00::1', 'username', 'password'],
  ])('%j for %s', (data, server, username, password) => {
    expect(accountKeys(data as Record<string, string>, server)).toEqual([username, password]);
  });
});
