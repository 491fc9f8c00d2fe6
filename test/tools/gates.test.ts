import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { type CommandError, run } from '../harness/run.ts';

// A gate that cannot fail is no gate. A small repository with our configuration and our tools passes them all; then one
// fault is planted at a time, and the gate that is there for it must say no and name the fault.
const root = fileURLToPath(new URL('../../', import.meta.url));
const copied = [
  '.dependency-cruiser.cjs',
  '.gitignore',
  'biome.json',
  'knip.config.js',
  'tsconfig.json',
  'vitest.config.ts',
  'tools/check-acts.mjs',
  'tools/check-imports.mjs',
  'tools/check-regexes.mjs',
  'tools/check-sizes.mjs',
  'tools/check-words.mjs',
  'tools/words/prose-of.mjs',
  'tools/exports.mjs',
  'tools/folder-cycles.mjs',
  'tools/generate.mjs',
  'tools/regexes/attacks-on.mjs',
  'tools/regexes/collect-patterns.mjs',
  'tools/test-seconds.json',
];
const gates = [
  'lint',
  'types',
  'imports',
  'acts',
  'exports',
  'unused',
  'sizes',
  'regexes',
  'words',
  'generate:verify',
] as const;
const libraries = [
  'typescript',
  'vitest',
  '@biomejs/biome',
  '@types/node',
  'dependency-cruiser',
  'knip',
  'scslre',
  '@eslint-community/regexpp',
];

const manifest = (name: string, rest: object): string =>
  JSON.stringify({ name, private: true, type: 'module', ...rest });
const workspace = (name: string, modules: readonly string[], dependencies: readonly string[] = []): string =>
  manifest(`@vdo/${name}`, {
    exports: Object.fromEntries(modules.map((module) => [`./${module}`, `./src/${module}.ts`])),
    dependencies: Object.fromEntries(dependencies.map((one) => [`@vdo/${one}`, '*'])),
  });

const main = "import { answer } from '@vdo/base/answer';\n\nprocess.exitCode = answer;\n";
const files: Readonly<Record<string, string>> = {
  'packages/base/package.json': workspace('base', ['answer']),
  'packages/base/src/answer.ts': `import { first } from './names/first.ts';
import { half } from './numbers/half.ts';

export const answer = half(84) * first.length;
`,
  'packages/base/src/numbers/half.ts': 'export const half = (whole: number): number => whole / 2;\n',
  'packages/base/src/names/first.ts': "export const first = 'a1'.replace(/[0-9]/, '');\n",
  'packages/base/src/answer.test.ts': `import { expect, it } from 'vitest';
import { answer } from './answer.ts';

it('answers', () => expect(answer).toBe(42));
`,
  'packages/kube/package.json': workspace('kube', ['client'], ['base']),
  'packages/kube/src/client.ts': "import { answer } from '@vdo/base/answer';\n\nexport const client = { answer };\n",
  'apps/cpi/package.json': workspace('cpi', [], ['kube']),
  'apps/cpi/src/main.ts': "import { client } from '@vdo/kube/client';\n\nprocess.exitCode = client.answer;\n",
  'apps/csi/package.json': workspace('csi', [], ['base']),
  'apps/csi/src/main.ts': main,
  'test/harness/real-setup.ts': 'export default () => {};\n',
  'test/whole.test.ts': "import { expect, it } from 'vitest';\n\nit('adds', () => expect(1 + 1).toBe(2));\n",
  'tools/generators/greeting.mjs':
    "export const name = 'greeting';\nexport const run = () => new Map([['deploy/greeting.yaml', 'hello: world\\n']]);\n",
  'deploy/greeting.yaml': 'hello: world\n',
  'README.md': '# Small\n\nRun `told` to see what was reported.\n',
};

const actsHead = `import { nodes, persistentVolumes as volumes } from '@vdo/kube/types/core';
import { volumeSnapshotContents } from '@vdo/kube/types/snapshots';

export const wrong = ({ client, vcenter, given, left, finalizers }: Things) => {
`;
const irreversible = [
  "client.delete(nodes, { name: 'n' });",
  // Under another name.
  "client.delete(volumes, { name: 'pv' });",
  'client.deleteCollection(volumeSnapshotContents);',
  'client.delete(given, { name: 1 });',
  'client.patch(nodes, { metadata: { finalizers: left } });',
  'client.patch(nodes, { metadata: { finalizers: null } });',
  'client.patch(nodes, { metadata: { finalizers } });',
  // Adds one and takes others away.
  'client.patch(nodes, { finalizers: [...finalizers.filter(Boolean), left] });',
  "client.patch(nodes, [{ op: 'remove', path: '/metadata/finalizers/0' }]);",
  "vcenter.cns.deleteVolume('id');",
];

