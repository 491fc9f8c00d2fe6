import { toVdoError, type VdoError } from '@vdo/base/vdo-error';

/** What was read, or why it could not be read. An absent reading was not attempted. */
export type Reading<T> = { readonly value: T } | { readonly error: VdoError };

/** Reads something; throws only if the signal is aborted. */
export const attempt = async <T>(read: () => Promise<T>, signal?: AbortSignal): Promise<Reading<T>> => {
  try {
    return { value: await read() };
  } catch (error) {
    signal?.throwIfAborted();
    return { error: toVdoError(error) };
  }
};

/** The value, if it could be read. */
export const valueIn = <T>(reading: Reading<T> | undefined): T | undefined =>
  reading && 'value' in reading ? reading.value : undefined;
