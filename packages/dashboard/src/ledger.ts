import { type DashboardModel, type TableName, tableNames } from './model.ts';

interface Entry {
  /** The row it was written from. */
  readonly of: object;
  readonly text: string;
  readonly revision: number;
}

/** What one reader has been sent. */
export interface Position {
  readonly revision: number;
}

/** Of more deleted rows the keys are not kept: readers start again. */
const rememberedGone = 20_000;
/** Rows per message: a page stays responsive while a large cluster arrives. */
const rowsPerMessage = 1_000;

/** Keys of which there is no row any more. Keys are unique: with as many rows as keys, none is gone. */
const goneFrom = (known: ReadonlyMap<string, Entry>, rows: DashboardModel['tables'][TableName]): readonly string[] => {
  if (known.size === rows.length) return [];
  const present = new Set(rows.map(({ key }) => key));
  return [...known.keys()].filter((key) => !present.has(key));
};

const prefixOf = (asOfMs: number, isFirst: boolean): string => `{"asOfMs":${asOfMs}${isFirst ? ',"isFirst":true' : ''}`;

/**
 * Remembers the text of every row and when it last changed: each reader is sent only what is new to it, and a row is written as JSON
 * once for all readers.
 */
export const createLedger = () => {
  const rows = new Map<TableName, Map<string, Entry>>(tableNames.map((name) => [name, new Map()]));
  const gone = new Map<TableName, Map<string, number>>(tableNames.map((name) => [name, new Map()]));
  /** Each table as it was last taken, and when a row of it last changed: the same list is not compared again. */
  const taken = new Map<TableName, { readonly of: readonly object[]; readonly revision: number }>();
  let summary = { text: '', revision: 0 };
  let revision = 0;
  /** Readers from before this revision start again. */
  let floor = 0;
  let asOfMs = 0;

  const takeTable = (name: TableName, model: DashboardModel): void => {
    if (taken.get(name)?.of === model.tables[name]) return;
    taken.set(name, { of: model.tables[name], revision });
    const known = rows.get(name) ?? new Map<string, Entry>();
    const left = gone.get(name) ?? new Map<string, number>();
    for (const row of model.tables[name]) {
      const entry = known.get(row.key);
      if (entry?.of === row) continue;
      const text = JSON.stringify(row);
      const isNews = entry?.text !== text;
      known.set(row.key, { of: row, text, revision: isNews ? revision : entry.revision });
      if (isNews) left.delete(row.key);
    }
    for (const key of goneFrom(known, model.tables[name])) {
      known.delete(key);
      left.set(key, revision);
    }
    if (left.size <= rememberedGone) return;
    left.clear();
    floor = revision;
  };

  const changedSince = (position: Position | undefined): readonly TableName[] =>
    tableNames.filter((name) => !position || (taken.get(name)?.revision ?? 0) > position.revision);

  const newRows = (position: Position | undefined): readonly { readonly name: TableName; readonly text: string }[] =>
    changedSince(position).flatMap((name) =>
      [...(rows.get(name)?.values() ?? [])]
        .filter((entry) => !position || entry.revision > position.revision)
        .map(({ text }) => ({ name, text })),
    );

  const goneText = (position: Position): string => {
    const parts = changedSince(position).flatMap((name) => {
      const keys = [...(gone.get(name) ?? [])].filter(([, at]) => at > position.revision).map(([key]) => key);
      return keys.length === 0 ? [] : [`"${name}":${JSON.stringify(keys)}`];
    });
    return parts.length === 0 ? '' : `,"gone":{${parts.join(',')}}`;
  };

  const putText = (some: readonly { readonly name: TableName; readonly text: string }[]): string => {
    const parts = tableNames.flatMap((name) => {
      const texts = some.filter((row) => row.name === name).map(({ text }) => text);
      return texts.length === 0 ? [] : [`"${name}":[${texts.join(',')}]`];
    });
    return parts.length === 0 ? '' : `,"put":{${parts.join(',')}}`;
  };

  return {
    take: (model: DashboardModel): void => {
      revision += 1;
      asOfMs = model.asOfMs;
      const text = JSON.stringify(model.summary);
      if (text !== summary.text) summary = { text, revision };
      for (const name of tableNames) takeTable(name, model);
    },
    /** The messages that bring a reader up to date, each the JSON of an Update, and its new position. */
    since: (reader: Position | undefined): { readonly messages: readonly string[]; readonly position: Position } => {
      const position = reader && reader.revision >= floor ? reader : undefined;
      const fresh = newRows(position);
      const head = !position || summary.revision > position.revision ? `,"summary":${summary.text}` : '';
      const left = position ? goneText(position) : '';
      const messages: string[] = [];
      for (let at = 0; at === 0 || at < fresh.length; at += rowsPerMessage) {
        const isHead = at === 0;
        const body = `${isHead ? head + left : ''}${putText(fresh.slice(at, at + rowsPerMessage))}`;
        messages.push(`${prefixOf(asOfMs, isHead && !position)}${body}}`);
      }
      const isNews = !position || head !== '' || left !== '' || fresh.length > 0;
      return { messages: isNews ? messages : [], position: { revision } };
    },
  };
};
