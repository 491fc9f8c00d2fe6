// What `vdoctl explain` shows of metrics and alerts: docs/reference/metrics.md and the alert rules, as modules.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../load-typescript.mjs';

/** Generator for tools/generate.mjs. */
export const name = 'word-reference';
const folder = 'apps/vdoctl/src/gen';
const [metricFile, alertFile] = [`${folder}/metric-reference.json`, `${folder}/alert-reference.json`];
export const outputs = [metricFile, alertFile];

const read = (path) => readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

/** `[word](other.md)` → `word`; `[word](../guides/page.md#part)` → `word: docs/guides/page.md#part`. */
const withoutLinks = (text) =>
  text
    .replaceAll(/\[([^\]]*)\]\(([^)]*)\)/g, (_link, words, target) =>
      target.startsWith('../') ? `${words}: docs/${target.slice(3)}` : words,
    )
    .replaceAll('`', '');

/** A row may have several metrics. */
const metricsOf = (row) => {
  const [, titles = '', type = '', labels = '', meaning = ''] = row.split('|').map((cell) => cell.trim());
  const entry = { type, labels: withoutLinks(labels), meaning: withoutLinks(meaning) };
  return [...titles.matchAll(/`([^`]+)`/g)].map(([, title]) => [title, entry]);
};

const plain = ({ summary, general = summary.replaceAll(/ \(\{\{[^}]*\}\}\)/g, ''), description }) =>
  `${general} ${description}`;

const asJson = (entries) => `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;

/** Repository path → content. */
export const run = async () => {
  const rows = (await read('docs/reference/metrics.md')).split('\n').filter((line) => line.startsWith('| `'));
  const { alerts, runbookOf } = await loadTypeScript(fileURLToPath(new URL('monitoring/alerts.ts', import.meta.url)));
  const alertEntries = alerts.map((alert) => [alert.name, { meaning: plain(alert), runbook: runbookOf(alert) }]);
  return new Map([
    [metricFile, asJson(rows.flatMap(metricsOf))],
    [alertFile, asJson(alertEntries)],
  ]);
};
