import { VdoError } from '@vdo/base/vdo-error';

/** vCenter answered, and the answer contradicts an earlier one. */
export const wrong = (message: string): VdoError =>
  new VdoError({
    code: 'VCenterFault',
    message,
    remedy: 'Run it again with --record, and send the report and the record: docs/guides/qualify.md.',
  });
