import { mkdir, readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { run } from '../harness/run.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

// What somebody without this repository gets. Nothing is fetched: the package has no dependencies.
describe('the npm package of vdoctl', () => {
  let folder: TempFolder;
  let archive: string;
  const make = async (name: string): Promise<string> => {
    await run(process.execPath, [`${root}tools/release/npm.mjs`, '--out', folder.file(name)], { timeoutMs: 120_000 });
    const [file = ''] = await readdir(folder.file(name));
    return folder.file(`${name}/${file}`);
  };
  const npx = (...words: readonly string[]): Promise<string> =>
    run('npx', ['--no-install', '--offline', 'vdoctl', ...words], {
      cwd: folder.file('empty'),
      // A sandbox of its own, whatever else runs on this machine.
      env: {
        HOME: folder.file('home'),
        TMPDIR: folder.file('home'),
        VDO_SANDBOX_RECORD: folder.file('record.json'),
        KUBECONFIG: '',
      },
      timeoutMs: 240_000,
    });

  beforeAll(async () => {
    folder = await createTempFolder('npm');
    archive = await make('first');
    await mkdir(folder.file('empty'));
    await mkdir(folder.file('home'));
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', archive], {
      cwd: folder.file('empty'),
      env: { HOME: folder.file('home') },
    });
  }, 180_000);
  afterAll(() => folder?.remove());

  it('is the same, bit by bit, when it is made again', async () => {
    const [first, second] = await Promise.all([readFile(archive), make('second').then((path) => readFile(path))]);
    expect(second.equals(first)).toBe(true);
    expect(first.length).toBeLessThan(5_000_000);
  }, 120_000);

  it('brings nothing along but itself, and says what is inside', async () => {
    const [scope = '', ...others] = (await readdir(folder.file('empty/node_modules'))).filter(
      (name) => !name.startsWith('.'),
    );
    expect(others).toEqual([]);
    const at = folder.file(`empty/node_modules/${scope}/vdoctl`);
    const bill = JSON.parse(await readFile(`${at}/sbom.cdx.json`, 'utf8'));
    expect(bill.components.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['commander', 'undici']),
    );
    expect(await readFile(`${at}/LICENSES-THIRD-PARTY.txt`, 'utf8')).toContain('commander');
  });

  it('runs the sandbox in an empty folder', async () => {
    const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
    expect(await npx('--version')).toContain(version);
    await npx('sandbox', '--once');
  }, 300_000);
});
