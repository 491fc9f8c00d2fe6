import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import type { Core } from '../core.ts';
import { faults } from '../sim-fault.ts';
import { isManagedType } from '../state/type-hierarchy.ts';
import type { Principal } from './permissions.ts';

/** Throws NoPermission unless the principal holds the privilege on the object; managers stand for the root folder. Recorded. */
export const authorize = (core: Core, principal: Principal, privilege: string, object: MoRef): void => {
  const entity = isManagedType(object.type, 'ManagedEntity') ? object : core.rootFolder;
  // Every logged-in user has these on the managers, independent of its permissions.
  const free = entity !== object && privilege.startsWith('System.');
  const granted = free || core.permissions.allows(principal, privilege, entity);
  core.recorder.privilege({ user: principal.user, privilege, object: morefKey(entity), granted });
  if (!granted) throw faults.noPermission(entity, privilege);
};
