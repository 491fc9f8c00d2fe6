import type { Core } from '../core.ts';
import { managers, serviceContent } from './service-content.ts';

/** Puts the managers into the store: their properties are read like those of any object. */
export const putManagers = ({ store, rootFolder, about, clock }: Core): void => {
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
};
