// What `vdoctl explain` shows of metrics and alerts: docs/reference/metrics.md and the alert rules, as modules.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../load-typescript.mjs';
import { withPaths } from './plain-text.mjs';

/** Generator for tools/generate.mjs. */
export const name = 'word-reference';
const folder = 'apps/vdoctl/src/gen';
const [metricFile, alertFile] = [`${folder}/metric-reference.json`, `${folder}/alert-reference.json`];
export const outputs = [metricFile, alertFile];

const read = (path) => readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

const metricDocs = 'docs/reference/metrics.md';
const plain = (text) => withPaths(text, metricDocs).replaceAll('`', '');

/** A row may have several metrics. The last cell says which values are a problem, and where to look then. */
const metricsOf = (row) => {
  const [, titles = '', type = '', labels = '', meaning = '', problem = ''] = row.split('|').map((cell) => cell.trim());
  const entry = { type, labels: plain(labels), meaning: plain(meaning), problem: plain(problem) };
  return [...titles.matchAll(/`([^`]+)`/g)].map(([, title]) => [title, entry]);
};

const asJson = (entries) => `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;

/** Repository path → content. */
export const run = async () => {
  const rows = (await read(metricDocs)).split('\n').filter((line) => line.startsWith('| `'));
  const { alerts, runbookOf } = await loadTypeScript(fileURLToPath(new URL('monitoring/alerts.ts', import.meta.url)));
  const alertEntries = alerts.map((alert) => [
    alert.name,
    { meaning: `${alert.fact} ${alert.description}`, runbook: runbookOf(alert) },
  ]);
  return new Map([
    [metricFile, asJson(rows.flatMap(metricsOf))],
    [alertFile, asJson(alertEntries)],
  ]);
};
