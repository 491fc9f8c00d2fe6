import type { Clock } from '@vdo/base/clock';
import { createSpan, type Span } from '@vdo/base/traces';
import { toVdoError } from '@vdo/base/vdo-error';
import { around, type Operation } from './around-operations.ts';
import { type OperationSubject, operationSubjectOf } from './operation-subject.ts';
import type { VolumeOperations } from './volumes.ts';

/** An operation that has ended, for a trace backend. */
export interface FinishedSpan {
  readonly traceId: string;
  /** CSI's name of the operation. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly startMs: number;
  readonly endMs: number;
  /** Code of the error; undefined if it succeeded. */
  readonly failure: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface TraceOperationsDeps {
  /** The UID of the claim that a volume was made for; undefined if that is not known. */
  readonly claimUidOf: (subject: OperationSubject) => string | undefined;
  /** Where spans go. Default: nowhere. */
  readonly onSpan?: ((span: FinishedSpan) => void) | undefined;
  readonly clock: Clock;
}

/**
 * The same operations, each as a span in the trace of its claim. The trace needs no bookkeeping: its id is the UID of the claim, which the
 * name of the PersistentVolume and of the VolumeIntent, the events of the claim and the metadata in vCenter carry anyway. The fence takes it to
 * vCenter: every call that changes something has one.
 */
export const traceOperations = (operations: VolumeOperations, deps: TraceOperationsDeps): VolumeOperations => {
  const { claimUidOf, onSpan, clock } = deps;

  const report = async (
    { traceId, shared }: Span,
    { name, attributes }: Pick<FinishedSpan, 'name' | 'attributes'>,
    work: Promise<unknown>,
  ): Promise<void> => {
    const startMs = clock.now();
    const failure = await work.then(
      () => undefined,
      (error: unknown) => toVdoError(error).code,
    );
    const together = shared.size > 0 ? { 'vcenter.operation_ids': [...shared].join(',') } : {};
    onSpan?.({ traceId, name, startMs, endMs: clock.now(), failure, attributes: { ...attributes, ...together } });
  };

  const trace =
    (name: string, operation: Operation): Operation =>
    (asked, context) => {
      const subject = operationSubjectOf(asked);
      const uid = claimUidOf(subject);
      if (uid === undefined) return operation(asked, context);
      const span = createSpan(uid);
      const fence = { assertHeld: () => context.fence.assertHeld(), operationId: span.operationId };
      const work = operation(asked, { ...context, span, fence });
      if (onSpan) void report(span, { name, attributes: { ...subject } }, work);
      return work;
    };

  return around(operations, trace);
};
