import { isVdoError } from '@vdo/base/vdo-error';

/** True if vCenter said that an object does not exist. It says the same of what the user may not see. */
export const isMissingObject = (error: unknown): boolean => isVdoError(error, 'VCenterObjectNotFound');
