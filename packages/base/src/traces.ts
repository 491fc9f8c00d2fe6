import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogFields, Logger } from './logger.ts';

/** One operation within a trace. */
export interface Span {
  /** A UUID: that of the object which everything in the trace is done for. */
  readonly traceId: string;
  /** The id under which other servers are asked, and which they write to their logs. */
  readonly operationId: string;
  /** The ids of calls that served this span together with others. */
  readonly shared: Set<string>;
}

/** Knows on behalf of which span code runs, without every function between passing it on. */
export interface Traces {
  current(): Span | undefined;
  /** Everything that `run` starts belongs to the span. */
  within<T>(span: Span, run: () => T): T;
}

export const createTraces = (): Traces => {
  const storage = new AsyncLocalStorage<Span>();
  return { current: () => storage.getStore(), within: (span, run) => storage.run(span, run) };
};

export const createSpan = (traceId: string): Span => ({ traceId, operationId: `vdo-${traceId}`, shared: new Set() });

/** The span of a call that serves several: its id is that of the first with the number of the others, and each of them remembers it. */
export const joinSpans = (spans: readonly Span[]): Span | undefined => {
  const [first, ...others] = spans;
  if (!first || others.length === 0) return first;
  const operationId = `${first.operationId}+${others.length}`;
  for (const { shared } of spans) shared.add(operationId);
  return { ...first, operationId };
};

/** The same logger; lines that are written on behalf of a span carry the id of its trace. */
export const tracedLogger = (logger: Logger, traces: Traces): Logger => {
  const wrap = (target: Logger): Logger => {
    const traced = (fields: LogFields = {}): LogFields => {
      const span = traces.current();
      return span ? { trace: span.traceId, ...fields } : fields;
    };
    return {
      debug: (message, fields) => target.debug(message, traced(fields)),
      info: (message, fields) => target.info(message, traced(fields)),
      warn: (message, fields) => target.warn(message, traced(fields)),
      error: (message, fields) => target.error(message, traced(fields)),
      child: (fields) => wrap(target.child(fields)),
    };
  };
  return wrap(logger);
};

/** Runs a call that serves all of these jobs. */
export const withinAll = <T>(traces: Traces, jobs: readonly { readonly span: Span | undefined }[], run: () => T): T => {
  const span = joinSpans(jobs.flatMap((job) => job.span ?? []));
  return span ? traces.within(span, run) : run();
};
