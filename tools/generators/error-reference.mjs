// What `vdoctl explain` shows: the paragraphs of docs/reference/errors.md, as a module, so that no file is read at run time.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { paragraphFrom, withPaths } from './plain-text.mjs';

/** Generator for tools/generate.mjs. */
export const name = 'error-reference';
const output = 'apps/vdoctl/src/gen/error-reference.json';
export const outputs = [output];

const source = 'docs/reference/errors.md';

const entry = (section) => {
  const [title, ...lines] = section.split('\n');
  const part = (label) =>
    lines
      .flatMap((line, index) => (line.startsWith(`**${label}:**`) ? [paragraphFrom(lines, index)] : []))
      .map((paragraph) => withPaths(paragraph.slice(label.length + 5).trim(), source))
      .join('\n');
  return [title.trim(), { happened: part('What happened'), remedy: part('What to do') }];
};

/** Repository path → content. */
export const run = async () => {
  const text = await readFile(fileURLToPath(new URL(`../../${source}`, import.meta.url)), 'utf8');
  const entries = text.split('\n### ').slice(1).map(entry);
  const poor = entries.find(([, { happened, remedy }]) => happened === '' || remedy === '');
  if (poor) throw new Error(`${source}: ${poor[0]} lacks "What happened" or "What to do"`);
  return new Map([[output, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`]]);
};