type Gate = (typeof gates)[number];
type Plant = readonly [fault: string, gate: Gate, planted: Readonly<Record<string, string>>, named: RegExp];
const plants: readonly Plant[] = [
  ['an unused file', 'unused', { 'packages/base/src/lonely.ts': 'export const lonely = 1;\n' }, /src\/lonely\.ts/],
  [
    'an unused export',
    'unused',
    { 'packages/base/src/numbers/half.ts': `${files['packages/base/src/numbers/half.ts']}export const third = 3;\n` },
    /third/,
  ],
  [
    'code that only a test uses',
    'unused',
    {
      'packages/base/src/answer.test.ts': `import './names/second.ts';\n${files['packages/base/src/answer.test.ts']}`,
      'packages/base/src/names/second.ts': "export const second = 'b';\n",
    },
    /second/,
  ],
  [
    'a module that is exported for nobody',
    'exports',
    { 'packages/base/package.json': workspace('base', ['answer', 'numbers/half']) },
    /numbers\/half, which nobody outside/,
  ],
  [
    'an import around the list of exports',
    'exports',
    { 'test/around.test.ts': "import { half } from '../packages/base/src/numbers/half.ts';\n\nhalf(1);\n" },
    /around\.test\.ts imports packages\/base\/src\/numbers\/half\.ts by its path/,
  ],
  [
    'a forbidden import',
    'imports',
    { 'packages/base/src/wrong.ts': "import { client } from '@vdo/kube/client';\n\nexport const wrong = client;\n" },
    /packages-base: packages\/base\/src\/wrong\.ts/,
  ],
  [
    'a cycle of modules',
    'imports',
    {
      'packages/base/src/one.ts': "import { two } from './two.ts';\n\nexport const one = (): unknown => two;\n",
      'packages/base/src/two.ts': "import { one } from './one.ts';\n\nexport const two = (): unknown => one;\n",
    },
    /no-cycles/,
  ],
  [
    'a cycle of folders',
    'imports',
    {
      'packages/base/src/names/second.ts':
        "import { half } from '../numbers/half.ts';\n\nexport const second = half;\n",
      'packages/base/src/numbers/third.ts':
        "import { first } from '../names/first.ts';\n\nexport const third = first;\n",
    },
    /folder-cycle: packages\/base\/src\/names and packages\/base\/src\/numbers/,
  ],
  [
    'an app that imports an app, and a layer that imports the one above',
    'imports',
    {
      'apps/csi/src/wrong.ts': "import '../../cpi/src/main.ts';\n",
      'apps/csi/src/rpc/above.ts': 'export const above = 1;\n',
      'apps/csi/src/volumes/wrong.ts': "import '../rpc/above.ts';\n",
    },
    /apps-csi: apps\/csi\/src\/wrong\.ts -> apps\/cpi\/src\/main\.ts\nerror csi-one-way: apps\/csi\/src\/volumes\/wrong\.ts/,
  ],
  [
    'a loop of the storage driver that speaks protobuf to itself',
    'imports',
    {
      'packages/csi-proto/src/message.ts': 'export type Message = 1;\n',
      'apps/csi/src/loops/wrong.ts':
        "import type { Message } from '../../../../packages/csi-proto/src/message.ts';\n\nexport const wrong: Message = 1;\n",
    },
    /csi-protocol-in-rpc: apps\/csi\/src\/loops\/wrong\.ts/,
  ],
  [
    'a way around the room of irreversible acts',
    'imports',
    {
      'packages/vsphere/src/destructive/destructive-calls.ts': 'export const destructiveCalls = 1;\n',
      'apps/csi/src/wrong.ts': "import '../../../packages/vsphere/src/destructive/destructive-calls.ts';\n",
    },
    /destructive-calls: apps\/csi\/src\/wrong\.ts/,
  ],
  // One run for all of them: each line of the file must be named.
  [
    'each irreversible act',
    'acts',
    { 'apps/csi/src/wrong.ts': `${actsHead}${irreversible.map((line) => `  ${line}\n`).join('')}};\n` },
    new RegExp(irreversible.map((_, index) => `wrong\\.ts:${index + 5}: [^\n]*only packages/acts may`).join('[^]*')),
  ],
  [
    'a wire method of a destructive call',
    'acts',
    { 'packages/vsphere/src/cns/wrong.ts': "import { cnsDeleteVolume } from '../wire/methods/cns.ts';\n" },
    /imports cnsDeleteVolume: only packages\/acts may/,
  ],
  [
    'a pattern that costs more than linear time',
    'regexes',
    { 'packages/base/src/names/first.ts': "export const first = 'a1'.replace(/[0-9]+$/, '');\n" },
    /first\.ts:1: \/\[0-9\]\+\$\/ costs more than linear time/,
  ],
  [
    'a pattern that begins again and again',
    'regexes',
    { 'packages/base/src/names/first.ts': "export const first = 'a1'.replace(/<one[^>]*>/, '');\n" },
    /first\.ts:1: .* takes \d+ ms over \d+ characters of "<one/,
  ],
  [
    'a pattern made while the program runs',
    'regexes',
    { 'packages/base/src/names/first.ts': "export const first = 'a1'.replace(new RegExp(process.title), '');\n" },
    /first\.ts:1: new RegExp\(process\.title\) is made/,
  ],
  [
    'a word that readers would have to guess, also over the end of a line',
    'words',
    { 'README.md': '# Small\n\nThe way to\nthe vCenters is what was told.\n' },
    /README\.md:4: "told": write reported\nREADME\.md:3: "way to the vCenters": write connection/,
  ],
  [
    'such a word in a comment of a source, broken over two lines',
    'words',
    { 'packages/base/src/names/first.ts': "// The way to\n// the vCenters.\nexport const told = 'a1';\n" },
    /, 1 problems\npackages\/base\/src\/names\/first\.ts:1: "way to the vCenters": write connection to vCenter$/m,
  ],
  [
    'such a word in a message of a source',
    'words',
    { 'packages/base/src/names/first.ts': "export const first = 'It was told.';\n" },
    /first\.ts:1: "told": write reported/,
  ],
  ['a file that is too long', 'sizes', { 'packages/base/src/long.ts': '\n'.repeat(401) }, /long\.ts: 401 lines/],
  ['a lint error', 'lint', { 'packages/base/src/bad.ts': 'export const bad: any = 1;\n' }, /noExplicitAny/],
  ['a format error', 'lint', { 'packages/base/src/bad.ts': 'export const bad = "1"\n' }, /bad\.ts/],
  [
    'a test marked as the only one',
    'lint',
    { 'test/only.test.ts': "import { it } from 'vitest';\n\nit.only('runs', () => {});\n" },
    /noFocusedTests/,
  ],
  [
    'a skipped test',
    'lint',
    { 'test/skip.test.ts': "import { it } from 'vitest';\n\nit.skip('runs', () => {});\n" },
    /noSkippedTests/,
  ],
  ['a type error', 'types', { 'packages/base/src/bad.ts': "export const bad: number = 'text';\n" }, /bad\.ts.*TS2322/],
  [
    'a stale generated file',
    'generate:verify',
    { 'deploy/greeting.yaml': 'hello: you\n' },
    /stale: deploy\/greeting\.yaml/,
  ],
];

