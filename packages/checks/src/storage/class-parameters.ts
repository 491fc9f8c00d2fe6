import { parameterKeys } from '@vdo/config/names';
import type { StorageClass } from '@vdo/kube/types/storage';

/** Parameters of the storage driver, lower case, as it compares them. */
export const knownParameters: readonly string[] = ['storagepolicyname', 'datastoreurl', parameterKeys.fileSystem];

/** Those that only volumes of the former in-tree provider had. */
export const inTreeParameters: readonly string[] = ['diskformat', 'datastore', 'hostfailurestotolerate', 'fstype'];

/** The value of a parameter, whose name is compared without case. */
export const parameterOf = ({ parameters = {} }: StorageClass, name: string): string | undefined =>
  Object.entries(parameters).find(([key]) => key.toLowerCase() === name)?.[1];
