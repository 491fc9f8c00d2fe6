import { readDriverConfig } from './read-driver-config.ts';

/**
 * The id of the cluster in the configuration of a storage driver, in either format. A file that nobody can read has none:
 * that it is invalid is reported by the program that uses it.
 */
export const configuredClusterId = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  try {
    return readDriverConfig(text, { unknownKeys: 'warn', driver: 'csi' }).config.csi.clusterId;
  } catch {
    return undefined;
  }
};
