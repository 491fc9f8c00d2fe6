// Writes the generated files of the repository, or checks that they are fresh.
//   npm run generate                  writes what changed, removes what is no longer generated
//   npm run generate:verify           changes nothing; fails, naming each stale file
//
// A generator is a module tools/generators/<name>.mjs that exports `generator`:
//   name      for messages
//   outputs   the paths it owns, relative to the repository; one that ends in / is a folder it owns entirely
//   run()     gives, or promises, a Map from path to content; every path must be one it owns
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
  return modules.map(({ generator }, index) => {
    if (!generator) throw new Error(`tools/generators/${files[index]} exports no \`generator\``);
    return generator;
  });
};

const filesUnder = async (folder) => {
  if (!existsSync(join(root, folder))) return [];
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
};

const existingOutputs = async ({ outputs }) => {
  const found = await Promise.all(outputs.map((output) => (output.endsWith('/') ? filesUnder(output) : [output])));
  return found.flat().filter((path) => existsSync(join(root, path)));
};

const owns = ({ outputs }, path) =>
  outputs.some((output) => path === output || (output.endsWith('/') && path.startsWith(output)));

/** What would have to change for one generator's files to be fresh: [path, new content or undefined to remove]. */
const changesOf = async (generator) => {
  const wanted = await generator.run();
  const foreign = [...wanted.keys()].filter((path) => !owns(generator, path));
  if (foreign.length > 0)
    throw new Error(`${generator.name} writes ${foreign.join(', ')}, which its outputs do not list`);
  if (wanted.size === 0) throw new Error(`${generator.name} generates no file`);
  const obsolete = (await existingOutputs(generator)).filter((path) => !wanted.has(path));
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
