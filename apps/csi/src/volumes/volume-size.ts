import { VdoError } from '@vdo/base/vdo-error';

const mebibyte = 1024n * 1024n;
const defaultBytes = 10n * 1024n * mebibyte;
/** The maximum size of a virtual disk in vSphere. */
const maxBytes = 62n * 1024n * 1024n * mebibyte;

/** Bytes; 0 means not specified, as in CSI. */
export interface SizeRange {
  readonly requiredBytes: bigint;
  readonly limitBytes: bigint;
}

const invalid = (message: string, remedy: string): VdoError =>
  new VdoError({ code: 'VolumeSizeInvalid', message, remedy });

/** The size of a new volume in MiB: the required size, rounded up; 10 GiB if none is required. */
export const chooseSizeMb = (range: SizeRange | undefined): bigint => {
  const { requiredBytes, limitBytes } = range ?? { requiredBytes: 0n, limitBytes: 0n };
  if (requiredBytes < 0n || limitBytes < 0n)
    throw invalid(
      `the size range ${requiredBytes} to ${limitBytes} bytes is negative`,
      'Request a size of at least 1 byte.',
    );
  if (limitBytes > 0n && limitBytes < requiredBytes)
    throw invalid(
      `the size limit of ${limitBytes} bytes is below the required ${requiredBytes} bytes`,
      'Raise the limit or lower the request of the claim.',
    );
  const wanted =
    requiredBytes > 0n ? requiredBytes : limitBytes > 0n && limitBytes < defaultBytes ? limitBytes : defaultBytes;
  if (wanted > maxBytes)
    throw invalid(
      `${wanted} bytes were requested, but a virtual disk has at most ${maxBytes} bytes (62 TiB)`,
      'Request at most 62Ti.',
    );
  // A limit without a requirement is rounded down, a requirement is rounded up.
  const sizeMb = requiredBytes > 0n ? (wanted + mebibyte - 1n) / mebibyte : wanted / mebibyte;
  if (sizeMb === 0n || (limitBytes > 0n && sizeMb * mebibyte > limitBytes))
    throw invalid(
      `no whole number of MiB lies between ${requiredBytes} and ${limitBytes} bytes`,
      'Set the limit of the claim to at least the request rounded up to MiB.',
    );
  return sizeMb;
};

/** True if a volume of `sizeMb` MiB is an acceptable answer to a request for `range`. */
export const sizeSatisfies = (sizeMb: bigint, range: SizeRange | undefined): boolean => {
  const bytes = sizeMb * mebibyte;
  if (range === undefined) return true;
  return bytes >= range.requiredBytes && (range.limitBytes === 0n || bytes <= range.limitBytes);
};

export const mbToBytes = (sizeMb: bigint): bigint => sizeMb * mebibyte;
