/** The requested part of a log, as in `kubectl logs`. */
export interface LogQuery {
  readonly container: string;
  /** The log of the container before its last restart. */
  readonly previous: boolean;
  /** Continues with new lines until the container ends. */
  readonly follow: boolean;
  readonly sinceSeconds?: number;
  readonly tailLines?: number;
}

const numberIn = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name);
  return text === null || !/^\d+$/.test(text) ? undefined : Number(text);
};

/** Parses the query of the kubelet's log URL. */
export const parseLogQuery = (container: string, query: URLSearchParams): LogQuery => {
  const [sinceSeconds, tailLines] = [numberIn(query, 'sinceSeconds'), numberIn(query, 'tailLines')];
  return {
    container,
    previous: query.get('previous') === 'true',
    follow: query.get('follow') === 'true',
    ...(sinceSeconds === undefined ? {} : { sinceSeconds }),
    ...(tailLines === undefined ? {} : { tailLines }),
  };
};

const timeOf = (line: string): number | undefined => {
  // Formats of our programs, and of others that begin a line with the time.
  const text = /"time":"([^"]+)"/.exec(line)?.[1] ?? /^\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(line)?.[0];
  return text === undefined ? undefined : Date.parse(text);
};

/** The requested lines. A line without a time, such as in a stack trace, has the time of the line before it. */
export const chooseLines = (
  text: string,
  { fromMs, tailLines }: { readonly fromMs?: number; readonly tailLines?: number },
): string => {
  let atMs = Number.NEGATIVE_INFINITY;
  const isNew = (line: string): boolean => {
    atMs = timeOf(line) ?? atMs;
    return fromMs === undefined || atMs >= fromMs;
  };
  const lines = text.replace(/\n$/, '').split('\n').filter(isNew);
  const chosen = tailLines === undefined ? lines : tailLines === 0 ? [] : lines.slice(-tailLines);
  return text === '' ? '' : chosen.map((line) => `${line}\n`).join('');
};
