import { privilegeList } from '../access/privileges.ts';
import { adminRoleId } from '../access/roles.ts';
import type { Core } from '../core.ts';
import { managers, serviceContent } from './service-content.ts';

/** Writes the roles to the object where clients read them. */
export const showRoles = ({ store, roles }: Pick<Core, 'store' | 'roles'>): void =>
  store.update(managers.authorizationManager, {
    roleList: roles.list().map(({ id, name, system, privileges }) => ({
      roleId: id,
      system,
      name,
      info: { label: name, summary: name },
      privilege: id === adminRoleId ? privilegeList.map(({ privId }) => privId) : [...privileges],
    })),
  });

/** Writes the managers to the store: their properties are read like those of any object. */
export const putManagers = (core: Core): void => {
  const { store, rootFolder, about, clock } = core;
  store.put(managers.serviceInstance, {
    serverClock: new Date(clock.now()),
    content: serviceContent(rootFolder, about),
  });
  store.put(managers.sessionManager, {
    messageLocaleList: ['en'],
    supportedLocaleList: ['en'],
    defaultLocale: 'en',
  });
  store.put(managers.propertyCollector, { filter: [] });
  store.put(managers.viewManager, { viewList: [] });
  store.put(managers.taskManager, { recentTask: [], maxCollector: 32 });
  store.put(managers.searchIndex, {});
  store.put(managers.userDirectory, { domainList: ['vsphere.local'] });
  store.put(managers.customFieldsManager, { field: [] });
  store.put(managers.setting, {});
  store.put(managers.vStorageObjectManager, {});
  store.put(managers.authorizationManager, { privilegeList, description: {} });
  showRoles(core);
};