describe('the gates', () => {
  let folder: TempFolder;
  const put = async (path: string, content: string): Promise<void> => {
    await mkdir(dirname(folder.file(path)), { recursive: true });
    await writeFile(folder.file(path), content);
  };

  /** Libraries are ours; the workspaces are those of the small repository. */
  const linkModules = async (): Promise<void> => {
    await mkdir(folder.file('node_modules/@vdo'), { recursive: true });
    for (const name of await readdir(`${root}node_modules`))
      if (name !== '@vdo' && name !== '.cache' && name !== '.package-lock.json')
        await symlink(`${root}node_modules/${name}`, folder.file(`node_modules/${name}`));
    for (const path of ['packages/base', 'packages/kube', 'apps/cpi', 'apps/csi'])
      await symlink(folder.file(path), folder.file(`node_modules/@vdo/${path.split('/')[1]}`));
  };

  beforeAll(async () => {
    folder = await createTempFolder('gates');
    const own = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
    const scripts = Object.fromEntries(gates.map((gate) => [gate, own.scripts[gate]]));
    // The small repository has fewer modules than ours must have.
    scripts.imports += ' --at-least 5';
    const devDependencies = Object.fromEntries(libraries.map((name) => [name, own.devDependencies[name]]));
    await put('package.json', manifest('small', { workspaces: own.workspaces, scripts, devDependencies }));
    for (const path of copied) await cp(`${root}${path}`, folder.file(path), { recursive: true });
    for (const [path, content] of Object.entries(files)) await put(path, content);
    // Our words; the small repository has none of our files to except.
    const words = JSON.parse(await readFile(`${root}tools/words/list.json`, 'utf8'));
    const all = words.words.map(({ allowed, ...word }: { readonly allowed?: unknown }) => word);
    await put('tools/words/list.json', JSON.stringify({ ...words, waiting: [], words: all }));
    await linkModules();
    await run('git', ['init', '-q'], { cwd: folder.path });
    await run('npx', ['biome', 'format', '--write', '.'], { cwd: folder.path });
  });
  afterAll(() => folder.remove());

  /** What a gate complains about; undefined if it lets the repository pass. */
  const complaint = (gate: Gate): Promise<string | undefined> =>
    run('npm', ['run', '--silent', gate], { cwd: folder.path, env: { NO_COLOR: '1', FORCE_COLOR: '0' } }).then(
      () => undefined,
      ({ stdout, stderr }: CommandError) => `${stdout}${stderr}`,
    );

  it.each(gates)('%s lets a clean repository pass', async (gate) => {
    expect(await complaint(gate)).toBeUndefined();
  });

  it.each(plants)('%s is refused by %s', async (_, gate, planted, named) => {
    const before = new Map<string, string | undefined>();
    for (const [path, content] of Object.entries(planted)) {
      before.set(path, await readFile(folder.file(path), 'utf8').catch(() => undefined));
      await put(path, content);
    }
    try {
      expect(await complaint(gate)).toMatch(named);
    } finally {
      for (const [path, content] of before) await (content === undefined ? rm(folder.file(path)) : put(path, content));
    }
  });
});
