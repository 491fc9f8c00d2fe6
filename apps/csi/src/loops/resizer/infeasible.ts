import { type ErrorCode, type ErrorFamily, errorCodes } from '@vdo/base/error-codes';
import type { VdoError } from '@vdo/base/vdo-error';

/** The request itself is wrong. */
const mistaken: readonly ErrorFamily[] = ['usage', 'invalid'];
/** It requests more than is possible, or a volume that does not exist. */
const unattainable: readonly ErrorFamily[] = ['range', 'missing'];

/** Caused by other objects or by a temporary state: another request would not help. */
const notOfTheWish: readonly ErrorCode[] = ['KubeNotFound', 'KubeInvalid', 'NodeDiskNotFound', 'ListTokenInvalid'];

const isOf = (families: readonly ErrorFamily[], code: ErrorCode): boolean =>
  errorCodes[code].effect === 'none' && families.includes(errorCodes[code].family) && !notOfTheWish.includes(code);

/** True if the request itself is wrong, so that the user must change it. */
export const isMistaken = ({ code }: VdoError): boolean => isOf(mistaken, code);

/** True if the request cannot be fulfilled, so that the user must change it. */
export const isInfeasible = ({ code }: VdoError): boolean => isOf([...mistaken, ...unattainable], code);
