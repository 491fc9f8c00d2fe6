import type { RequiredRole } from '@vdo/checks/facts/required-role';
import type { Permission, Role } from '@vdo/vsphere/authorization/authorization';
import type { Ancestors } from '@vdo/vsphere/inventory/ancestors';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import { inventoryPath } from '../../../shared/vsphere/inventory.ts';
import { type Grant, isReader } from './wanted-grants.ts';

/** One change to the account, its roles or its permissions. */
export type Step =
  | { readonly action: 'create-user'; readonly user: string; readonly reason: string }
  | {
      readonly action: 'create-role' | 'update-role';
      readonly role: string;
      readonly privileges: readonly string[];
      readonly reason: string;
    }
  | {
      readonly action: 'set-permission';
      readonly ref: MoRef;
      readonly object: string;
      readonly role: string;
      readonly propagate: boolean;
      readonly reason: string;
    }
  | {
      readonly action: 'remove-permission';
      readonly ref: MoRef;
      readonly object: string;
      readonly role: string;
      readonly reason: string;
    }
  | { readonly action: 'remove-role'; readonly role: string; readonly reason: string }
  | { readonly action: 'delete-user'; readonly user: string; readonly reason: string };

export interface AccountPlan {
  /** `name@domain`. */
  readonly account: string;
  readonly steps: readonly Step[];
  /** Number of roles and permissions that need no change. */
  readonly unchanged: number;
  /** What is not changed, and why. */
  readonly notes: readonly string[];
}

/** The current state of vCenter. */
export interface AccessFacts {
  readonly userExists: boolean;
  readonly roles: readonly Role[];
  readonly permissions: readonly Permission[];
  readonly inventory: Ancestors;
}

/** `VSPHERE.LOCAL\vdo` and `vdo@vsphere.local` are the same account. */
export const principalKey = (principal: string): string => {
  const [domain, name] = principal.split('\\');
  return (name === undefined ? principal : `${name}@${domain}`).toLowerCase();
};

const isSystem = (privilege: string): boolean => privilege.startsWith('System.');

/** The permissions of one account, and those of all others. */
const permissionsOf = (account: string, permissions: readonly Permission[]) => {
  const isOwn = ({ principal, group }: Permission): boolean =>
    !group && principalKey(principal) === principalKey(account);
  return { own: permissions.filter(isOwn), others: permissions.filter((one) => !isOwn(one)) };
};

const planRole = (needed: RequiredRole, facts: AccessFacts, others: readonly Permission[]): Step | undefined => {
  const { name, privileges, on } = needed;
  const there = facts.roles.find((role) => role.name === name);
  if (!there) return { action: 'create-role', role: name, privileges, reason: `needed on ${on}` };
  if (there.system) return undefined;
  const has = there.privileges.filter((privilege) => !isSystem(privilege));
  const lacking = privileges.filter((privilege) => !has.includes(privilege));
  const excess = has.filter((privilege) => !privileges.includes(privilege));
  const shared = others.some(({ roleId }) => roleId === there.id);
  if (lacking.length === 0 && (excess.length === 0 || shared)) return undefined;
  const reported = [
    ...(lacking.length > 0 ? [`it lacks ${lacking.join(', ')}`] : []),
    ...(excess.length > 0 && !shared ? [`it has unneeded privileges: ${excess.join(', ')}`] : []),
  ];
  const wanted = shared ? [...has, ...lacking] : privileges;
  return { action: 'update-role', role: name, privileges: wanted, reason: reported.join('; ') };
};

const excessNotes = (roles: readonly RequiredRole[], facts: AccessFacts, others: readonly Permission[]) =>
  roles.flatMap(({ name, privileges }) => {
    const there = facts.roles.find((role) => role.name === name && !role.system);
    const excess = there?.privileges.filter((one) => !isSystem(one) && !privileges.includes(one)) ?? [];
    if (!there || excess.length === 0 || !others.some(({ roleId }) => roleId === there.id)) return [];
    return [`role ${name} has unneeded privileges (${excess.join(', ')}) and is not changed: other accounts use it`];
  });

