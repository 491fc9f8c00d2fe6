import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { run } from '../harness/run.ts';

const script = fileURLToPath(new URL('../../tools/generate.mjs', import.meta.url));
const loader = new URL('../../tools/load-typescript.mjs', import.meta.url).href;

describe('generate', () => {
  let root: TempFolder;
  beforeEach(async () => {
    root = await createTempFolder('generate');
    await mkdir(root.file('tools/generators'), { recursive: true });
  });
  afterEach(() => root.remove());

  const generate = (...args: string[]): Promise<string> =>
    run(process.execPath, [script, '--root', root.path, ...args]);
  const addModule = (name: string, source: string): Promise<void> =>
    writeFile(root.file(`tools/generators/${name}.mjs`), source);
  const define = (name: string, outputs: readonly string[], files: Record<string, string>): Promise<void> =>
    addModule(
      name,
      `export const name = '${name}';
       export const outputs = ${JSON.stringify(outputs)};
       export const run = () => new Map(Object.entries(${JSON.stringify(files)}));`,
    );

  test('writes what the generators give, then finds it fresh', async () => {
    await define('manifests', ['deploy/'], { 'deploy/crd/one.yaml': 'one\n', 'deploy/two.yaml': 'two\n' });
    expect(await generate()).toContain('1 generators, 2 files, 2 changed');
    expect(await readFile(root.file('deploy/crd/one.yaml'), 'utf8')).toBe('one\n');
    expect(await generate('--verify')).toContain('1 generators, 2 files, 0 stale');
  });

  test('verify changes nothing, names the stale file and the command that refreshes it', async () => {
    await define('readme', ['out.md'], { 'out.md': 'new\n' });
    await writeFile(root.file('out.md'), 'old\n');
    await expect(generate('--verify')).rejects.toThrow(/stale: out\.md\nrefresh them with: npm run generate/);
    expect(await readFile(root.file('out.md'), 'utf8')).toBe('old\n');
  });

  test('a file that is no longer generated is stale, and is removed', async () => {
    await define('manifests', ['deploy/'], { 'deploy/kept.yaml': '' });
    await mkdir(root.file('deploy'));
    await writeFile(root.file('deploy/kept.yaml'), '');
    await writeFile(root.file('deploy/left.yaml'), '');
    await expect(generate('--verify')).rejects.toThrow(/stale: deploy\/left\.yaml is no longer generated/);
    await generate();
    expect(existsSync(root.file('deploy/left.yaml'))).toBe(false);
    expect(existsSync(root.file('deploy/kept.yaml'))).toBe(true);
  });

  test('a generator may not write what it does not own', async () => {
    await define('greedy', ['mine/'], { 'yours.yaml': '' });
    await expect(generate()).rejects.toThrow(/greedy writes yours\.yaml, which its outputs do not list/);
  });

  test('a helper module is no generator, half a generator is a mistake', async () => {
    await define('readme', ['out.md'], { 'out.md': '' });
    await addModule('helper', 'export const help = 1;');
    expect(await generate()).toContain('1 generators');
    await addModule('half', 'export const run = () => new Map();');
    await expect(generate()).rejects.toThrow(/tools\/generators\/half\.mjs exports run only/);
  });

  test('no generator at all is a failure', async () => {
    await expect(generate('--verify')).rejects.toThrow(/no generator found in tools\/generators/);
  });

  test('a generator can load TypeScript', async () => {
    await writeFile(
      root.file('value.ts'),
      "interface Text { text: string }\nexport const value: Text = { text: 'typed' };\n",
    );
    await addModule(
      'typed',
      `import { loadTypeScript } from '${loader}';
       export const name = 'typed';
       export const run = async () => new Map([['out.txt', (await loadTypeScript('${root.file('value.ts')}')).value.text]]);`,
    );
    await generate();
    expect(await readFile(root.file('out.txt'), 'utf8')).toBe('typed');
  });
});
