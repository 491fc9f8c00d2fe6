import { VdoError } from '@vdo/base/vdo-error';
import type { CallOptions } from '../soap/soap-client.ts';
import {
  addUsersToLocalGroup,
  createLocalGroup,
  createLocalPersonUser,
  deleteLocalPrincipal,
  findAllParentGroups,
  findGroup,
  findGroups,
  findPersonUser,
  findPersonUsers,
  findUsersInGroup,
  removePrincipalsFromLocalGroup,
  resetLocalPersonUserPassword,
  ssoGroupcheckServiceInstance,
  updateLocalPersonUserDetails,
} from '../wire/methods/sso.ts';
import { moref } from '../wire/moref.ts';
import type { Value } from '../wire/schema.ts';
import type { SsoGroup as GroupType, SsoPersonUser, SsoPrincipalId } from '../wire/types/sso.ts';
import { createSolutionUsers } from './solution-users.ts';
import type { PersonUser, SsoAdmin, SsoGroup } from './sso-admin.ts';
import type { SsoSession } from './sso-session.ts';

const limit = 2 ** 31 - 1;
const groupcheck = moref('SsoGroupcheckServiceInstance', 'ServiceInstance');

type Id = Pick<Value<typeof SsoPrincipalId>, 'name' | 'domain'>;

const nameOf = ({ name, domain }: Id): string => `${name}@${domain}`;

const toUser = ({ id, details, disabled, locked }: Value<typeof SsoPersonUser>): PersonUser => {
  const { description, emailAddress, firstName, lastName } = details;
  return { name: nameOf(id), details: { description, emailAddress, firstName, lastName }, disabled, locked };
};

const toGroup = ({ id, details }: Value<typeof GroupType>): SsoGroup => ({
  name: nameOf(id),
  description: details.description,
});

export const createSsoAdmin = (session: SsoSession, localDomain: string): SsoAdmin => {
  const idOf = (principal: string): Id => {
    const at = principal.lastIndexOf('@');
    return at < 0
      ? { name: principal, domain: localDomain }
      : { name: principal.slice(0, at), domain: principal.slice(at + 1) };
  };
  /** Change requests contain account names without their domain. */
  const localName = (principal: string): string => {
    const { name, domain } = idOf(principal);
    if (domain.toLowerCase() === localDomain.toLowerCase()) return name;
    throw new VdoError({
      code: 'InvalidArgument',
      message: `vCenter cannot change ${principal}: it manages only accounts of ${localDomain}`,
      remedy: `Use an account of ${localDomain}, or make the change in the identity source of ${domain}.`,
    });
  };
  const discovery = async (options: CallOptions) => (await session.services(options)).principalDiscoveryService;
  const management = async (options: CallOptions) => (await session.services(options)).principalManagementService;

  const findUser: SsoAdmin['findUser'] = async (name, options = {}) => {
    const found = await session.call(findPersonUser, { _this: await discovery(options), userId: idOf(name) }, options);
    return found && toUser(found);
  };
  const groupNamed: SsoAdmin['findGroup'] = async (name, options = {}) => {
    const found = await session.call(findGroup, { _this: await discovery(options), groupId: idOf(name) }, options);
    return found && toGroup(found);
  };
  const remove = async (name: string, options: CallOptions): Promise<void> => {
    await session.call(deleteLocalPrincipal, { _this: await management(options), principalName: name }, options);
  };

  return {
    ...createSolutionUsers(session, localName),
    findUser,
    findGroup: groupNamed,
    findUsers: async (searchString, options = {}) => {
      const args = { _this: await discovery(options), criteria: { searchString, domain: localDomain }, limit };
      return (await session.call(findPersonUsers, args, options)).map(toUser);
    },
    createUser: async ({ name, password, details = {} }, options = {}) => {
      const userName = localName(name);
      const args = { _this: await management(options), userName, userDetails: details, password };
      await session.call(createLocalPersonUser, args, options);
    },
    updateUser: async (name, userDetails, options = {}) => {
      const userName = localName(name);
      const args = { _this: await management(options), userName, userDetails };
      await session.call(updateLocalPersonUserDetails, args, options);
    },
    resetPassword: async (name, newPassword, options = {}) => {
      const userName = localName(name);
      const args = { _this: await management(options), userName, newPassword };
      await session.call(resetLocalPersonUserPassword, args, options);
    },
    deleteUser: async (name, options = {}) => {
      const userName = localName(name);
      if (!(await findUser(name, options))) return false;
      await remove(userName, options);
      return true;
    },
    findGroups: async (searchString, options = {}) => {
      const args = { _this: await discovery(options), criteria: { searchString, domain: localDomain }, limit };
      return (await session.call(findGroups, args, options)).map(toGroup);
    },
    createGroup: async ({ name, description }, options = {}) => {
      const groupName = localName(name);
      const args = { _this: await management(options), groupName, groupDetails: { description } };
      await session.call(createLocalGroup, args, options);
    },
    deleteGroup: async (name, options = {}) => {
      const groupName = localName(name);
      if (!(await groupNamed(name, options))) return false;
      await remove(groupName, options);
      return true;
    },
    addToGroup: async (group, users, options = {}) => {
      const groupName = localName(group);
      const args = { _this: await management(options), userIds: users.map(idOf), groupName };
      await session.call(addUsersToLocalGroup, args, options);
    },
    removeFromGroup: async (group, users, options = {}) => {
      const groupName = localName(group);
      const args = { _this: await management(options), principalsIds: users.map(idOf), groupName };
      await session.call(removePrincipalsFromLocalGroup, args, options);
    },
    usersInGroup: async (group, options = {}) => {
      const args = { _this: await discovery(options), groupId: idOf(group), searchString: '', limit };
      return (await session.call(findUsersInGroup, args, options)).map(({ id }) => nameOf(id));
    },
    groupsOf: async (user, options = {}) => {
      const { groupCheckService: _this } = await session.call(
        ssoGroupcheckServiceInstance,
        { _this: groupcheck },
        options,
      );
      return (await session.call(findAllParentGroups, { _this, userId: idOf(user) }, options)).map(nameOf);
    },
  };
};
