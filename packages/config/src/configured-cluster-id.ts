import { readDriverConfig } from './read-driver-config.ts';

/**
 * The cluster ID in the configuration of a storage driver, in either format. An unreadable file has none:
 * the program that uses it reports that it is invalid.
 */
export const configuredClusterId = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  try {
    return readDriverConfig(text, { unknownKeys: 'warn', driver: 'csi' }).config.csi.clusterId;
  } catch {
    return undefined;
  }
};
