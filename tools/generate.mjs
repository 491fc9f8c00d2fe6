// Writes the generated files of the repository, or checks that they are fresh.
//   npm run generate                  writes what changed, removes what is no longer generated
//   npm run generate:verify           changes nothing; fails, naming each stale file
//
// A generator is a module of tools/generators that exports:
//   name      for messages
//   run()     gives, or promises, a Map from path (relative to the repository) to content
//   outputs   optional: the paths it owns; one that ends in / is a folder it owns entirely, so that files which it no
//             longer gives are found stale. Every path it gives must then be among them.
// A module of that folder that exports neither name nor run is a helper of its neighbours.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { verify: { type: 'boolean', default: false }, root: { type: 'string' } } });
const root = values.root ?? fileURLToPath(new URL('..', import.meta.url));

const loadGenerators = async () => {
  const folder = join(root, 'tools/generators');
  const files = existsSync(folder) ? (await readdir(folder)).filter((file) => file.endsWith('.mjs')).sort() : [];
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(folder, file)).href)));
  return modules.filter((module, index) => {
    const exported = ['name', 'run'].filter((key) => key in module);
    if (exported.length === 1)
      throw new Error(`tools/generators/${files[index]} exports ${exported[0]} only: a generator has name and run`);
    return exported.length === 2;
  });
};

const filesUnder = async (folder) => {
  if (!existsSync(join(root, folder))) return [];
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
};

const existingOutputs = async (outputs) => {
  const found = await Promise.all(outputs.map((output) => (output.endsWith('/') ? filesUnder(output) : [output])));
  return found.flat().filter((path) => existsSync(join(root, path)));
};

const owns = (outputs, path) =>
  outputs.some((output) => path === output || (output.endsWith('/') && path.startsWith(output)));

/** What would have to change for one generator's files to be fresh: [path, new content or undefined to remove]. */
const changesOf = async (generator) => {
  const wanted = await generator.run();
  const outputs = generator.outputs ?? [...wanted.keys()];
  const foreign = [...wanted.keys()].filter((path) => !owns(outputs, path));
  if (foreign.length > 0)
    throw new Error(`${generator.name} writes ${foreign.join(', ')}, which its outputs do not list`);
  if (wanted.size === 0) throw new Error(`${generator.name} generates no file`);
  const obsolete = (await existingOutputs(outputs)).filter((path) => !wanted.has(path));
  const current = (path) => readFile(join(root, path), 'utf8').catch(() => undefined);
  const changed = [];
  for (const [path, content] of wanted) if ((await current(path)) !== content) changed.push([path, content]);
  return { count: wanted.size, changes: [...changed, ...obsolete.map((path) => [path, undefined])] };
};

const apply = async ([path, content]) => {
  const target = join(root, path);
  if (content === undefined) return rm(target);
  await mkdir(dirname(target), { recursive: true });
  return writeFile(target, content);
};

const generators = await loadGenerators();
const results = [];
for (const generator of generators) results.push(await changesOf(generator));
const changes = results.flatMap((result) => result.changes);
const files = results.reduce((sum, { count }) => sum + count, 0);

for (const change of changes) {
  const [path, content] = change;
  if (values.verify) console.error(`stale: ${path}${content === undefined ? ' is no longer generated' : ''}`);
  else {
    await apply(change);
    console.log(`${content === undefined ? 'removed' : 'wrote'} ${path}`);
  }
}
console.log(
  `${generators.length} generators, ${files} files, ${changes.length} ${values.verify ? 'stale' : 'changed'}`,
);
if (values.verify && changes.length > 0) console.error('refresh them with: npm run generate');
if (generators.length === 0)
  console.error('no generator found in tools/generators: the check looked in the wrong place');
process.exitCode = generators.length === 0 || (values.verify && changes.length > 0) ? 1 : 0;
