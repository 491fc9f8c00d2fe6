/** What of a log is asked for, as by `kubectl logs`. */
export interface LogQuery {
  readonly container: string;
  /** Of the container before its last restart. */
  readonly previous: boolean;
  /** Goes on with what is written from now on, until the container ends. */
  readonly follow: boolean;
  readonly sinceSeconds?: number;
  readonly tailLines?: number;
}

const numberIn = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name);
  return text === null || !/^\d+$/.test(text) ? undefined : Number(text);
};

/** From the query of a kubelet's address. */
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
  // Of our programs, and of any other that begins a line with the time.
  const text = /"time":"([^"]+)"/.exec(line)?.[1] ?? /^\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(line)?.[0];
  return text === undefined ? undefined : Date.parse(text);
};

/** The lines that are asked for. One without a time, as of a stack trace, is as old as the one before it. */
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
