import { type CheckObject, unknown, type Verdict } from './check.ts';
import type { Reading } from './facts/reading.ts';

/** Why a reading cannot be judged: its own error, or what it depends on. */
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

/** The resource as a whole, for what has no object of its own. */
export const driversObject: CheckObject = { kind: 'VSphereDrivers', name: 'cluster' };

/** At most some names, and how many more. */
export const few = (names: readonly string[], count = 5): string =>
  names.length > count ? `${names.slice(0, count).join(', ')} and ${names.length - count} more` : names.join(', ');
