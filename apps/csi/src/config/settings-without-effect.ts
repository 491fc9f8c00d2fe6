import { type CsiConfig, defaultCsiConfig } from '@vdo/config/driver-config';
import type { Problem } from '@vdo/config/problems';

/** Settings that files of the Go driver carry and that mean nothing here, with what takes their place. */
const withoutEffect = {
  queryLimit: ['query-limit', 'volumes are asked for in pages of a fixed size'],
  listVolumeThreshold: ['list-volume-threshold', 'volumes are listed however many differ'],
  authCheckIntervalMinutes: ['csi-auth-check-intervalinmin', 'privileges are looked at when a volume is placed'],
  preferredDatastoresIntervalMinutes: [
    'csi-fetch-preferred-datastores-intervalinmin',
    'no datastore is preferred by a tag: name a storage policy in the StorageClass',
  ],
  operationCleanupIntervalMinutes: [
    'cnsvolumeoperationrequest-cleanup-intervalinmin',
    'notes of operations go when these have ended',
  ],
  migrationCleanupIntervalMinutes: [
    'volumemigration-cr-cleanup-intervalinmin',
    'notes of migrated disks go with their volumes',
  ],
} as const satisfies Partial<Record<keyof CsiConfig, readonly [key: string, instead: string]>>;

/** A warning for each setting that somebody has changed in vain. */
export const settingsWithoutEffect = (csi: CsiConfig): readonly Problem[] =>
  (Object.keys(withoutEffect) as (keyof typeof withoutEffect)[])
    .filter((name) => csi[name] !== defaultCsiConfig[name])
    .map((name) => {
      const [key, instead] = withoutEffect[name];
      const message = `has no effect: ${instead}`;
      return { severity: 'warning', field: `${name} (${key})`, message, remedy: 'Remove it.' };
    });
