import { every } from '@vdo/base/async/every';
import { type Clock, deadline } from '@vdo/base/clock';
import { type HttpTransport, readBody } from '@vdo/base/http';
import { createHttpClient } from '@vdo/base/http-client';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';
import type { FinishedSpan } from '../volumes/trace-operations.ts';

export interface SpanExporterDeps {
  /** The variables that the OpenTelemetry specification defines; no endpoint: nothing is exported. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Default: over the network. */
  readonly connect?: (origin: string) => HttpTransport;
}

export interface SpanExporter {
  readonly add: (span: FinishedSpan) => void;
  /** Sends what has been added, every few seconds and once more at the end. */
  run(signal: AbortSignal): Promise<void>;
}

const limits = { kept: 2_000, perRequest: 500, periodMs: 5_000, timeoutMs: 10_000 } as const;

const badEndpoint = (variable: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `${variable} is not a URL with http or https, so that no spans are sent`,
    remedy: `Set ${variable} to the address of an OpenTelemetry collector that accepts OTLP over HTTP, such as http://collector.monitoring:4318, or remove it.`,
  });

interface Target {
  readonly origin: string;
  readonly path: string;
}

/** Where traces are posted, by the variables of the OpenTelemetry specification. */
const readTarget = (env: SpanExporterDeps['env']): Target | VdoError | undefined => {
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  const value = own || env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (!value) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return badEndpoint(own ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT');
  const path = own ? `${url.pathname}${url.search}` : `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return { origin: url.origin, path };
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** `key=value,key=value`, percent-encoded. */
const readHeaders = (text = ''): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const at = pair.indexOf('=');
      return at < 1 ? [] : [[pair.slice(0, at).trim().toLowerCase(), decoded(pair.slice(at + 1).trim())]];
    }),
  );

const attribute = (key: string, value: string) => ({ key, value: { stringValue: value } });
const nanoseconds = (ms: number): string => `${BigInt(Math.round(ms)) * 1_000_000n}`;

/** OTLP's own numbers. */
const internalSpan = 1;
const statusCodes = { ok: 1, error: 2 } as const;

const toOtlp = (span: FinishedSpan, spanId: string) => ({
  // A UUID is as long as the id of a trace: whoever has the claim finds the trace.
  traceId: span.traceId.replaceAll('-', ''),
  spanId,
  name: span.name,
  kind: internalSpan,
  startTimeUnixNano: nanoseconds(span.startMs),
  endTimeUnixNano: nanoseconds(span.endMs),
  attributes: Object.entries(span.attributes).map(([key, value]) => attribute(key, value)),
  status: span.failure === undefined ? { code: statusCodes.ok } : { code: statusCodes.error, message: span.failure },
});

/** Sends spans to an OpenTelemetry collector as OTLP in JSON; undefined if no endpoint is set. Volumes never wait for it. */
export const createSpanExporter = (deps: SpanExporterDeps): SpanExporter | undefined => {
  const { env, version, clock, random, logger, metrics } = deps;
  const target = readTarget(env);
  if (target instanceof VdoError) logger.warn('no spans are sent', { error: target });
  if (!target || target instanceof VdoError) return undefined;
  const client = deps.connect ? undefined : createHttpClient({ origin: target.origin });
  const transport = deps.connect?.(target.origin) ?? client?.transport;
  const headers = { ...readHeaders(env['OTEL_EXPORTER_OTLP_HEADERS']), 'content-type': 'application/json' };
  const lost = metrics.counter({
    name: 'vdo_trace_spans_lost_total',
    help: 'Spans that did not reach the OpenTelemetry collector.',
  });
  const resource = {
    attributes: [
      attribute('service.name', env['OTEL_SERVICE_NAME'] || names.csiController),
      attribute('service.version', version),
    ],
  };
  let waiting: FinishedSpan[] = [];
  let isFailing = false;

  const post = async (spans: readonly FinishedSpan[]): Promise<void> => {
    const scope = { name: 'vsphere-csi', version };
    const encoded = spans.map((span) => toOtlp(span, random.uuid().replaceAll('-', '').slice(0, 16)));
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: encoded }] }] });
    const limit = deadline(clock, limits.timeoutMs, { reason: () => new Error('no answer in time') });
    try {
      const reply = await transport?.({ method: 'POST', path: target.path, headers, body, signal: limit.signal });
      if (reply) await readBody(reply.body, 64 * 1024);
      if (!reply || reply.status >= 300) throw new Error(`it answered ${reply?.status}`);
    } finally {
      limit.dispose();
    }
  };

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const spans = waiting.splice(0, limits.perRequest);
      try {
        await post(spans);
        isFailing = false;
      } catch (error) {
        lost.add({}, spans.length);
        // Once, not every five seconds: the counter tells the rest.
        if (!isFailing)
          logger.warn('spans cannot be sent to the OpenTelemetry collector', { origin: target.origin, error });
        isFailing = true;
        return;
      }
    }
  };

  return {
    add: (span) => {
      waiting.push(span);
      if (waiting.length <= limits.kept) return;
      lost.add({}, waiting.length - limits.kept);
      waiting = waiting.slice(-limits.kept);
    },
    run: async (signal) => {
      await every(flush, { clock, periodMs: limits.periodMs }, signal);
      await flush();
      await client?.close();
    },
  };
};
