import type { UserModel } from './model.ts';
import { principalName } from './sessions.ts';

/** The users and groups of the vCenter's single sign-on. Names are `name@domain`, in any case. */
export interface Accounts {
  users(): readonly UserModel[];
  user(name: string): UserModel | undefined;
  /** The solution user with this certificate: base64 of the DER form. */
  byCertificate(certificate: string): UserModel | undefined;
  /** Adds an account, or replaces the one with that name. */
  set(user: UserModel): void;
  remove(name: string): boolean;
  groups(): readonly string[];
  addGroup(name: string): void;
  removeGroup(name: string): boolean;
  groupsOf(user: string): readonly string[];
  has(name: string, group: boolean): boolean;
  isAdministrator(user: string): boolean;
}

export const createAccounts = (models: readonly UserModel[]): Accounts => {
  const users = new Map<string, UserModel>();
  const groups = new Set<string>();

  const set = (user: UserModel): void => {
    users.set(principalName(user.username), user);
    for (const group of user.groups ?? []) groups.add(principalName(group));
  };
  for (const model of models) set(model);
  const groupsOf = (name: string): readonly string[] =>
    (users.get(principalName(name))?.groups ?? []).map(principalName).filter((group) => groups.has(group));

  const administrators = 'administrators@vsphere.local';
  groups.add(administrators);
  return {
    isAdministrator: (user) => groupsOf(user).includes(administrators),
    users: () => [...users.values()],
    byCertificate: (certificate) => [...users.values()].find((user) => user.certificate === certificate),
    user: (name) => users.get(principalName(name)),
    set,
    remove: (name) => users.delete(principalName(name)),
    groups: () => [...groups],
    addGroup: (name) => {
      groups.add(principalName(name));
    },
    removeGroup: (name) => groups.delete(principalName(name)),
    groupsOf,
    has: (name, group) => (group ? groups.has(principalName(name)) : users.has(principalName(name))),
  };
};