/** The changes that give the account the required permissions. With `prune`, unneeded permissions are removed. */
export const planAccount = (
  input: {
    readonly account: string;
    readonly roles: readonly RequiredRole[];
    readonly grants: readonly Grant[];
    readonly prune: boolean;
  },
  facts: AccessFacts,
): AccountPlan => {
  const { account, grants } = input;
  const { own, others } = permissionsOf(account, facts.permissions);
  const roleName = (id: number): string => facts.roles.find((role) => role.id === id)?.name ?? `role ${id}`;
  const managed = input.roles.filter((role) => !isReader(role));
  const roleSteps = managed.flatMap((role) => planRole(role, facts, others) ?? []);
  const permissionSteps = grants.flatMap((grant): readonly Step[] => {
    const { ref, path: object, role, propagate, reason } = grant;
    const there = own.find(({ entity }) => morefKey(entity) === morefKey(ref));
    if (there && roleName(there.roleId) === role && there.propagate === propagate) return [];
    const was = there
      ? ` (now: ${roleName(there.roleId)}, ${there.propagate ? 'propagating' : 'not propagating'})`
      : '';
    return [{ action: 'set-permission', ref, object, role, propagate, reason: `${reason}${was}` }];
  });
  const wanted = new Set(grants.map(({ ref }) => morefKey(ref)));
  const stale = own.filter(({ entity }) => !wanted.has(morefKey(entity)));
  const ours = new Set(input.roles.map(({ name }) => name));
  const isOurs = ({ roleId }: Pick<Permission, 'roleId'>): boolean => ours.has(roleName(roleId));
  const pruned = input.prune ? stale.filter(isOurs) : [];
  const kept = stale.filter((one) => !pruned.includes(one));
  return {
    account,
    steps: [
      ...(facts.userExists
        ? []
        : [{ action: 'create-user', user: account, reason: 'the drivers log in with it' } as const]),
      ...roleSteps,
      ...permissionSteps,
      ...pruned.map(
        ({ entity, roleId }): Step => ({
          action: 'remove-permission',
          ref: entity,
          object: inventoryPath(facts.inventory, entity),
          role: roleName(roleId),
          reason: 'the configuration does not need it',
        }),
      ),
    ],
    unchanged: managed.length - roleSteps.length + grants.length - permissionSteps.length,
    notes: [
      ...excessNotes(managed, facts, others),
      ...kept.map(
        ({ entity, roleId }) =>
          `${roleName(roleId)} on ${inventoryPath(facts.inventory, entity)} is kept${isOurs({ roleId }) ? '; vdoctl vsphere user apply removes it' : ', although the drivers do not need it'}`,
      ),
    ],
  };
};

/** The changes that remove the account with its permissions. Roles that others use are kept. */
export const planRemoval = (
  input: { readonly account: string; readonly roles: readonly RequiredRole[] },
  facts: AccessFacts,
): AccountPlan => {
  const { account } = input;
  const { own, others } = permissionsOf(account, facts.permissions);
  const roleName = (id: number): string => facts.roles.find((role) => role.id === id)?.name ?? `role ${id}`;
  const managed = facts.roles.filter(({ name, system }) => !system && input.roles.some((role) => role.name === name));
  const isShared = ({ id }: Role): boolean => others.some(({ roleId }) => roleId === id);
  return {
    account,
    steps: [
      ...own.map(
        ({ entity, roleId }): Step => ({
          action: 'remove-permission',
          ref: entity,
          object: inventoryPath(facts.inventory, entity),
          role: roleName(roleId),
          reason: 'permission of the account',
        }),
      ),
      ...(facts.userExists ? [{ action: 'delete-user', user: account, reason: 'requested' } as const] : []),
      ...managed
        .filter((role) => !isShared(role))
        .map(({ name }): Step => ({ action: 'remove-role', role: name, reason: 'no other account uses it' })),
    ],
    unchanged: 0,
    notes: managed.filter(isShared).map(({ name }) => `role ${name} is kept: other accounts use it`),
  };
};
