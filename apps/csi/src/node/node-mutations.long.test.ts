import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeMutations } from '../testing/node-mutations.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
let folder: string;

/** A copy whose packages are its own and whose dependencies are those of the original. */
const copyRepository = async (): Promise<void> => {
  for (const name of ['apps', 'packages', 'test', 'tools', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    await cp(join(repository, name), join(folder, name), { recursive: true });
  await mkdir(join(folder, 'node_modules/@vdo'), { recursive: true });
  for (const name of await readdir(join(repository, 'node_modules')))
    if (name !== '@vdo') await symlink(join(repository, 'node_modules', name), join(folder, 'node_modules', name));
  for (const room of ['apps', 'packages'])
    for (const name of await readdir(join(folder, room)))
      await symlink(join(folder, room, name), join(folder, 'node_modules/@vdo', name));
};

const runTest = (file: string, name: string) =>
  spawnSync('npx', ['vitest', 'run', '--project', 'real-machine', file, '-t', name], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', CI: undefined, VITEST: undefined, NODE_OPTIONS: undefined },
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mutations-'));
  await copyRepository();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('nothing is noticed where nothing was planted', () => {
  const { stdout, stderr } = runTest('apps/csi/src/node/unstage.real.test.ts', 'never hides a busy disk');
  expect(`${stdout}${stderr}`).toMatch(/Tests +1 passed/);
});

describe('a fault in a guard of the node role is noticed', () => {
  it.each(nodeMutations.map((mutation) => [mutation.guard, mutation] as const))('%s', (_guard, mutation) => {
    const path = join(folder, mutation.file);
    const whole = readFileSync(path, 'utf8');
    expect(whole.split(mutation.search)).toHaveLength(2);
    writeFileSync(path, whole.replace(mutation.search, mutation.replace));
    try {
      const { stdout, stderr } = runTest(mutation.test, mutation.name);
      // Failed, and not because it could not be run.
      expect(`${stdout}${stderr}`).toMatch(/Tests +\d+ failed/);
    } finally {
      writeFileSync(path, whole);
    }
  });
});
