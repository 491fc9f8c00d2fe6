// Runs the suites of tools/profiles/suites.mjs on each release of the simulated vCenter and on govmomi's, and keeps what came of it in
// tools/profiles/results.json, from which docs/reference/vcenter-profiles.md is generated.
//   npm run profiles                          all of it: about half an hour, with the parts of the real tier
//   npm run profiles -- contract cpi          those suites only; the results of the others stay
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './ledger.mjs';
import { suites } from './profiles/suites.mjs';

const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.filter((id) => suites.every((suite) => suite.id !== id));
if (unknown.length > 0) throw new Error(`no suite is called ${unknown.join(', ')}`);
const wanted = suites.filter(({ id }) => positionals.length === 0 || positionals.includes(id));

const resultsPath = join(root, 'tools/profiles/results.json');
const results = JSON.parse(readFileSync(resultsPath, 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'profiles-'));

/** Every test of a run, by its full name. */
const runTests = (project, files, release) => {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const env = { ...process.env, ...(release === undefined ? {} : { VDO_SIM_RELEASE: release }) };
  spawnSync('npx', ['vitest', 'run', '--project', project, ...files, ...output], { cwd: root, stdio: 'inherit', env });
  return JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(({ assertionResults }) => assertionResults);
};

const count = (tests) => ({
  passed: tests.filter(({ status }) => status === 'passed').length,
  failed: tests.filter(({ status }) => status === 'failed').length,
  skipped: tests.filter(({ status }) => status !== 'passed' && status !== 'failed').length,
});

const keep = (id, release, tests) => {
  results[id] = { ...results[id], [release]: count(tests) };
  writeFileSync(resultsPath, `${JSON.stringify(results, undefined, 2)}\n`);
};

try {
  for (const { id, project, files, releases, start, vcsim } of wanted) {
    if (start) {
      const tests = runTests(project, files);
      for (const release of releases)
        keep(
          id,
          release,
          tests.filter(({ fullName }) => fullName.startsWith(start(release))),
        );
    } else for (const release of releases) keep(id, release, runTests(project, files, release));
    if (vcsim) keep(id, 'vcsim', runTests('real', vcsim));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const failed = wanted.flatMap(({ id }) =>
  Object.entries(results[id] ?? {}).flatMap(([release, { failed: count, passed }]) =>
    count > 0 || passed === 0 ? [`${id} on ${release}`] : [],
  ),
);
console.log(failed.length === 0 ? 'all passed' : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
