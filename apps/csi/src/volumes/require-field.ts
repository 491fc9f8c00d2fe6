import { VdoError } from '@vdo/base/vdo-error';

/** CSI's limit for strings in requests. */
const maxBytes = 128;

export const missingField = (field: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `the request has no ${field}`,
    remedy: `Set ${field}; CSI requires it.`,
  });

/** The value, or InvalidArgument if it is empty or longer than CSI allows. */
export const requireField = (field: string, value: string, options: { readonly maxBytes?: number } = {}): string => {
  if (value === '') throw missingField(field);
  const limit = options.maxBytes ?? maxBytes;
  const bytes = Buffer.byteLength(value);
  if (bytes > limit)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `${field} has ${bytes} bytes, CSI allows ${limit}`,
      remedy: `Shorten ${field}.`,
    });
  return value;
};

/** Handles of the in-tree provider are paths, and paths are longer than ids. */
export const requireVolumeId = (field: string, value: string): string =>
  requireField(field, value, value.startsWith('[') ? { maxBytes: 1024 } : {});
