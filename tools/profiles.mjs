// Runs the suites of tools/profiles/suites.mjs on each release of the simulated vCenter and on govmomi's, and keeps what came of it in
// tools/profiles/results.json, from which docs/reference/vcenter-profiles.md is generated.
//   npm run profiles                          all of it: about half an hour, with the parts of the real tier
//   npm run profiles -- contract cpi          those suites only; the results of the others stay
//   npm run profiles -- crashes --release 7.0.3    on that release alone (or vcsim); the results of the others stay
// A result is kept with a digest of the tests and of what makes the release (tools/profiles/sources.mjs): test/tools/profiles.test.ts
// is red until a suite has been run again after these have changed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './ledger.mjs';
import { sourcesOf } from './profiles/sources.mjs';
import { suites } from './profiles/suites.mjs';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { release: { type: 'string' } } });
const unknown = positionals.filter((id) => suites.every((suite) => suite.id !== id));
if (unknown.length > 0) throw new Error(`no suite is called ${unknown.join(', ')}`);
const wanted = suites.filter(({ id }) => positionals.length === 0 || positionals.includes(id));

const resultsPath = join(root, 'tools/profiles/results.json');
let results = JSON.parse(readFileSync(resultsPath, 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'profiles-'));

/** Every test of a run, by its full name. */
const runTests = (project, files, { release, start } = {}) => {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const env = { ...process.env, ...(release === undefined ? {} : { VDO_SIM_RELEASE: release }) };
  const only = start === undefined ? [] : ['-t', `^${start.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`];
  // A table is not a measurement of speed: a busy machine must not make holes in it.
  const patience = '--test-timeout=1200000';
  const args = ['vitest', 'run', '--project', project, ...files, ...only, ...output, patience];
  spawnSync('npx', args, { cwd: root, stdio: 'inherit', env });
  return JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(({ assertionResults }) => assertionResults);
};

const count = (tests) => ({
  passed: tests.filter(({ status }) => status === 'passed').length,
  failed: tests.filter(({ status }) => status === 'failed').length,
  skipped: tests.filter(({ status }) => status !== 'passed' && status !== 'failed').length,
});

/** `sources`: as they were before the run. Others may have kept results meanwhile. */
const keep = ({ id }, release, { tests, sources }) => {
  results = JSON.parse(readFileSync(resultsPath, 'utf8'));
  results[id] = { ...results[id], [release]: { ...count(tests), sources } };
  writeFileSync(resultsPath, `${JSON.stringify(results, undefined, 2)}\n`);
};

try {
  for (const suite of wanted) {
    const { project, files, start, vcsim } = suite;
    const releases = suite.releases.filter((one) => values.release === undefined || values.release === one);
    const sources = Object.fromEntries([...releases, 'vcsim'].map((one) => [one, sourcesOf(suite, one)]));
    if (start && releases.length > 0) {
      const one = releases.length === 1 ? { start: start(releases[0]) } : {};
      const all = runTests(project, files, one);
      for (const release of releases) {
        const tests = all.filter(({ fullName }) => fullName.startsWith(start(release)));
        keep(suite, release, { tests, sources: sources[release] });
      }
    } else
      for (const release of releases)
        keep(suite, release, { tests: runTests(project, files, { release }), sources: sources[release] });
    if (vcsim && (values.release ?? 'vcsim') === 'vcsim')
      keep(suite, 'vcsim', { tests: runTests('real', vcsim), sources: sources.vcsim });
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
