import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { simReleases } from '@vdo/sim-world/sim-release';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/ledger.mjs';
import results from '../../tools/profiles/results.json' with { type: 'json' };
import { releases, suites } from '../../tools/profiles/suites.mjs';

type Results = Readonly<Record<string, Readonly<Record<string, { passed: number; failed: number }>> | undefined>>;

describe('the table of suites and releases', () => {
  it('has every release that the simulator can be', () => {
    expect(releases).toEqual(simReleases);
  });

  it('names test files that are there', () => {
    const files = suites.flatMap(({ files: own, vcsim = [] }) => [...own, ...vcsim]);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('holds no failure, and a suite that was run is there for each release that it is meant for', () => {
    const wanted = suites
      .filter(({ id }) => (results as Results)[id] !== undefined)
      .flatMap(({ id, releases: own, vcsim }) =>
        [...own, ...(vcsim ? ['vcsim'] : [])].map((release) => [id, release] as const),
      );
    expect(wanted.length).toBeGreaterThan(0);
    const bad = wanted.filter(([id, release]) => {
      const counts = (results as Results)[id]?.[release];
      return counts === undefined || counts.failed > 0 || counts.passed === 0;
    });
    expect(bad).toEqual([]);
  });
});
