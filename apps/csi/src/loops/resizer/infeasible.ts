import { type ErrorCode, type ErrorFamily, errorCodes } from '@vdo/base/error-codes';
import type { VdoError } from '@vdo/base/vdo-error';

/** What is wrong is the wish itself. */
const mistaken: readonly ErrorFamily[] = ['usage', 'invalid'];
/** It asks for more than there can be, or for a volume that is not there. */
const unattainable: readonly ErrorFamily[] = ['range', 'missing'];

/** About objects of ours, or about the moment: another wish would not help. */
const notOfTheWish: readonly ErrorCode[] = ['KubeNotFound', 'KubeInvalid', 'NodeDiskNotFound', 'ListTokenInvalid'];

const isOf = (families: readonly ErrorFamily[], code: ErrorCode): boolean =>
  errorCodes[code].effect === 'none' && families.includes(errorCodes[code].family) && !notOfTheWish.includes(code);

/** True if the wish itself is mistaken, so that another one must come. */
export const isMistaken = ({ code }: VdoError): boolean => isOf(mistaken, code);

/** True if what was asked for cannot be done, so that another wish must come. */
export const isInfeasible = ({ code }: VdoError): boolean => isOf([...mistaken, ...unattainable], code);
