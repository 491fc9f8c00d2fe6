import { type Summary, type TableName, type Tables, tableNames, type Update } from '../model.ts';

type Rows = { [Name in TableName]: Map<string, Tables[Name][number]> };

export type Connection =
  | { readonly state: 'connecting' | 'live' }
  /** Since when, by the clock of this browser. */
  | { readonly state: 'lost'; readonly sinceMs: number };

/** The facts of the page. Rows are replaced, never changed, so that equal rows are the same object. */
export interface State {
  readonly connection: Connection;
  readonly summary: Summary | undefined;
  /** By the clock of the server. */
  readonly asOfMs: number;
  readonly rows: Rows;
  /** Counts the changes of each table, for what is computed from it. */
  readonly versions: Readonly<Record<TableName, number>>;
}

const noRows = (): Rows => ({
  nodes: new Map(),
  hosts: new Map(),
  volumes: new Map(),
  datastores: new Map(),
  policies: new Map(),
  events: new Map(),
  samples: new Map(),
  moments: new Map(),
});

export const initialState = (): State => ({
  connection: { state: 'connecting' },
  summary: undefined,
  asOfMs: 0,
  rows: noRows(),
  versions: { nodes: 0, hosts: 0, volumes: 0, datastores: 0, policies: 0, events: 0, samples: 0, moments: 0 },
});

const takeTable = (rows: Rows, name: TableName, { put, gone }: Update): boolean => {
  const table = rows[name] as Map<string, unknown>;
  for (const row of put?.[name] ?? []) table.set(row.key, row);
  for (const key of gone?.[name] ?? []) table.delete(key);
  return (put?.[name]?.length ?? 0) + (gone?.[name]?.length ?? 0) > 0;
};

/** The state after a message of the stream. Maps are shared with the state before, which is no longer used. */
export const takeUpdate = (before: State, update: Update): State => {
  const rows = update.isFirst ? noRows() : before.rows;
  const versions = { ...before.versions };
  for (const name of tableNames) if (takeTable(rows, name, update) || update.isFirst) versions[name] += 1;
  return {
    connection: { state: 'live' },
    summary: update.summary ?? before.summary,
    asOfMs: update.asOfMs,
    rows,
    versions,
  };
};

/** Computes something from the state once for each version of the tables it depends on. */
export const memo = <T>(names: readonly TableName[], compute: (state: State) => T): ((state: State) => T) => {
  let known: { readonly key: string; readonly rows: Rows; readonly value: T } | undefined;
  return (state) => {
    const key = names.map((name) => state.versions[name]).join(' ');
    if (known?.key === key && known.rows === state.rows) return known.value;
    known = { key, rows: state.rows, value: compute(state) };
    return known.value;
  };
};
