// A package's `exports` is its table of contents: exactly the modules that other workspaces, tests or tools import.
//   node tools/exports.mjs --write      writes the list into each package.json
//   node tools/exports.mjs --verify     changes nothing; fails, naming each module that is listed but that nobody else
//                                       imports, each that is imported but not listed, and each import that goes around
//                                       the list by a relative path
// `--root <folder>` looks at another repository than this one.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { write: { type: 'boolean' }, verify: { type: 'boolean' }, root: { type: 'string' } },
});
if (!values.write === !values.verify) throw new Error('usage: node tools/exports.mjs --write | --verify');
const root = values.root ?? fileURLToPath(new URL('..', import.meta.url));

const workspaces = ['packages', 'apps'].flatMap((group) =>
  (existsSync(join(root, group)) ? readdirSync(join(root, group)) : [])
    .map((name) => `${group}/${name}`)
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      return { folder, manifest, name: manifest.name, used: new Map() };
    }),
);
const byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));
const workspaceOf = (path) => workspaces.find(({ folder }) => path.startsWith(`${folder}/`));

const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', '*.ts', '*.mjs', '*.cjs'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && existsSync(join(root, file)));

const targetOf = (module) => `./src/${module}.ts`;
const problems = [];
// What is quoted whole counts as imported. A module that is not there is a test's fixture, or an error that the types gate names.
const packageModule = /['"](@[a-z0-9-]+\/[a-z0-9-]+)\/([\w./-]+)['"]/g;
const relativeModule = /(?:from|import\() ?['"](\.\.?\/[^'"]+)['"]/g;
for (const file of sources) {
  const text = readFileSync(join(root, file), 'utf8');
  for (const [, name, module] of text.matchAll(packageModule)) {
    const workspace = byName.get(name);
    if (workspace && !workspace.used.has(module) && existsSync(join(root, workspace.folder, targetOf(module))))
      workspace.used.set(module, file);
  }
  for (const [, path] of text.matchAll(relativeModule)) {
    const target = join(file, '..', path);
    const owner = workspaceOf(target);
    if (owner && owner !== workspaceOf(file) && target.startsWith(`${owner.folder}/src/`))
      problems.push(`${file} imports ${target} by its path: import it as a module of ${owner.name}`);
  }
}

const wanted = ({ used }) =>
  Object.fromEntries([...used.keys()].sort().map((module) => [`./${module}`, targetOf(module)]));

const verify = (workspace) => {
  const { folder, manifest, used } = workspace;
  const listed = manifest.exports ?? {};
  const own = Object.keys(wanted(workspace));
  for (const module of Object.keys(listed).filter((name) => !own.includes(name)))
    problems.push(`${folder} exports ${module}, which nobody outside it imports`);
  for (const module of own.filter((name) => !(name in listed)))
    problems.push(`${folder} does not export ${module}, which ${used.get(module.slice(2))} imports`);
  for (const [module, target] of Object.entries(listed))
    if (!module.includes('*') && !existsSync(join(root, folder, target)))
      problems.push(`${folder} exports ${module} as ${target}, which is not there`);
};

const write = (workspace) => {
  const path = join(root, workspace.folder, 'package.json');
  const exports = wanted(workspace);
  const { exports: _, ...rest } = workspace.manifest;
  // At its old position, so that the diff shows the list alone.
  const entries = Object.entries(workspace.manifest).flatMap(([key, value]) =>
    key === 'exports' ? [[key, exports]] : [[key, value]],
  );
  const next = 'exports' in workspace.manifest ? Object.fromEntries(entries) : { ...rest, exports };
  const text = `${JSON.stringify(next, null, 2)}\n`;
  if (text === readFileSync(path, 'utf8')) return;
  writeFileSync(path, text);
  console.log(`wrote ${workspace.folder}/package.json: ${Object.keys(exports).length} modules`);
};

for (const workspace of workspaces) (values.write ? write : verify)(workspace);
for (const problem of problems) console.error(problem);
if (problems.length > 0 && values.verify) console.error('write the lists with: npm run exports:write');
if (workspaces.length === 0) console.error('no workspace found: the check looked in the wrong place');
const modules = workspaces.reduce((sum, { used }) => sum + used.size, 0);
console.log(`${workspaces.length} workspaces, ${modules} modules imported from outside, ${problems.length} problems`);
process.exitCode = problems.length > 0 || workspaces.length === 0 ? 1 : 0;
