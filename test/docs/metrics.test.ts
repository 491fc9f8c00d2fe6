import { describe, expect, it } from 'vitest';
import { read, sources } from './repository.ts';

/** `name kind` of every metric that some program makes. The name may be a constant of the same file. */
const made = sources()
  .map(read)
  .flatMap((text) =>
    [...text.matchAll(/\.(counter|gauge|histogram)(?:<[^(]*>)?\(\{\s*name(?:: '(\w+)')?,/g)].map(([, kind, name]) => {
      const constant = /const name = '(\w+)'/.exec(text)?.[1];
      return `${name ?? constant} ${kind}`;
    }),
  )
  .sort();
const documented = [...read('docs/reference/metrics.md').matchAll(/^\| `(\w+)` \| (\w+) \|/gm)]
  .map(([, name, kind]) => `${name} ${kind}`)
  .sort();

describe('docs/reference/metrics.md', () => {
  it('has every metric that a program makes, and no other', () => {
    expect(made.length).toBeGreaterThan(20);
    expect(documented).toEqual(made);
  });

  it('has no page that names a metric which nobody makes', () => {
    const pages = [
      'docs/guides/cpi.md',
      'docs/guides/csi.md',
      'docs/guides/health-checks.md',
      'docs/explanation/operator-design.md',
    ];
    const named = pages.flatMap((page) => [...read(page).matchAll(/`(vdo_[a-z_]+)[`{]/g)].map(([, name]) => name));
    const names = new Set(made.map((line) => line.split(' ')[0]));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });
});
