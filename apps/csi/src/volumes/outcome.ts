import type { ErrorCode } from '@vdo/base/error-codes';
import { toVdoError } from '@vdo/base/vdo-error';

// After these the request may have reached vCenter and may still take effect.
const unknown: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'Internal',
  'Cancelled',
  'DeadlineExceeded',
  'LeaseLost',
  'VCenterUnreachable',
  'VCenterReplyMalformed',
  'VCenterReplyTooLarge',
  'VCenterSessionLost',
  // Made, but hidden from us: a privilege is missing.
  'VolumeNotFound',
]);

/** True if the failure does not tell whether vCenter did what it was asked for. */
export const outcomeUnknown = (error: unknown): boolean => unknown.has(toVdoError(error).code);
