import type { Logger } from '@vdo/base/logger';
import { z } from 'zod';
import type { CallOptions, KubeClient } from '../client.ts';
import { configMaps } from '../types/core.ts';
import { managedByLabel } from '../types/well-known.ts';
import type { ObjectRef } from './object-ref.ts';

/** The applied objects with their UIDs: only these may be deleted. Kept in a ConfigMap. */
export interface Inventory {
  /** Undefined if it is missing or unreadable, which is not the same as empty. */
  read(options: CallOptions): Promise<readonly ObjectRef[] | undefined>;
  /** Overwrites what was read or written here last: KubeConflict if somebody has written since. */
  write(refs: readonly ObjectRef[], options: CallOptions): Promise<void>;
  delete(options: CallOptions): Promise<void>;
}

export interface InventoryOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  readonly fieldManager: string;
  readonly logger: Logger;
}

const field = 'objects';
const schema = z.array(
  z.object({
    apiVersion: z.string(),
    kind: z.string(),
    namespace: z.string().exactOptional(),
    name: z.string(),
    uid: z.string().exactOptional(),
  }),
);

export const createInventory = ({ client, namespace, name, fieldManager, logger }: InventoryOptions): Inventory => {
  const key = { namespace, name };
  let resourceVersion: string | undefined;

  const parse = (text: string): readonly ObjectRef[] | undefined => {
    try {
      return schema.parse(JSON.parse(text));
    } catch (error) {
      logger.warn('the inventory of applied objects cannot be read and is created again', {
        configMap: `${namespace}/${name}`,
        error,
      });
      return undefined;
    }
  };

  return {
    read: async (options) => {
      const found = await client.find(configMaps, key, options);
      resourceVersion = found?.metadata.resourceVersion;
      const text = found?.data?.[field];
      return text === undefined ? undefined : parse(text);
    },
    write: async (refs, options) => {
      const object = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { ...key, ...(resourceVersion && { resourceVersion }), labels: { [managedByLabel]: fieldManager } },
        data: { [field]: JSON.stringify(refs, null, 1) },
      };
      const written = await client.apply(configMaps, object, { ...options, fieldManager, force: true });
      resourceVersion = written.metadata.resourceVersion;
    },
    delete: async (options) => {
      await client.delete(configMaps, key, options);
    },
  };
};
