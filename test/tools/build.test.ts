import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { run } from '../harness/run.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('npm run build', () => {
  let folder: TempFolder;
  const build = () => run(process.execPath, [folder.file('tools/build.mjs')]);
  const says = (app: string) => run(process.execPath, [folder.file(`apps/${app}/dist/main.js`)]);
  const bundledAtMs = async (app: string) => (await stat(folder.file(`apps/${app}/dist/main.js`))).mtimeMs;

  beforeAll(async () => {
    folder = await createTempFolder('build');
    for (const app of ['one', 'two']) {
      await mkdir(folder.file(`apps/${app}/src`), { recursive: true });
      await writeFile(folder.file(`apps/${app}/package.json`), '{ "type": "module" }');
      await writeFile(folder.file(`apps/${app}/src/word.ts`), `export const word: string = '${app}';`);
      await writeFile(folder.file(`apps/${app}/src/main.ts`), `import { word } from './word.ts'; console.log(word);`);
    }
    await mkdir(folder.file('packages'));
    await mkdir(folder.file('node_modules'));
    await symlink(`${root}node_modules/esbuild`, folder.file('node_modules/esbuild'));
    for (const file of ['package.json', 'tools/build.mjs', 'tools/bundle-options.mjs'])
      await cp(`${root}${file}`, folder.file(file));
    await build();
  }, 60_000);
  afterAll(() => folder.remove());

  it('bundles every app', async () => {
    expect(await says('one')).toBe('one\n');
    expect(await says('two')).toBe('two\n');
  });

  it('leaves an app as it is of which nothing has changed, and bundles one of which something has', async () => {
    const before = { one: await bundledAtMs('one'), two: await bundledAtMs('two') };
    await writeFile(folder.file('apps/two/src/word.ts'), `export const word: string = 'changed';`);
    await build();
    expect(await says('two')).toBe('changed\n');
    expect(await bundledAtMs('two')).toBeGreaterThan(before.two);
    expect(await bundledAtMs('one')).toBe(before.one);
  });

  it('bundles again an app from which a file was taken, and all when a setting has changed', async () => {
    await rm(folder.file('apps/one/dist/main.js'));
    await build();
    expect(await says('one')).toBe('one\n');
    const before = await bundledAtMs('one');
    await writeFile(folder.file('apps/two/package.json'), '{ "type": "module", "private": true }');
    await build();
    expect(await bundledAtMs('one')).toBeGreaterThan(before);
  });

  it('leaves nothing of an older build, and no half-written file', async () => {
    await writeFile(folder.file('apps/one/dist/chunk-OLD.js'), '');
    await writeFile(folder.file('apps/one/src/word.ts'), `export const word: string = 'new';`);
    await Promise.all([build(), build(), build()]);
    expect(await says('one')).toBe('new\n');
    expect(existsSync(folder.file('apps/one/dist/chunk-OLD.js'))).toBe(false);
    expect(JSON.parse(await readFile(folder.file('node_modules/.cache/bundles/one.json'), 'utf8'))).toHaveProperty([
      'apps/one/src/word.ts',
    ]);
  });
});
