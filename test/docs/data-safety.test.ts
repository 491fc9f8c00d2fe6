import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { read } from './repository.ts';

/** Of the rooms with acts, the files that only judge evidence. */
const judges = ['disk-evidence.ts', 'holds-disk.ts', 'ownership.ts'];
const acts = ['disks', 'objects']
  .flatMap((folder) =>
    readdirSync(new URL(`../../packages/acts/src/${folder}/`, import.meta.url))
      .filter((file) => !file.endsWith('.test.ts') && !judges.includes(file))
      .map((file) => read(`packages/acts/src/${folder}/${file}`)),
  )
  .flatMap((text) => [...text.matchAll(/^export const (\w+) = /gm)].map(([, name]) => name));
const page = read('docs/explanation/data-safety.md');
const table = page.slice(page.indexOf('## What each act needs'), page.indexOf('## State of other releases'));
const listed = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
);

describe('docs/explanation/data-safety.md', () => {
  it('says of every irreversible act what evidence it needs, and of no other', () => {
    expect(acts.length).toBeGreaterThan(10);
    expect(listed.sort()).toEqual(acts.sort());
  });
});
