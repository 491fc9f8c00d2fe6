import { isVdoError } from '@vdo/base/vdo-error';

/** True if vCenter reported that an object does not exist. It reports the same for objects that the user may not read. */
export const isMissingObject = (error: unknown): boolean => isVdoError(error, 'VCenterObjectNotFound');
