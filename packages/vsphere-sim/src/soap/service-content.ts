import { type MoRef, moref } from '@vdo/vsphere/wire/moref';
import type { Input, Value } from '@vdo/vsphere/wire/schema';
import type { AboutInfo, ServiceContent } from '@vdo/vsphere/wire/types/service';

export type About = Input<Value<typeof AboutInfo>>;

/** The version information of this vCenter. */
export const aboutInfo = (options: {
  readonly version: string;
  readonly apiVersion: string;
  readonly build: string;
  readonly instanceUuid: string;
}): About => {
  const [major = '8'] = options.version.split('.');
  return {
    name: 'VMware vCenter Server',
    fullName: `VMware vCenter Server ${options.version} build-${options.build}`,
    vendor: 'VMware, Inc.',
    version: options.version,
    build: options.build,
    localeVersion: 'INTL',
    localeBuild: '000',
    osType: 'linux-x64',
    productLineId: 'vpx',
    apiType: 'VirtualCenter',
    apiVersion: options.apiVersion,
    instanceUuid: options.instanceUuid,
    licenseProductName: 'VMware VirtualCenter Server',
    licenseProductVersion: `${major}.0`,
  };
};

/** The managers of every vCenter, with the names of a real one. */
export const managers = {
  serviceInstance: moref('ServiceInstance', 'ServiceInstance'),
  propertyCollector: moref('PropertyCollector', 'propertyCollector'),
  viewManager: moref('ViewManager', 'ViewManager'),
  sessionManager: moref('SessionManager', 'SessionManager'),
  authorizationManager: moref('AuthorizationManager', 'AuthorizationManager'),
  taskManager: moref('TaskManager', 'TaskManager'),
  searchIndex: moref('SearchIndex', 'SearchIndex'),
  userDirectory: moref('UserDirectory', 'UserDirectory'),
  customFieldsManager: moref('CustomFieldsManager', 'CustomFieldsManager'),
  setting: moref('OptionManager', 'VpxSettings'),
  vStorageObjectManager: moref('VcenterVStorageObjectManager', 'VStorageObjectManager'),
} as const;

export const serviceContent = (rootFolder: MoRef, about: About): Input<Value<typeof ServiceContent>> => {
  const { serviceInstance: _itself, ...listed } = managers;
  return { rootFolder, about, ...listed };
};
