import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TempFolder } from '../../../../test/harness/cleanup.ts';
import { openPortions } from '../../../../test/harness/portions.ts';
import { copyRepository } from '../../../../test/harness/repository-copy.ts';
import { nodeMutations } from '../testing/node-mutations.ts';
import { moreNodeMutations } from '../testing/node-mutations-more.ts';

const mutations = [...nodeMutations, ...moreNodeMutations];
/** What was noticed on the same sources, tests and mutations is not planted again, so that it can be run in several goes. */
const openLedger = () =>
  openPortions('node-mutations', ['apps/csi/src/node', 'apps/csi/src/testing', 'packages/linux-disks/src']);
const portions = openLedger();
/** VDO_MUTATIONS=1..30: only these. */
const [from = 1, to = mutations.length] = process.env['VDO_MUTATIONS']?.split('..').map(Number) ?? [];
let folder: TempFolder;
beforeAll(async () => {
  folder = await copyRepository();
});
afterAll(() => folder?.remove());

const portion = (name: string, attempt: () => void): void => {
  if (portions.hasPassed(name)) return;
  const startMs = performance.now();
  attempt();
  portions.add(name, { passed: true, seconds: Math.round(performance.now() - startMs) / 1000 });
};

/** Of a hundred starts, what was not changed is transformed once. */
const cached = ['--experimental.fsModuleCache'];

const runTest = (file: string, name: string): string => {
  const project = file.endsWith('.real.test.ts') ? 'real-machine' : 'unit';
  const vitest = folder.file('node_modules/vitest/vitest.mjs');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [vitest, 'run', '--project', project, file, '-t', name, ...cached],
    {
      cwd: folder.path,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', CI: undefined, VITEST: undefined, NODE_OPTIONS: undefined },
    },
  );
  return `${stdout}${stderr}`;
};

describe('where nothing was planted', () => {
  it.each([...new Set(mutations.slice(from - 1, to).map(({ test }) => test))])('nothing is noticed by %s', (file) => {
    const names = new Set(mutations.filter(({ test }) => test === file).map(({ name }) => name));
    portion(`nothing in ${file}`, () => {
      const output = runTest(file, [...names].join('|'));
      const [, passed = 0] = /Tests +(\d+) passed/.exec(output) ?? [];
      expect(output).not.toMatch(/Tests +\d+ failed/);
      expect(Number(passed)).toBeGreaterThanOrEqual(names.size);
    });
  });
});

describe('a fault in a guard of the node role is noticed', () => {
  it.each(mutations.slice(from - 1, to).map((mutation) => [mutation.guard, mutation] as const))(
    '%s',
    (guard, mutation) => {
      const path = folder.file(mutation.file);
      const whole = readFileSync(path, 'utf8');
      expect(whole.split(mutation.search)).toHaveLength(2);
      const planted = whole.replace(mutation.search, () => mutation.replace);
      portion(guard, () => {
        writeFileSync(path, planted);
        try {
          // Failed, and not because it could not be run.
          expect(runTest(mutation.test, mutation.name)).toMatch(/Tests +\d+ failed/);
        } finally {
          writeFileSync(path, whole);
        }
      });
    },
  );

  it('and by how many tests is told', () => {
    const noticed = mutations.filter(({ guard }) => openLedger().hasPassed(guard)).length;
    process.stdout.write(`mutations on ${portions.sources}: ${noticed} of ${mutations.length} noticed\n`);
  });
});
