// Writes the table of vSphere types from the type information that pyvmomi publishes.
//   npm run schema        needs Python with pyvmomi in the pinned version; PYTHON names the interpreter (default python3); GOVMOMI: a folder with govmomi v0.55.1
// The table is committed: nothing else here needs Python.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../load-typescript.mjs';
import { writeSsoFacts } from './govmomi-sso.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const python = process.env.PYTHON ?? 'python3';
const target = here('../../packages/vsphere/src/wire/table/gen/type-table.ts');

const pin = /PIN = "([^"]+)"/.exec(readFileSync(here('extract.py'), 'utf8'))?.[1];
try {
  execFileSync(python, ['-c', 'import pyVmomi'], { stdio: 'ignore' });
} catch {
  console.error(`${python} has no pyvmomi: make a virtual environment, run "pip install pyvmomi==${pin}" in it,`);
  console.error('and run "PYTHON=<its python> npm run schema"');
  process.exit(1);
}
const { used } = await loadTypeScript(here('used.ts'));
const table = execFileSync(python, [here('extract.py')], { input: JSON.stringify(used()), maxBuffer: 64 << 20 });
// What pyvmomi is silent about.
if (process.env.GOVMOMI) await writeSsoFacts(process.env.GOVMOMI);
const more = ['govmomi.txt', 'govmomi-sso.txt'].map((name) => readFileSync(here(name), 'utf8').trimEnd());
const text = [table.toString('utf8').trimEnd(), ...more].join('\n');
if (/[`\\$]/.test(text)) throw new Error('the table holds a character that a template literal cannot carry');
const heading =
  '// Facts of the vSphere API, written by `npm run schema`; the format is told by ../read-table.ts. Do not edit.\n';
writeFileSync(target, `${heading}export const typeTableText = \`${text}\`;\n`);
console.log(`${text.split('\n').length} lines, ${text.length} bytes`);
