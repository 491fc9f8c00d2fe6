import { pino } from 'pino';
import { shortened } from './cut-text.ts';
import { redactText, redactValue } from './redact.ts';
import { VdoError } from './vdo-error.ts';

export type LogFields = Readonly<Record<string, unknown>>;

/** A constant message plus fields. Either log or throw, never both; logging is done in the loop or in the RPC wrapper. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger that adds `fields` to every line. */
  child(fields: LogFields): Logger;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LoggerOptions {
  readonly name: string;
  /** Default `info`. */
  readonly level?: LogLevel;
  /** Where lines go; each is one JSON object and a newline. */
  readonly write: (line: string) => void;
}

/** Names and messages from outside end up in the log: none of them may fill it or take long to process. */
const longestText = 16_384;
const text = (input: string): string => redactText(shortened(input, longestText));

const errorFields = (error: unknown): unknown => {
  if (error instanceof VdoError) {
    const cause = error.cause instanceof Error ? error.cause.message : error.cause;
    return {
      code: error.code,
      message: text(error.message),
      remedy: error.remedy,
      ...redactFields(error.details),
      ...(cause === undefined ? {} : { cause: redactValue(cause, { text }) }),
    };
  }
  return error instanceof Error
    ? { message: text(error.message), stack: text(error.stack ?? '') }
    : redactValue(error, { text });
};

const redactFields = (fields: LogFields): LogFields =>
  Object.fromEntries(
    Object.entries(redactValue(fields, { text }) as LogFields).map(([key, value]) => [
      key,
      value instanceof Error ? errorFields(value) : value,
    ]),
  );

/** Structured JSON logs, secrets hidden before a line is written. */
export const createLogger = (options: LoggerOptions): Logger => {
  const sink = { write: options.write };
  const base = pino(
    {
      name: options.name,
      level: options.level ?? 'info',
      base: { app: options.name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    sink,
  );
  const wrap = (target: typeof base): Logger => ({
    debug: (message, fields = {}) => target.debug(redactFields(fields), message),
    info: (message, fields = {}) => target.info(redactFields(fields), message),
    warn: (message, fields = {}) => target.warn(redactFields(fields), message),
    error: (message, fields = {}) => target.error(redactFields(fields), message),
    child: (fields) => wrap(target.child(redactFields(fields))),
  });
  return wrap(base);
};

/** Discards everything: for tests that do not read logs. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLogger,
};
