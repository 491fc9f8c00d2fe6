import { VdoError } from '@vdo/base/vdo-error';

const tryAgain = 'No action needed: everything is read again and the operation is retried.';

/** The required evidence is not available now. */
export const evidenceMissing = (
  message: string,
  options: { readonly remedy?: string; readonly cause?: unknown } = {},
): VdoError =>
  new VdoError({
    code: 'EvidenceMissing',
    message,
    remedy: options.remedy ?? tryAgain,
    ...(options.cause === undefined ? {} : { cause: options.cause }),
  });

/** The evidence forbids the act. */
export const actRefused = (act: string, subject: string, why: string): VdoError =>
  new VdoError({
    code: 'ActRefused',
    message: `will not ${act} ${subject}: ${why}`,
    remedy: 'If the operation is correct, do it manually, or change the object that the message mentions.',
  });
