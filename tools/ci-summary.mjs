// Adds up a CI run from its records, never from its printed output.
//   node tools/ci-summary.mjs <folder> [--seconds <of the whole run>] [--remember <file>]
// The folder holds steps.tsv (name, kind, exit code, seconds), what each step printed as <name>.log and, for each step of kind
// `tests`, the JSON report of vitest as <name>.json. What failed is named: a test, a file that broke outside its tests, the run
// itself (an error that nobody handled), or a check by the end of what it printed. Then come the slowest tests, and the time of each part of the run against its budget; a machine may be
// slow for reasons of its own, so that time is shown and never a failure. The last line printed is `N passed, N failed, N skipped`.
// With --remember tools/test-seconds.json the long files of that run are written there: they begin first from then on. One that is
// long and not written there is named.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string' }, remember: { type: 'string' } },
});
const [folder] = positionals;
if (!folder) throw new Error('usage: node tools/ci-summary.mjs <folder>');
/** Minutes, with everything built and fetched; `rest` is the time of the run that is in no step with a budget of its own. */
const budgets = {
  unit: 6,
  real: 14,
  machine: 14,
  seeds: 1.5,
  'image-seeds': 2,
  'operator-seeds': 1,
  profiles: 4,
  journeys: 4,
  rest: 4,
};
/** Fetching and building, which the first run on a machine does. */
const unlimited = ['packages', 'install', 'parts'];
const slowestShown = 20;
const inCi = process.env.CI === 'true';

const steps = readFileSync(join(folder, 'steps.tsv'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => {
    const [name, kind, code, seconds] = line.split('\t');
    return { name, kind, failed: code !== '0', seconds };
  });

const readReport = (name) => {
  const path = join(folder, `${name}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
};

const failedOnly = (problem) => ({ passed: 0, failed: 1, skipped: [], named: [], problem });

const fileName = ({ name }) => relative(process.cwd(), name);
const failedIn = ({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed');

// A failed file as lines that say what failed: its tests, or the file itself when it broke outside any of them.
const describeFailure = (file) => {
  const tests = failedIn(file).map(
    ({ fullName, failureMessages = [] }) =>
      `${fileName(file)} > ${fullName}: ${failureMessages[0]?.split('\n')[0] ?? ''}`,
  );
  return tests.length > 0 ? tests : [`${fileName(file)}: ${file.message?.split('\n')[0] ?? ''}`];
};

const countTests = ({ name, failed: stepFailed }) => {
  const report = readReport(name);
  if (!report) return failedOnly('left no report');
  const files = report.testResults;
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  if (tests.length === 0) return failedOnly('ran no test');
  const withStatus = (...statuses) => tests.filter(({ status }) => statuses.includes(status));
  const failedFiles = files.filter(({ status }) => status === 'failed');
  const brokenFiles = failedFiles.filter((file) => failedIn(file).length === 0);
  const failed = withStatus('failed').length + brokenFiles.length;
  // An error that nobody handled fails the run without failing a test or a file.
  const runBroke = failed === 0 && (stepFailed || !report.success);
  return {
    passed: withStatus('passed').length,
    failed: runBroke ? 1 : failed,
    skipped: withStatus('skipped', 'pending', 'todo', 'disabled').map(({ fullName }) => fullName),
    named: failedFiles.flatMap(describeFailure).map((line) => `failed: ${line}`),
    problem: runBroke ? 'failed outside any test' : undefined,
  };
};

const endShown = 30;

/** The end of what a step printed that failed and named nothing: the summary may be all that is kept. */
const endOf = (name) => {
  const path = join(folder, `${name}.log`);
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n').slice(-endShown) : [];
};

const countCheck = ({ failed }) => ({ passed: failed ? 0 : 1, failed: failed ? 1 : 0, skipped: [], named: [] });

const countStep = (step) => {
  const counted = step.kind === 'tests' ? countTests(step) : countCheck(step);
  const says = counted.failed > 0 && (counted.named ?? []).length === 0 ? endOf(step.name) : [];
  return { ...step, ...counted, named: [...(counted.named ?? []), ...says] };
};

const counted = steps.map(countStep);
const forbidden = counted.filter(
  ({ name, skipped }) => inCi && ['real', 'machine'].includes(name) && skipped.length > 0,
);
for (const { name, passed, failed, skipped, named, seconds, problem } of counted) {
  const note = problem ? ` (${problem})` : '';
  console.log(
    `${failed > 0 ? 'FAILED' : 'ok    '} ${name.padEnd(10)} ${seconds.padStart(5)} s  ${passed} passed, ${failed} failed, ${skipped.length} skipped${note}`,
  );
  for (const line of named) console.log(`       ${line}`);
  for (const title of skipped) console.log(`       skipped: ${title}`);
}
if (steps.length === 0) console.log('no step was run');
for (const { skipped } of forbidden)
  console.log(`${skipped.length} tests of the real tier were skipped: in CI that is a failure`);

const slowest = counted
  .flatMap(({ name, kind }) => (kind === 'tests' ? (readReport(name)?.testResults ?? []) : []))
  .flatMap((file) => file.assertionResults.map((test) => ({ file: fileName(file), ...test })))
  .filter(({ duration }) => duration >= 1000)
  .sort((one, other) => other.duration - one.duration)
  .slice(0, slowestShown);
if (slowest.length > 0) console.log(`the slowest tests:`);
for (const { file, fullName, duration } of slowest)
  console.log(`${(duration / 1000).toFixed(1).padStart(8)} s  ${file} > ${fullName}`);

/** Of files that take that long it matters when they begin. */
const longSeconds = 10;
const remembered = JSON.parse(readFileSync(new URL('test-seconds.json', import.meta.url), 'utf8'));
const long = counted
  .flatMap(({ name, kind }) => (kind === 'tests' ? (readReport(name)?.testResults ?? []) : []))
  .flatMap((file) => {
    const took = Math.round((file.endTime - file.startTime) / 1000);
    return took >= longSeconds ? [[fileName(file), took]] : [];
  })
  .sort(([, one], [, other]) => other - one);
const news = long.filter(([file, took]) => took >= 3 * longSeconds && remembered[file] === undefined);
if (values.remember) writeFileSync(values.remember, `${JSON.stringify(Object.fromEntries(long), undefined, 2)}\n`);
for (const [file, took] of news)
  console.log(`${file} took ${took} s and does not begin early: see --remember in tools/ci-summary.mjs`);

const secondsOf = (names) =>
  steps.filter(({ name }) => names.includes(name)).reduce((sum, { seconds }) => sum + Number(seconds), 0);
const apart = [...Object.keys(budgets), ...unlimited];
const spent = Object.fromEntries(Object.keys(budgets).map((name) => [name, secondsOf([name])]));
// Tests of the machine run beside those of the real tier: the longer of the two counts.
const together = Math.min(spent.real, spent.machine);
spent.rest = Math.max(0, Number(values.seconds ?? 0) - secondsOf(apart) + together);
for (const [name, minutes] of Object.entries(budgets).filter(([name]) => spent[name] > 0))
  console.log(
    `${spent[name] > minutes * 60 ? 'over budget' : 'in budget'}: ${name} took ${(spent[name] / 60).toFixed(1)} of ${minutes} minutes`,
  );

const total = (key) => counted.reduce((sum, step) => sum + step[key], 0);
const failed = total('failed');
const skipped = counted.reduce((sum, step) => sum + step.skipped.length, 0);
console.log(`${total('passed')} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 || forbidden.length > 0 || steps.length === 0 ? 1 : 0;
