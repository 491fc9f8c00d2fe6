// What `vdoctl explain` shows: the paragraphs of docs/reference/errors.md, as a module, so that no file is read at run time.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Generator for tools/generate.mjs. */
export const name = 'error-reference';
const output = 'apps/vdoctl/src/gen/error-reference.json';
export const outputs = [output];

/** `[word](../guides/page.md#part)` → `word (docs/guides/page.md#part)`: a terminal does not follow links. */
const withPaths = (text) =>
  text.replaceAll(/\[([^\]]*)\]\(([^)]*)\)/g, (_link, words, target) =>
    target.startsWith('../') ? `${words} (docs/${target.slice(3)})` : words,
  );

/** A paragraph begins with its label and ends at the next label, heading or end; it may be broken into several lines. */
const entry = (section) => {
  const [title, ...lines] = section.split(/\n## /)[0].split('\n');
  const paragraphs = lines.join(' ').split(/(?=\*\*What [a-z ]+:\*\*)/);
  const part = (label) =>
    paragraphs
      .filter((text) => text.startsWith(`**${label}:**`))
      .map((text) => withPaths(text.slice(label.length + 5).trim()))
      .join('\n');
  return [title.trim(), { happened: part('What happened'), remedy: part('What to do') }];
};

/** Repository path → content. */
export const run = async () => {
  const text = await readFile(fileURLToPath(new URL('../../docs/reference/errors.md', import.meta.url)), 'utf8');
  const entries = text.split('\n### ').slice(1).map(entry);
  const poor = entries.find(([, { happened, remedy }]) => happened === '' || remedy === '');
  if (poor) throw new Error(`docs/reference/errors.md: ${poor[0]} lacks "What happened" or "What to do"`);
  const cut = entries.find(([, texts]) => Object.values(texts).some((value) => !/[.!?]`?$/.test(value)));
  if (cut) throw new Error(`docs/reference/errors.md: a paragraph of ${cut[0]} does not end with a full stop`);
  return new Map([[output, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`]]);
};
