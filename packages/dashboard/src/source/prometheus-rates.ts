import { type Clock, deadline } from '@vdo/base/clock';
import { readBody } from '@vdo/base/http';
import { createHttpClient } from '@vdo/base/http-client';
import { HttpFailure } from '@vdo/base/http-failure';
import { proxyFromEnv } from '@vdo/base/proxy-from-env';
import { VdoError } from '@vdo/base/vdo-error';
import type { SampleRow } from '../rows/time-rows.ts';
import { assertPrivate, type PrometheusAccess } from './prometheus-access.ts';

/** Where rates of a longer time than this server has watched are read. */
export interface RatesReader {
  /** Its name on the page. */
  readonly of: string;
  readonly everyMs: number;
  /** Oldest first, each interval once; none for a period without data. */
  read(signal: AbortSignal): Promise<readonly SampleRow[]>;
}

const minute = 60_000;
const hour = 60 * minute;

/** The window of a rate holds four scrapes, so that one may fail, and the whole step, so that nothing is left out. */
const spans = [
  { everyMs: hour, window: '1h', backMs: 168 * hour },
  { everyMs: 10 * minute, window: '10m', backMs: 24 * hour },
  { everyMs: minute, window: '5m', backMs: 2 * hour },
] as const;
type Span = (typeof spans)[number];

/** The long poll for changes is left out: its duration does not show how fast a vCenter is. */
const calls = 'method!="WaitForUpdatesEx"';
const operations =
  'method=~"CreateVolume|DeleteVolume|ControllerPublishVolume|ControllerUnpublishVolume|ControllerExpandVolume|CreateSnapshot|DeleteSnapshot"';
type Count = keyof Omit<SampleRow, 'key' | 'atMs' | 'everyMs'>;
/** Each in what of it is counted a second. */
const metrics: Readonly<Record<Count, readonly [factor: number, metric: string]>> = {
  calls: [1, `vdo_vcenter_calls_total{${calls}}`],
  callErrors: [1, `vdo_vcenter_calls_total{${calls},result!="ok"}`],
  callMs: [1_000, `vdo_vcenter_call_duration_seconds_sum{${calls}}`],
  operations: [1, `vdo_csi_operations_total{${operations}}`],
  operationErrors: [1, `vdo_csi_operations_total{${operations},code!="OK"}`],
  operationMs: [1_000, `vdo_csi_operation_duration_seconds_sum{${operations}}`],
};
const counts = Object.keys(metrics) as Count[];

const timeoutMs = 20_000;
const longestReply = 4 * 1024 * 1024;

const unreadable = (message: string, cause?: unknown): VdoError =>
  new VdoError({
    code: 'SourceUnreadable',
    message,
    remedy: 'Give the address of a Prometheus that scrapes the operator and the drivers, as its own page shows it.',
    ...(cause === undefined ? {} : { cause }),
  });

const refused = (message: string, hasToken: boolean): VdoError =>
  new VdoError({
    code: 'SourceUnreadable',
    message: `${message}: ${hasToken ? 'it does not accept the token' : 'it requires authentication'}`,
    remedy: hasToken
      ? 'Give a file with a token that may read metrics there.'
      : 'Give a file with a token that may read metrics there: --prometheus-token-file of vdoctl, --dashboard-prometheus-token-file of the operator.',
  });

interface Reply {
  readonly status?: string;
  readonly error?: string;
  readonly data?: {
    readonly resultType?: string;
    readonly result?: readonly { readonly values?: readonly (readonly [number, string])[] }[];
  };
}

const parseReply = (text: string): Reply | undefined => {
  try {
    return JSON.parse(text) as Reply;
  } catch {
    return undefined;
  }
};

/** Milliseconds at which an interval ends → what was counted in it. `NaN` is a value of Prometheus, and no count. */
const valuesOf = ({ data }: Reply): ReadonlyMap<number, number> =>
  new Map(
    (data?.result?.[0]?.values ?? [])
      .map(([at, value]) => [Math.round(at * 1_000), Number(value)] as const)
      .filter(([, value]) => Number.isFinite(value)),
  );

const roundedTo = (value: number): number => Math.round(value * 100) / 100;

/** The part of each span that is queried: where two overlap, the finer one is used. */
const partsAt = (nowMs: number) =>
  spans.map((span, index) => {
    const { everyMs, backMs } = span;
    const next = spans[index + 1];
    const coarser = spans[index - 1]?.everyMs ?? everyMs;
    const endMs = next ? Math.ceil((nowMs - next.backMs) / everyMs) * everyMs : Math.floor(nowMs / everyMs) * everyMs;
    return { span, fromMs: Math.ceil((nowMs - backMs) / coarser) * coarser, endMs };
  });

