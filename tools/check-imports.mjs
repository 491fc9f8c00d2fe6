// Runs dependency-cruiser with the import table and refuses a run that looked at nothing.
import { execFileSync } from 'node:child_process';

const minimumModules = 40;
const run = () => {
  try {
    return execFileSync('npx', ['depcruise', 'packages', 'apps', 'test', '--output-type', 'json'], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
  } catch (error) {
    if (error.stdout) return error.stdout;
    throw error;
  }
};

const { summary, modules } = JSON.parse(run());
const own = modules.filter(({ source }) => /^(packages|apps|test)\//.test(source)).length;
for (const { rule, from, to, cycle } of summary.violations) {
  const path = cycle ? cycle.map(({ name }) => name).join(' -> ') : to;
  console.error(`${rule.severity} ${rule.name}: ${from} -> ${path}`);
}
if (own < minimumModules)
  console.error(
    `only ${own} modules cruised, at least ${minimumModules} expected: the check looked in the wrong place`,
  );
console.log(`${own} modules, ${summary.violations.length} violations`);
process.exitCode = summary.violations.length > 0 || own < minimumModules ? 1 : 0;
