import {
  addUsersToLocalGroup,
  createLocalGroup,
  createLocalPersonUser,
  createLocalSolutionUser,
  deleteLocalPrincipal,
  findAllParentGroups,
  findGroup,
  findGroups,
  findPersonUser,
  findPersonUsers,
  findSolutionUser,
  findSolutionUsers,
  findUser,
  findUsersInGroup,
  removePrincipalsFromLocalGroup,
  resetLocalPersonUserPassword,
  ssoAdminServiceInstance,
  ssoGroupcheckServiceInstance,
  ssoLogin,
  ssoLogout,
  updateLocalPersonUserDetails,
  updateLocalSolutionUserDetails,
} from '@vdo/vsphere/wire/methods/sso';
import { moref } from '@vdo/vsphere/wire/moref';
import { ssoServices } from '@vdo/vsphere/wire/types/sso';
import type { Core } from '../core.ts';
import type { UserModel } from '../model.ts';
import { principalName } from '../sessions.ts';
import { faults } from '../sim-fault.ts';
import { type Call, handle, handleAnonymous, type MethodHandler } from '../soap/method-handler.ts';
import type { Tokens } from './sts-endpoint.ts';

/** The domain of vCenter's own accounts. */
const localDomain = 'vsphere.local';

interface Id {
  readonly name: string;
  readonly domain: string;
}

const idOf = (principal: string): Id => {
  const [name = '', domain = localDomain] = principal.split('@');
  return { name, domain };
};
const nameOf = ({ name, domain }: Id): string => principalName(`${name}@${domain}`);
const local = (name: string): string => principalName(name.includes('@') ? name : `${name}@${localDomain}`);

const showPerson = (user: UserModel) => ({
  id: idOf(user.username),
  details: { ...user.details },
  disabled: false,
  locked: false,
});
const showUser = (user: UserModel) => ({
  id: idOf(user.username),
  kind: user.certificate === undefined ? 'person' : 'solution',
  description: user.details?.description,
});
const showGroup = (group: string) => ({ id: idOf(group), details: {} });

const matching = (
  names: readonly string[],
  { searchString, domain }: { readonly searchString: string; readonly domain: string },
) =>
  names.filter(
    (name) => idOf(name).domain === domain.toLowerCase() && idOf(name).name.includes(searchString.toLowerCase()),
  );

/** Only administrators may read or change accounts. */
const asAdministrator = <T>({ core, client }: Call, run: (core: Core) => T): T => {
  if (!core.accounts.isAdministrator(client.session.user))
    throw faults.noPermission(core.rootFolder, 'Authorization.ModifyPermissions');
  return run(core);
};

const existing = (core: Core, name: string): UserModel => {
  const user = core.accounts.user(name);
  if (!user) throw faults.userNotFound(name);
  return user;
};

const discovery: readonly MethodHandler[] = [
  handle(findPersonUsers, ({ criteria }, call) =>
    asAdministrator(call, ({ accounts }) =>
      matching(
        accounts.users().map(({ username }) => principalName(username)),
        criteria,
      ).flatMap((name) => {
        const user = accounts.user(name);
        return user && user.certificate === undefined ? [showPerson(user)] : [];
      }),
    ),
  ),
  handle(findPersonUser, ({ userId }, call) =>
    asAdministrator(call, ({ accounts }) => {
      const user = accounts.user(nameOf(userId));
      return user && user.certificate === undefined ? showPerson(user) : undefined;
    }),
  ),
  handle(findUser, ({ userId }, call) =>
    asAdministrator(call, ({ accounts }) => {
      const user = accounts.user(nameOf(userId));
      return user && showUser(user);
    }),
  ),
  handle(findGroups, ({ criteria }, call) =>
    asAdministrator(call, ({ accounts }) => matching(accounts.groups(), criteria).map(showGroup)),
  ),
  handle(findGroup, ({ groupId }, call) =>
    asAdministrator(call, ({ accounts }) =>
      accounts.has(nameOf(groupId), true) ? showGroup(nameOf(groupId)) : undefined,
    ),
  ),
  handle(findUsersInGroup, ({ groupId }, call) =>
    asAdministrator(call, ({ accounts }) =>
      accounts
        .users()
        .filter(({ username }) => accounts.groupsOf(username).includes(nameOf(groupId)))
        .map(showUser),
    ),
  ),
  handle(findAllParentGroups, ({ userId }, call) =>
    asAdministrator(call, ({ accounts }) => accounts.groupsOf(nameOf(userId)).map(idOf)),
  ),
];

