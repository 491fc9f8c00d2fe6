import { existsSync } from 'node:fs';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { run } from '../harness/run.ts';

const build = fileURLToPath(new URL('../../tools/parts/build.mjs', import.meta.url));
const lock = new URL('../../tools/parts/lock.mjs', import.meta.url).href;

describe('npm run parts', () => {
  test('says how to get Go where there is none', async () => {
    const attempt = run(process.execPath, [build], { env: { PATH: '/nowhere' } });
    await expect(attempt).rejects.toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/Go is not on the PATH.*install Go/),
    });
  });
});

test('the Node that lives are simulated on is the one of the image', async () => {
  const text = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
  const [, image] = /^ARG BASE=.*\/node:(\d+)-/m.exec(await text('deploy/image/Containerfile')) ?? [];
  const [, name] =
    /name: 'node-(\d+)',\s+version: imageNode\.version/.exec(await text('tools/parts/catalog.mjs')) ?? [];
  const [pinned] = JSON.parse(await text('tools/image/node-runtime.json')).version.split('.');
  expect([name, pinned]).toEqual([image, image]);
});

describe('the lock of a part', () => {
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await createTempFolder('lock');
  });
  afterEach(() => folder.remove());

  const work = (name: string): Promise<string> =>
    run(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { appendFile } from 'node:fs/promises';
       import { setTimeout as sleep } from 'node:timers/promises';
       import { withLock } from '${lock}';
       const note = (text) => appendFile('${folder.file('notes')}', text + '\\n');
       await withLock('${folder.file('part.lock')}', {
         onWait: () => console.log('waited'),
         work: async () => { await note('${name} begins'); await sleep(150); await note('${name} ends'); },
       });`,
    ]);

  test('lets one run work at a time', async () => {
    const outputs = await Promise.all([work('a'), work('b'), work('c')]);
    const notes = (await readFile(folder.file('notes'), 'utf8')).trim().split('\n');
    expect(notes).toHaveLength(6);
    for (let index = 0; index < notes.length; index += 2) {
      expect(notes[index + 1]).toBe(notes[index]?.replace('begins', 'ends'));
    }
    expect(outputs.filter((output) => output.includes('waited')).length).toBeGreaterThan(0);
    expect(existsSync(folder.file('part.lock'))).toBe(false);
  });

  test('is taken over from a run that died', async () => {
    await writeFile(folder.file('part.lock'), '');
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(folder.file('part.lock'), longAgo, longAgo);
    await work('heir');
    expect(await readFile(folder.file('notes'), 'utf8')).toBe('heir begins\nheir ends\n');
  });
});
