// Runs the suites of tools/profiles/suites.mjs on each release of the simulated vCenter and on govmomi's, and keeps what came of it in
// tools/profiles/results.json, from which docs/reference/vcenter-profiles.md is generated.
//   npm run profiles                          all of it: about half an hour, with the parts of the real tier
//   npm run profiles -- contract cpi          those suites only; the results of the others stay
//   npm run profiles -- crashes --release 7.0.3    on that release alone (or vcsim); may be repeated
// A result is kept with a digest of the tests and of what makes the release (tools/profiles/sources.mjs): test/tools/profiles.test.ts
// is red until a suite has been run again after these have changed.
// A run that is interrupted ends its tests and removes their mounts and loop devices; what a killed one leaves, the next one removes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './ledger.mjs';
import { createRunFolder, removeRunFolder } from './profiles/run-folder.mjs';
import { sourcesOf } from './profiles/sources.mjs';
import { suites } from './profiles/suites.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { release: { type: 'string', multiple: true } },
});
const unknown = positionals.filter((id) => suites.every((suite) => suite.id !== id));
if (unknown.length > 0) throw new Error(`no suite is called ${unknown.join(', ')}`);
const known = ['vcsim', ...suites.flatMap(({ releases }) => releases)];
const unknownReleases = (values.release ?? []).filter((release) => !known.includes(release));
if (unknownReleases.length > 0) throw new Error(`there is no ${unknownReleases.join(', ')}`);
const isWanted = (release) => values.release?.includes(release) ?? true;
const wanted = suites.filter(({ id }) => positionals.length === 0 || positionals.includes(id));

const resultsPath = join(root, 'tools/profiles/results.json');
const failed = [];
const folder = createRunFolder();

/** The tests that run now lead a process group. */
let tests;
let isEnding = false;
const interrupted = (signal) => {
  isEnding = true;
  if (tests?.pid) process.kill(-tests.pid, 'SIGTERM');
  // They may end by themselves before they are killed.
  setTimeout(() => {
    removeRunFolder(folder);
    process.exit(128 + constants.signals[signal]);
  }, 3_000);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, interrupted);

const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Every test of a run, by its full name. */
const runTests = async (project, files, { release, starts } = {}) => {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const env = { ...process.env, TMPDIR: folder, ...(release === undefined ? {} : { VDO_SIM_RELEASE: release }) };
  const only = starts === undefined ? [] : ['-t', `^(?:${starts.map(literally).join('|')})`];
  // A table is not a measurement of speed: a busy machine must not make holes in it.
  const patience = '--test-timeout=1200000';
  const args = ['vitest', 'run', '--project', project, ...files, ...only, ...output, patience];
  tests = spawn('npx', args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env, detached: true });
  await once(tests, 'close');
  if (isEnding) await new Promise(() => {});
  tests = undefined;
  return JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(({ assertionResults }) => assertionResults);
};

const count = (tests) => ({
  passed: tests.filter(({ status }) => status === 'passed').length,
  failed: tests.filter(({ status }) => status === 'failed').length,
  skipped: tests.filter(({ status }) => status !== 'passed' && status !== 'failed').length,
});

/** `sources`: as they were before the run. Others may have kept results meanwhile. */
const keep = ({ id }, release, { tests, sources }) => {
  const results = JSON.parse(readFileSync(resultsPath, 'utf8'));
  results[id] = { ...results[id], [release]: { ...count(tests), sources } };
  writeFileSync(resultsPath, `${JSON.stringify(results, undefined, 2)}\n`);
  const { failed: failures, passed } = results[id][release];
  if (failures > 0 || passed === 0) failed.push(`${id} on ${release}`);
};

try {
  for (const suite of wanted) {
    const { project, files, start, vcsim } = suite;
    const releases = suite.releases.filter(isWanted);
    const sources = Object.fromEntries([...releases, 'vcsim'].map((one) => [one, sourcesOf(suite, one)]));
    if (start && releases.length > 0) {
      const all = await runTests(project, files, { starts: releases.map(start) });
      for (const release of releases) {
        const tests = all.filter(({ fullName }) => fullName.startsWith(start(release)));
        keep(suite, release, { tests, sources: sources[release] });
      }
    } else
      for (const release of releases)
        keep(suite, release, { tests: await runTests(project, files, { release }), sources: sources[release] });
    if (vcsim && isWanted('vcsim'))
      keep(suite, 'vcsim', { tests: await runTests('real', vcsim), sources: sources.vcsim });
  }
} finally {
  removeRunFolder(folder);
}
console.log(failed.length === 0 ? 'all passed' : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
