// Runs dependency-cruiser with the import table, looks for folders that import each other, and refuses a run that looked at
// nothing.
//   node tools/check-imports.mjs [--at-least <modules>]
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { folderCycles } from './folder-cycles.mjs';

const { values } = parseArgs({ options: { 'at-least': { type: 'string', default: '40' } } });
const minimumModules = Number(values['at-least']);

const { stdout, stderr } = spawnSync('npx', ['depcruise', 'packages', 'apps', 'test', '--output-type', 'json'], {
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});
if (!stdout) throw new Error(`dependency-cruiser said nothing: ${stderr}`);
const { summary, modules } = JSON.parse(stdout);

const own = modules.filter(({ source }) => /^(packages|apps|test)\//.test(source)).length;
const problems = summary.violations.map(({ rule, from, to, cycle }) => {
  const path = cycle ? cycle.map(({ name }) => name).join(' -> ') : to;
  return `${rule.severity} ${rule.name}: ${from} -> ${path}`;
});

for (const { folders, examples } of folderCycles(modules))
  problems.push(`error folder-cycle: ${folders.join(' and ')} import each other: ${examples.join(', ')}`);

for (const problem of problems) console.error(problem);
if (own < minimumModules)
  console.error(
    `only ${own} modules cruised, at least ${minimumModules} expected: the check looked in the wrong place`,
  );
console.log(`${own} modules, ${problems.length} violations`);
process.exitCode = problems.length > 0 || own < minimumModules ? 1 : 0;
