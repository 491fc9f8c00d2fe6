import { readFileSync, writeFileSync } from 'node:fs';

/** What a state costs, in calls to the API server per minute. */
export interface CallsRow {
  readonly state: string;
  readonly perMinute: number;
  readonly bound: number;
}

const page = new URL('../../../../docs/explanation/operator-behaviour.md', import.meta.url);
const head = '| state | calls per minute | bound |\n|---|---:|---:|';

export const writeRow = ({ state, perMinute, bound }: CallsRow): string => `| ${state} | ${perMinute} | ${bound} |`;

/** The table of docs/explanation/operator-behaviour.md. */
export const readPage = (): readonly CallsRow[] => {
  const [, table = ''] = readFileSync(page, 'utf8').split(head);
  return [...table.matchAll(/^\| (.+) \| (\d+) \| (\d+) \|$/gm)].map(([, state = '', perMinute, bound]) => ({
    state,
    perMinute: Number(perMinute),
    bound: Number(bound),
  }));
};

/** Writes what was measured over what the page says of these states; all others stay. In the order of `states`. */
export const writePage = (measured: readonly CallsRow[], states: readonly string[]): void => {
  const [before = '', after = ''] = readFileSync(page, 'utf8').split(head);
  const rest = after.slice(after.search(/\n(?!\|)/));
  const known = new Map([...readPage(), ...measured].map((row) => [row.state, row]));
  const rows = states.flatMap((state) => known.get(state) ?? []);
  writeFileSync(page, `${before}${head}\n${rows.map(writeRow).join('\n')}${rest}`);
};

const checks = / fails (before the first installation|while the drivers run)$/;

/** The checks are one row each time: of those that fail alike the dearest. */
export const shorten = (rows: readonly CallsRow[]): readonly CallsRow[] => {
  const short = new Map<string, CallsRow>();
  for (const row of rows) {
    const state = checks.test(row.state) ? `a check${checks.exec(row.state)?.[0]}` : row.state;
    const known = short.get(state);
    if (!known || known.perMinute < row.perMinute) short.set(state, { ...row, state });
  }
  return [...short.values()];
};
