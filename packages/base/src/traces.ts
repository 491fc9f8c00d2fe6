/** One operation within a trace. */
export interface Span {
  /** A UUID: that of the object for which everything in the trace is done. */
  readonly traceId: string;
  /** The ID that is sent with calls to other servers, which write it to their logs. */
  readonly operationId: string;
  /** The IDs of calls that served this span together with others. */
  readonly shared: Set<string>;
}

export const createSpan = (traceId: string): Span => ({ traceId, operationId: `vdo-${traceId}`, shared: new Set() });

/** The ID of a call for several spans: that of the first, with the number of the others. Each span records it. */
export const sharedOperationId = (spans: readonly Span[]): string | undefined => {
  const [first, ...others] = spans;
  if (!first || others.length === 0) return first?.operationId;
  const operationId = `${first.operationId}+${others.length}`;
  for (const { shared } of spans) shared.add(operationId);
  return operationId;
};
