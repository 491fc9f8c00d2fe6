import { type CsiConfig, defaultCsiConfig } from '@vdo/config/driver-config';
import type { Problem } from '@vdo/config/problems';

/** Settings of the Go driver's files that have no effect here, with the reason or replacement. */
const withoutEffect = {
  queryLimit: ['query-limit', 'volumes are read in pages of a fixed size'],
  listVolumeThreshold: ['list-volume-threshold', 'volumes are always listed'],
  authCheckIntervalMinutes: ['csi-auth-check-intervalinmin', 'privileges are checked when a volume is created'],
  operationCleanupIntervalMinutes: [
    'cnsvolumeoperationrequest-cleanup-intervalinmin',
    'the record of an operation is deleted when the operation ends',
  ],
  migrationCleanupIntervalMinutes: [
    'volumemigration-cr-cleanup-intervalinmin',
    'the record of a migrated disk is deleted with its volume',
  ],
} as const satisfies Partial<Record<keyof CsiConfig, readonly [key: string, instead: string]>>;

/** A warning for each of these settings that the file sets. */
export const settingsWithoutEffect = (csi: CsiConfig): readonly Problem[] =>
  (Object.keys(withoutEffect) as (keyof typeof withoutEffect)[])
    .filter((name) => csi[name] !== defaultCsiConfig[name])
    .map((name) => {
      const [key, instead] = withoutEffect[name];
      const message = `has no effect: ${instead}`;
      return { severity: 'warning', field: `${name} (${key})`, message, remedy: 'Remove it.' };
    });
