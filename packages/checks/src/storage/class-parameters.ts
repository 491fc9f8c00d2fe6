import { parameterKeys } from '@vdo/config/names';
import type { StorageClass } from '@vdo/kube/types/storage';

/** Parameters of the storage driver, in lower case, as it compares them. */
export const knownParameters: readonly string[] = ['storagepolicyname', 'datastoreurl', parameterKeys.fileSystem];

/** Parameters that only the in-tree provider had. */
export const inTreeParameters: readonly string[] = ['diskformat', 'datastore', 'hostfailurestotolerate', 'fstype'];

/** The value of a parameter; the case of its name is ignored. */
export const parameterOf = ({ parameters = {} }: StorageClass, name: string): string | undefined =>
  Object.entries(parameters).find(([key]) => key.toLowerCase() === name)?.[1];
