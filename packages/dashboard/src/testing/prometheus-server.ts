import { type HttpResponse, type HttpTransport, httpResponse } from '@vdo/base/http';

type Labels = Readonly<Record<string, string>>;
/** A counter that a scrape every 15 s found growing by so much a second. */
export interface Series {
  readonly name: string;
  readonly labels: Labels;
  readonly fromMs: number;
  /** A second, at a time. */
  readonly rate: (atMs: number) => number;
}

type Matcher = (labels: Labels) => boolean;
interface Expression {
  readonly factor: number;
  readonly name: string;
  readonly matchers: readonly Matcher[];
  readonly windowMs: number;
}

/** Prometheus anchors regular expressions, and an absent label is empty. */
const matcherOf = (label: string, operator: string, value: string): Matcher => {
  const pattern = new RegExp(`^(?:${value})$`);
  const has = (labels: Labels): boolean =>
    operator.endsWith('~') ? pattern.test(labels[label] ?? '') : (labels[label] ?? '') === value;
  return operator.startsWith('!') ? (labels) => !has(labels) : has;
};

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const matcherSyntax = /([a-z_]+)(=~|!~|!=|=)"([^"]*)"/g;

/** What the page asks: `NUMBER * sum(rate(NAME{MATCHERS}[WINDOW]))`. Everything else is refused, as a server refuses what it cannot parse. */
const parse = (query: string): Expression | undefined => {
  const found = /^([\d.]+) \* sum\(rate\(([a-z_]+)(?:\{(.*)\})?\[(\d+)([smhd])\]\)\)$/.exec(query);
  if (!found) return undefined;
  const [, factor, name = '', selector = '', count, unit = ''] = found;
  const rest = selector.replaceAll(matcherSyntax, '').replaceAll(',', '');
  if (rest !== '') return undefined;
  const matchers = [...selector.matchAll(matcherSyntax)].map(([, label = '', operator = '', value = '']) =>
    matcherOf(label, operator, value),
  );
  return { factor: Number(factor), name, matchers, windowMs: Number(count) * (unitsMs[unit] ?? 0) };
};

const scrapeMs = 15_000;

const rateOf = ({ rate, fromMs }: Series, atMs: number, windowMs: number): number | undefined => {
  const first = Math.max(Math.ceil((atMs - windowMs) / scrapeMs) * scrapeMs, Math.ceil(fromMs / scrapeMs) * scrapeMs);
  let sum = 0;
  let scrapes = 0;
  for (let at = first; at < atMs; at += scrapeMs) {
    sum += rate(at);
    scrapes += 1;
  }
  // Of one sample no rate is known.
  return scrapes < 2 ? undefined : sum / scrapes;
};

const json = (status: number, body: object): HttpResponse =>
  httpResponse(status, JSON.stringify(body), { 'content-type': 'application/json' });
const badData = (error: string): HttpResponse => json(400, { status: 'error', errorType: 'bad_data', error });

/**
 * A server that speaks as much of the HTTP API of Prometheus (`/api/v1/query_range`) as the page uses, by its documentation: times in
 * seconds, values as strings, errors in an envelope, at most 11,000 points.
 */
export const createPrometheusServer = (series: readonly Series[], prefix = '') => {
  const asked: string[] = [];
  const range = (query: URLSearchParams): HttpResponse => {
    const text = query.get('query') ?? '';
    const [start, end, step] = ['start', 'end', 'step'].map((name) => Number(query.get(name) ?? Number.NaN));
    if (start === undefined || end === undefined || step === undefined || !(step > 0) || !(end >= start))
      return badData('invalid parameter "start", "end" or "step"');
    if ((end - start) / step > 11_000) return badData('exceeded maximum resolution of 11,000 points per timeseries.');
    const expression = parse(text);
    if (!expression) return badData(`invalid parameter "query": parse error: ${text}`);
    asked.push(text);
    const { factor, name, matchers, windowMs } = expression;
    const fitting = series.filter((one) => one.name === name && matchers.every((fits) => fits(one.labels)));
    const values: (readonly [number, string])[] = [];
    for (let at = start; at <= end; at += step) {
      const rates = fitting.flatMap((one) => rateOf(one, at * 1_000, windowMs) ?? []);
      if (rates.length > 0) values.push([at, String(factor * rates.reduce((sum, rate) => sum + rate, 0))]);
    }
    const result = values.length === 0 ? [] : [{ metric: {}, values }];
    return json(200, { status: 'success', data: { resultType: 'matrix', result } });
  };
  const handler: HttpTransport = async ({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://prometheus');
    return pathname === `${prefix}/api/v1/query_range` ? range(searchParams) : httpResponse(404, 'not found');
  };
  return { handler, asked };
};
