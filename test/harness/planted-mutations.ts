import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TempFolder } from './cleanup.ts';
import { copyRepository } from './repository-copy.ts';

export interface PlantedMutation {
  readonly file: string;
  readonly search: string;
  readonly replace: string;
  /** The unit test that must notice it, and a part of its name. */
  readonly test: string;
  readonly name: string;
}

/** Plants each mutation in a copy of the repository and runs its test there: it must fail, and pass where nothing is planted. */
export const itNoticesEach = <M extends PlantedMutation>(mutations: readonly M[], titleOf: (mutation: M) => string) => {
  let folder: TempFolder;
  beforeAll(async () => {
    folder = await copyRepository();
  });
  afterAll(() => folder?.remove());

  const runTest = (file: string, name: string): string => {
    // Of some hundred modules one is another than before: the others are taken from the last run, by what they hold.
    const options = ['--project', 'unit', '--experimental.fsModuleCache'];
    const { stdout, stderr } = spawnSync('npx', ['vitest', 'run', ...options, file, '-t', name], {
      cwd: folder.path,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', CI: undefined, VITEST: undefined, NODE_OPTIONS: undefined },
    });
    return `${stdout}${stderr}`;
  };

  it('nothing where nothing was planted', () => {
    const { test, name } = mutations[0] ?? { test: '', name: '' };
    expect(runTest(test, name)).toMatch(/Tests +1 passed/);
  });

  it.each(mutations.map((mutation) => [titleOf(mutation), mutation] as const))(
    '%s',
    (_title, { file, search, replace, test, name }) => {
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
};
