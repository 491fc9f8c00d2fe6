import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TempFolder } from '../../harness/cleanup.ts';
import { copyRepository } from '../../harness/repository-copy.ts';
import { mutations } from './mutations.ts';

let folder: TempFolder;
beforeAll(async () => {
  folder = await copyRepository();
});
afterAll(() => folder?.remove());

const runTest = (file: string, name: string): string => {
  const { stdout, stderr } = spawnSync('npx', ['vitest', 'run', '--project', 'unit', file, '-t', name], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', CI: undefined, VITEST: undefined, NODE_OPTIONS: undefined },
  });
  return `${stdout}${stderr}`;
};

// Issue 17: each item as it was must be noticed.
describe('a fault of the operator that is planted again is noticed', () => {
  it('by no story where nothing was planted', () => {
    const { test, name } = mutations[0] ?? { test: '', name: '' };
    expect(runTest(test, name)).toMatch(/Tests +1 passed/);
  });

  it.each(mutations.map((mutation) => [mutation.item, mutation.fault, mutation] as const))(
    'item %i: %s',
    (_item, _fault, { file, search, replace, test, name }) => {
      const path = folder.file(file);
      const whole = readFileSync(path, 'utf8');
      expect(whole.split(search)).toHaveLength(2);
      writeFileSync(path, whole.replace(search, replace));
      try {
        // Failed, and not because it could not be run.
        expect(runTest(test, name)).toMatch(/Tests +\d+ failed/);
      } finally {
        writeFileSync(path, whole);
      }
    },
  );
});
