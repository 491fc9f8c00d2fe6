import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TempFolder } from '../../../../test/harness/cleanup.ts';
import { copyRepository } from '../../../../test/harness/repository-copy.ts';
import { nodeMutations } from '../testing/node-mutations.ts';
import { moreNodeMutations } from '../testing/node-mutations-more.ts';

const mutations = [...nodeMutations, ...moreNodeMutations];
let folder: TempFolder;
beforeAll(async () => {
  folder = await copyRepository();
});
afterAll(() => folder?.remove());

const runTest = (file: string, name: string): string => {
  const project = file.endsWith('.real.test.ts') ? 'real-machine' : 'unit';
  const { stdout, stderr } = spawnSync('npx', ['vitest', 'run', '--project', project, file, '-t', name], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', CI: undefined, VITEST: undefined, NODE_OPTIONS: undefined },
  });
  return `${stdout}${stderr}`;
};

describe('where nothing was planted', () => {
  it.each([...new Set(mutations.map(({ test }) => test))])('nothing is noticed by %s', (file) => {
    const names = new Set(mutations.filter(({ test }) => test === file).map(({ name }) => name));
    const output = runTest(file, [...names].join('|'));
    const [, passed = 0] = /Tests +(\d+) passed/.exec(output) ?? [];
    expect(output).not.toMatch(/Tests +\d+ failed/);
    expect(Number(passed)).toBeGreaterThanOrEqual(names.size);
  });
});

describe('a fault in a guard of the node role is noticed', () => {
  it.each(mutations.map((mutation) => [mutation.guard, mutation] as const))('%s', (_guard, mutation) => {
    const path = folder.file(mutation.file);
    const whole = readFileSync(path, 'utf8');
    expect(whole.split(mutation.search)).toHaveLength(2);
    writeFileSync(
      path,
      whole.replace(mutation.search, () => mutation.replace),
    );
    try {
      // Failed, and not because it could not be run.
      expect(runTest(mutation.test, mutation.name)).toMatch(/Tests +\d+ failed/);
    } finally {
      writeFileSync(path, whole);
    }
  });
});
