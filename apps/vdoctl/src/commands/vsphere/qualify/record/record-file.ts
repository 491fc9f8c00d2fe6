import { writeFile } from 'node:fs/promises';
import type { Exchange } from '../exchange.ts';
import type { Report } from '../report.ts';
import type { SiteNames } from '../site.ts';
import { redactExchange } from './redact-exchange.ts';
import { createRedactor } from './redactor.ts';

export const recordFormat = 'vdo-qualify-record/1';

/** One run against one vCenter, without names and secrets. `npm run replay` replays it. */
export interface QualifyRecord {
  readonly format: typeof recordFormat;
  readonly report: Report;
  /** The objects the run used; absent if it only read. Replaced names, as everywhere in the record. */
  readonly wish?: SiteNames;
  readonly username: string;
  /** The eight digits in the names of created objects; empty if none were created. */
  readonly run: string;
  readonly exchanges: readonly Exchange[];
}

export const recordOf = (input: {
  readonly report: Report;
  readonly wish: SiteNames | undefined;
  readonly username: string;
  readonly exchanges: readonly Exchange[];
}): QualifyRecord => {
  const { text } = createRedactor();
  const redactor = { text };
  const { names: _names, ...report } = input.report;
  const { wish } = input;
  const exchanges = input.exchanges.map((exchange) => redactExchange(exchange, redactor));
  const run = /vdo-qualify-[^<"\s]{1,200}-([0-9a-f]{8})-disk/.exec(
    exchanges.map(({ request }) => request).join('\n'),
  )?.[1];
  return {
    format: recordFormat,
    report,
    ...(wish ? { wish: { folder: text(wish.folder), vm: text(wish.vm), datastore: text(wish.datastore) } } : {}),
    username: text(input.username),
    run: run ?? '',
    exchanges,
  };
};

export const writeRecord = (file: string, record: QualifyRecord): Promise<void> =>
  writeFile(file, `${JSON.stringify(record, undefined, 1)}\n`, { mode: 0o600 });
