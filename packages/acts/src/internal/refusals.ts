import { VdoError } from '@vdo/base/vdo-error';

const tryAgain = 'Nothing to do: it is tried again with a new look at everything.';

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
    remedy: 'If it is right nevertheless, do it by hand, or change what the message names.',
  });