/** Rates from the HTTP API of Prometheus: a few hundred numbers, read once a minute. */
export const createPrometheusRates = (options: {
  /** `http://prometheus.monitoring:9090`, with a path if it has one. */
  readonly address: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Asked at each reading. Default: no token, and the certificates that the system trusts. */
  readonly access?: () => Promise<PrometheusAccess>;
}): RatesReader & { close(): Promise<void> } => {
  const { clock, access = async (): Promise<PrometheusAccess> => ({}) } = options;
  const { origin, pathname, host } = new URL(options.address);
  const prefix = pathname.replace(/\/{1,64}$/, '');
  const of = `Prometheus at ${host}${prefix}`;
  const proxy = proxyFromEnv(origin, options.env);
  const open = (caBundle: string | undefined) =>
    createHttpClient({
      origin,
      connections: 2,
      ...(proxy === undefined ? {} : { proxy }),
      ...(caBundle === undefined ? {} : { tls: { caBundle } }),
    });
  let client = open(undefined);
  let trusted: string | undefined;
  let headers: Readonly<Record<string, string>> = {};
  const prepare = async (): Promise<void> => {
    const given = await access();
    assertPrivate(options.address, given);
    const { token, caBundle } = given;
    headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    if (caBundle === trusted) return;
    await client.close();
    client = open(caBundle);
    trusted = caBundle;
  };

  const ask = async (
    path: string,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly text: string }> => {
    const reason = () => new HttpFailure('timeout', `no answer within ${timeoutMs / 1_000} s`);
    const limit = deadline(clock, timeoutMs, { parent: signal, reason });
    try {
      const { status, body } = await client.transport({ method: 'GET', path, headers, signal: limit.signal });
      return { status, text: (await readBody(body, longestReply)).toString('utf8') };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw unreadable(`${of} does not answer: ${(error as Error).message}`, error);
    } finally {
      limit.dispose();
    }
  };
  const query = async (
    count: Count,
    { span, fromMs, endMs }: { readonly span: Span; readonly fromMs: number; readonly endMs: number },
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, number>> => {
    const [factor, metric] = metrics[count];
    const seconds = span.everyMs / 1_000;
    const search = new URLSearchParams({
      query: `${factor * seconds} * sum(rate(${metric}[${span.window}]))`,
      start: `${(fromMs + span.everyMs) / 1_000}`,
      end: `${endMs / 1_000}`,
      step: `${seconds}`,
    });
    const { status, text } = await ask(`${prefix}/api/v1/query_range?${search}`, signal);
    const reply = parseReply(text);
    if (status === 401 || status === 403)
      throw refused(`${of} answered ${status}`, headers['authorization'] !== undefined);
    if (status !== 200) throw unreadable(`${of} answered ${status}${reply?.error ? `: ${reply.error}` : ''}`);
    if (reply?.status !== 'success' || reply.data?.resultType !== 'matrix')
      throw unreadable(`the answer of ${of} is not a reply of Prometheus`);
    return valuesOf(reply);
  };
  const rowsOf = async (
    part: ReturnType<typeof partsAt>[number],
    signal: AbortSignal,
  ): Promise<readonly SampleRow[]> => {
    const { everyMs } = part.span;
    const read = await Promise.all(counts.map(async (count) => [count, await query(count, part, signal)] as const));
    const ends = [...new Set(read.flatMap(([, values]) => [...values.keys()]))].sort((left, right) => left - right);
    return ends.map((endMs) => {
      const atMs = endMs - everyMs;
      const numbers = Object.fromEntries(read.map(([count, values]) => [count, roundedTo(values.get(endMs) ?? 0)]));
      return { key: `${everyMs}/${atMs}`, atMs, everyMs, ...(numbers as Record<Count, number>) };
    });
  };
  return {
    of,
    everyMs: minute,
    read: async (signal) => {
      await prepare();
      const rows: SampleRow[] = [];
      for (const part of partsAt(clock.now())) rows.push(...(await rowsOf(part, signal)));
      if (rows.length === 0) throw unreadable(`${of} has no metric vdo_vcenter_calls_total of the last seven days`);
      return rows;
    },
    close: () => client.close(),
  };
};
