import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

// JSON has no comments: an override that nobody can explain is never removed.
describe('overrides of package.json', () => {
  it('are explained in the ADR of the toolchain, and nothing else is', () => {
    const { overrides } = JSON.parse(read('package.json')) as { readonly overrides: Readonly<Record<string, string>> };
    const [, table = ''] =
      /\| override \| why \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(read('docs/adr/0005-toolchain.md')) ?? [];
    const explained = [...table.matchAll(/^\| `([^`]+)` \| \S.*\|$/gm)].map(([, name]) => name);
    expect(explained.sort()).toEqual(Object.keys(overrides).sort());
  });
});
