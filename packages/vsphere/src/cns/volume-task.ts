import { VdoError } from '@vdo/base/vdo-error';
import type { FinishedTask } from '../tasks/pending-tasks.ts';
import type { Value } from '../wire/schema.ts';
import { CnsVolumeOperationBatchResult, type CnsVolumeOperationResult } from '../wire/types/cns-results.ts';
import { wireTypes } from '../wire/wire-types.ts';

/** The result CNS reports for each volume of a finished task. */
export const volumeResults = (
  info: FinishedTask,
  context: { readonly server: string; readonly call: string },
): readonly Value<typeof CnsVolumeOperationResult>[] => {
  const { result } = info;
  if (wireTypes.is(result, CnsVolumeOperationBatchResult) && result.volumeResults.length > 0)
    return result.volumeResults;
  throw new VdoError({
    code: 'VCenterReplyMalformed',
    message: `vCenter ${context.server} finished ${context.call} (task ${info.task.value}) without a result`,
    remedy:
      'The driver looks it up again automatically. If this persists, report it together with the vCenter version.',
  });
};
