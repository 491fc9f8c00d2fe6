import { type CheckObject, unknown, type Verdict } from './check.ts';
import type { Reading } from './facts/reading.ts';

/** Why a reading cannot be judged: its own error, or the failure that it depends on. */
export const notRead = (
  object: CheckObject,
  reading: Reading<unknown> | undefined,
  what: string,
  because: string,
): Verdict => {
  if (!reading || !('error' in reading)) return unknown(object, `${what} could not be read`, because);
  const { code: reason, message, remedy } = reading.error;
  return { result: 'Unknown', reason, message, remedy, object };
};

/** The resource as a whole, for verdicts without an object of their own. */
export const driversObject: CheckObject = { kind: 'VSphereDrivers', name: 'cluster' };

/** The first names, and how many more there are. */
export const few = (names: readonly string[], count = 5): string =>
  names.length > count ? `${names.slice(0, count).join(', ')} and ${names.length - count} more` : names.join(', ');
