import { VdoError } from '@vdo/base/vdo-error';

const tryAgain = 'No action needed: everything is read again and the operation is retried.';

/** What would have to be known cannot be known now. */
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

/** What is known forbids it. */
export const actRefused = (act: string, subject: string, why: string): VdoError =>
  new VdoError({
    code: 'ActRefused',
    message: `will not ${act} ${subject}: ${why}`,
    remedy: 'If the operation is correct, do it manually, or change the object that the message mentions.',
  });
