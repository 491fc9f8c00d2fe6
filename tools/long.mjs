// Runs the long tests file by file and keeps a ledger, so that a run that was interrupted goes on where it stopped.
//   npm run test:long                     every long test that has not passed on this commit yet
//   npm run test:long -- bench/csi        those whose path contains "bench/csi"
//   npm run test:long -- --again          also those that have passed
//   npm run test:long -- --print          runs nothing: the ledger as a Markdown table
// The ledger is .ledger/long.jsonl: {commit, command, result, seconds, date} on each line. A commit with changes that are
// not committed is noted as <commit>+changes, and is never taken for one that passed.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { again: { type: 'boolean' }, print: { type: 'boolean' }, ledger: { type: 'string' } },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const ledger = values.ledger ?? join(root, '.ledger/long.jsonl');
const entries = existsSync(ledger)
  ? readFileSync(ledger, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  : [];

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

const print = () => {
  console.log('| Commit | Command | Result | Seconds | Date |\n|---|---|---|---:|---|');
  for (const { commit, command, result, seconds, date } of entries)
    console.log(`| ${commit} | \`${command}\` | ${result} | ${seconds} | ${date} |`);
};

const runAll = () => {
  const commit = `${git('rev-parse', '--short=12', 'HEAD')}${git('status', '--porcelain') ? '+changes' : ''}`;
  const passed = new Set(
    entries.filter((entry) => entry.commit === commit && entry.result === 'passed').map(({ command }) => command),
  );
  const files = git('ls-files', '-co', '--exclude-standard', '--', '*.long.test.ts')
    .split('\n')
    .filter((file) => file && (positionals.length === 0 || positionals.some((part) => file.includes(part))));
  if (files.length === 0) throw new Error(`no long test matches ${positionals.join(' ')}`);
  mkdirSync(dirname(ledger), { recursive: true });
  const results = files.map((file) => {
    const command = `vitest run --project long ${file}`;
    if (!values.again && !commit.endsWith('+changes') && passed.has(command)) {
      console.log(`passed on ${commit} before: ${file}`);
      return 'passed';
    }
    const began = performance.now();
    const { status } = spawnSync('npx', command.split(' '), { cwd: root, stdio: 'inherit' });
    const result = status === 0 ? 'passed' : 'failed';
    const seconds = Math.round((performance.now() - began) / 1000);
    appendFileSync(ledger, `${JSON.stringify({ commit, command, result, seconds, date: new Date().toISOString() })}\n`);
    return result;
  });
  const failed = results.filter((result) => result === 'failed').length;
  console.log(`${results.length - failed} passed, ${failed} failed on ${commit}`);
  process.exitCode = failed > 0 ? 1 : 0;
};

if (values.print) print();
else runAll();
