import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { simReleases } from '@vdo/sim-world/sim-release';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/ledger.mjs';
import results from '../../tools/profiles/results.json' with { type: 'json' };
import { sourcesOf } from '../../tools/profiles/sources.mjs';
import { releases, type Suite, suites } from '../../tools/profiles/suites.mjs';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly sources: string;
}
type Results = Readonly<Record<string, Readonly<Record<string, Counts | undefined>> | undefined>>;

/** What is wrong with a table: nothing where a run is promised, failures, results of other sources, results that nobody asked for. */
const problemsOf = (table: Results, wanted: readonly Suite[]): readonly string[] => [
  ...wanted.flatMap((suite) =>
    [...suite.releases, ...(suite.vcsim ? ['vcsim'] : [])].flatMap((release) => {
      const counts = table[suite.id]?.[release];
      const cell = `${suite.id} on ${release}`;
      if (!counts) return [`${cell}: not run`];
      if (counts.failed > 0) return [`${cell}: ${counts.failed} failed`];
      if (counts.passed === 0) return [`${cell}: nothing passed`];
      return counts.sources === sourcesOf(suite, release)
        ? []
        : [`${cell}: run on other sources: npm run profiles -- ${suite.id} --release ${release}`];
    }),
  ),
  ...Object.entries(table).flatMap(([id, cells]) => {
    const suite = wanted.find((one) => one.id === id);
    const known = new Set([...(suite?.releases ?? []), ...(suite?.vcsim ? ['vcsim'] : [])]);
    return Object.keys(cells ?? {}).flatMap((release) =>
      known.has(release) ? [] : [`${id} on ${release}: no such run`],
    );
  }),
];

describe('the table of suites and releases', () => {
  it('has every release that the simulator can be', () => {
    expect(releases).toEqual(simReleases);
  });

  it('names test files that are there', () => {
    const files = suites.flatMap(({ files: own, vcsim = [] }) => [...own, ...vcsim]);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('promises the storage path, csi-sanity and crashes on five releases at least, and all the rest on all', () => {
    const sampled = ['6.7.3', '7.0.1', '7.0.3', '8.0.3', '9.0.0'];
    for (const { id, releases: own } of suites)
      expect([id, own]).toEqual([
        id,
        expect.arrayContaining(['csi-sanity', 'crashes'].includes(id) ? sampled : [...releases]),
      ]);
  });

  it('holds a run without failure for each of them, on the sources as they are', () => {
    expect(problemsOf(results, suites)).toEqual([]);
  });

  it.each<[string, (cells: Readonly<Record<string, Counts>>) => Readonly<Record<string, Counts | undefined>>, string]>([
    ['a missing run', ({ '7.0.3': _gone, ...rest }) => rest, 'not run'],
    ['a failure', (cells) => ({ ...cells, '7.0.3': { ...one(cells), failed: 1 } }), '1 failed'],
    ['a run of nothing', (cells) => ({ ...cells, '7.0.3': { ...one(cells), passed: 0 } }), 'nothing passed'],
    [
      'a run of other sources',
      (cells) => ({ ...cells, '7.0.3': { ...one(cells), sources: 'x' } }),
      'run on other sources',
    ],
    ['a release that there is not', (cells) => ({ ...cells, '5.5': one(cells) }), 'no such run'],
  ])('shows %s', (_name, change, problem) => {
    const table: Results = { ...results, cpi: change(results.cpi) };
    const cpi = problemsOf(table, suites).filter((one) => one.startsWith('cpi '));
    expect(cpi).toEqual([expect.stringContaining(problem)]);
  });
});

const one = (cells: Readonly<Record<string, Counts>>): Counts => {
  const counts = cells['7.0.3'];
  if (!counts) throw new Error('not run');
  return counts;
};
