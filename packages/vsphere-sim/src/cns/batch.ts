import { type Input, make, type Value } from '@vdo/vsphere/wire/schema';
import { CnsVolumeOperationBatchResult, CnsVolumeOperationResult } from '@vdo/vsphere/wire/types/cns-results';
import { faults, SimFault } from '../sim-fault.ts';

interface Failure {
  readonly volumeId: { readonly id: string };
  readonly fault: { readonly fault: SimFault['fault']; readonly localizedMessage: string };
}

/** Carries out one volume's part of a batch. Its fault is returned in its own result, with the result type of the batch. */
export const attempt = <R extends { readonly $type: string }>(
  id: string,
  run: () => R,
  failed: (failure: Failure) => R,
): R => {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof SimFault)) throw error;
    return failed({ volumeId: { id }, fault: { fault: error.fault, localizedMessage: error.message } });
  }
};

/** The same for operations that return only success or failure. */
export const attemptPlain = (id: string, run: () => void) =>
  attempt(
    id,
    () => {
      run();
      return make(CnsVolumeOperationResult, { volumeId: { id } });
    },
    (failure) => make(CnsVolumeOperationResult, failure),
  );

export const batchResult = (volumeResults: readonly Input<Value<typeof CnsVolumeOperationResult>>[]) =>
  make(CnsVolumeOperationBatchResult, { volumeResults });

/** A real vCenter accepts only one specification per call to create, delete and extend volumes. */
export const only = <T>(specs: readonly T[]): T => {
  const [first] = specs;
  if (first === undefined || specs.length > 1) throw faults.invalidArgument('InputSpec');
  return first;
};

/** The other calls accept lists, but not empty ones. */
export const some = <T>(specs: readonly T[], name: string): readonly T[] => {
  if (specs.length === 0) throw faults.invalidArgument(name);
  return specs;
};