const userManagement: readonly MethodHandler[] = [
  handle(createLocalPersonUser, ({ userName, userDetails, password }, call) =>
    asAdministrator(call, ({ accounts }) => {
      if (accounts.has(local(userName), false)) throw faults.alreadyExists(userName);
      const { $type: _type, ...details } = userDetails;
      accounts.set({ username: local(userName), password, details });
      return undefined;
    }),
  ),
  handle(updateLocalPersonUserDetails, ({ userName, userDetails }, call) =>
    asAdministrator(call, (core) => {
      const { $type: _type, ...details } = userDetails;
      core.accounts.set({ ...existing(core, local(userName)), details });
      return undefined;
    }),
  ),
  handle(resetLocalPersonUserPassword, ({ userName, newPassword }, call) =>
    asAdministrator(call, (core) => {
      core.accounts.set({ ...existing(core, local(userName)), password: newPassword });
      return undefined;
    }),
  ),
  handle(deleteLocalPrincipal, ({ principalName: name }, call) =>
    asAdministrator(call, ({ accounts }) => {
      if (!accounts.remove(local(name)) && !accounts.removeGroup(local(name))) throw faults.userNotFound(name);
      return undefined;
    }),
  ),
];

const groupManagement: readonly MethodHandler[] = [
  handle(createLocalGroup, ({ groupName }, call) =>
    asAdministrator(call, ({ accounts }) => {
      if (accounts.has(local(groupName), true)) throw faults.alreadyExists(groupName);
      accounts.addGroup(local(groupName));
      return undefined;
    }),
  ),
  handle(addUsersToLocalGroup, ({ userIds, groupName }, call) =>
    asAdministrator(call, (core) =>
      userIds.map((id) => {
        const user = existing(core, nameOf(id));
        core.accounts.set({
          ...user,
          groups: [...new Set([...core.accounts.groupsOf(user.username), local(groupName)])],
        });
        return true;
      }),
    ),
  ),
  handle(removePrincipalsFromLocalGroup, ({ principalsIds, groupName }, call) =>
    asAdministrator(call, (core) =>
      principalsIds.map((id) => {
        const user = existing(core, nameOf(id));
        core.accounts.set({
          ...user,
          groups: core.accounts.groupsOf(user.username).filter((group) => group !== local(groupName)),
        });
        return true;
      }),
    ),
  ),
];

const showSolution = ({ username, certificate, details }: UserModel) =>
  certificate === undefined
    ? []
    : [{ id: idOf(username), details: { description: details?.description, certificate }, disabled: false }];

const solutionUsers: readonly MethodHandler[] = [
  handle(findSolutionUser, ({ userName }, call) =>
    asAdministrator(call, ({ accounts }) => {
      const user = accounts.user(local(userName));
      return user && showSolution(user)[0];
    }),
  ),
  handle(findSolutionUsers, ({ searchString }, call) =>
    asAdministrator(call, ({ accounts }) =>
      accounts
        .users()
        .filter(({ username }) => principalName(username).includes(searchString.toLowerCase()))
        .flatMap(showSolution),
    ),
  ),
  handle(createLocalSolutionUser, ({ userName, userDetails: { description, certificate } }, call) =>
    asAdministrator(call, ({ accounts, random }) => {
      if (accounts.has(local(userName), false)) throw faults.alreadyExists(userName);
      // Nobody knows the password: login is possible only with the certificate.
      accounts.set({ username: local(userName), password: random.uuid(), certificate, details: { description } });
      return undefined;
    }),
  ),
  handle(updateLocalSolutionUserDetails, ({ userName, userDetails: { description, certificate } }, call) =>
    asAdministrator(call, (core) => {
      const user = existing(core, local(userName));
      if (user.certificate === undefined) throw faults.userNotFound(userName);
      core.accounts.set({ ...user, certificate, details: { description } });
      return undefined;
    }),
  ),
];

/** Users and groups of single sign-on. Login is by a token of the security token service, in the header. */
export const ssoMethods = (tokens: Tokens): readonly MethodHandler[] => [
  handleAnonymous(
    ssoAdminServiceInstance,
    () =>
      ({
        sessionManager: moref('SsoSessionManager', 'ssoSessionManager'),
        ...Object.fromEntries(
          ssoServices.map((name) => [name, moref(`SsoAdmin${name.charAt(0).toUpperCase()}${name.slice(1)}`, name)]),
        ),
      }) as Record<'sessionManager' | (typeof ssoServices)[number], ReturnType<typeof moref>>,
  ),

  handleAnonymous(ssoGroupcheckServiceInstance, () => ({
    sessionManager: moref('SsoSessionManager', 'ssoSessionManager'),
    groupCheckService: moref('SsoGroupcheckService', 'groupCheckService'),
  })),

  handleAnonymous(ssoLogin, (_request, call) => {
    const username = tokens.userIn(call.text());
    const session = username && call.core.sessions.open({ username, kind: 'sso', userAgent: call.userAgent });
    if (!session) throw faults.invalidLogin();
    call.setSession(session.token);
    return undefined;
  }),
  handle(ssoLogout, (_request, { core, client }) => {
    core.sessions.logout(client.session.token);
    return undefined;
  }),
  ...discovery,
  ...solutionUsers,
  ...userManagement,
  ...groupManagement,
];
