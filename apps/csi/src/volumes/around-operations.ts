import { type Clock, sleep } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import type { CallContext } from './call-context.ts';
import { operationSubjectOf } from './operation-subject.ts';
import type { VolumeOperations } from './volumes.ts';

export type Operation = (asked: unknown, context: CallContext) => Promise<unknown>;

/** The name in CSI: CreateVolume for `createVolume`. */
const methodOf = (key: string): string => `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`;

/** Wraps each operation, including operations that are added later. */
export const around = (
  operations: VolumeOperations,
  wrap: (method: string, operation: Operation) => Operation,
): VolumeOperations => {
  const entries = Object.entries(operations) as [string, Operation][];
  return Object.fromEntries(
    entries.map(([key, operation]) => [key, wrap(methodOf(key), operation)]),
  ) as unknown as VolumeOperations;
};

const tooLong = (method: string, minutes: number): VdoError =>
  new VdoError({
    code: 'DeadlineExceeded',
    message: `${method} has not ended after ${minutes} minutes; vCenter is still working on it`,
    remedy:
      'The driver keeps waiting for it. Check vCenter (Monitor, Tasks) for a task that hangs, and cancel it there.',
  });

/**
 * For callers within the program, which would otherwise wait forever: a task that never ends must not block a worker. The operation
 * continues; the next call for it joins it.
 */
export const withDeadlines = (
  operations: VolumeOperations,
  { clock, maxMs = 600_000 }: { readonly clock: Clock; readonly maxMs?: number },
): VolumeOperations =>
  around(operations, (method, operation) => async (asked, context) => {
    const over = new AbortController();
    const deadline = sleep(clock, maxMs, { signal: over.signal }).then(() => {
      throw tooLong(method, maxMs / 60_000);
    });
    deadline.catch(() => {});
    const work = operation(asked, context);
    work.catch(() => {});
    return Promise.race([work, deadline]).finally(() => over.abort());
  });

const traceOf = ({ span }: CallContext) => (span ? { trace: span.traceId } : {});

/** Called once at the end of every operation. */
interface Observer {
  observe<T>(method: string, fields: Readonly<Record<string, unknown>>, run: () => Promise<T>): Promise<T>;
}

/** For callers within the program: counts their operations like those that come over the socket. */
export const measured = (operations: VolumeOperations, observer: Observer): VolumeOperations =>
  around(
    operations,
    (method, operation) => (asked, context) =>
      observer.observe(method, { ...traceOf(context), ...operationSubjectOf(asked) }, () => operation(asked, context)),
  );
