// Runs the long tests file by file and keeps a ledger (tools/ledger.mjs), so that a run that was interrupted goes on where it
// stopped.
//   npm run test:long                     every long test that has not passed on this commit yet
//   npm run test:long -- bench/csi        those whose path contains "bench/csi"
//   npm run test:long -- --again          also those that have passed
//   npm run test:long -- --print          runs nothing: the ledger as a Markdown table
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { commitName, git, openLedger, root } from './ledger.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { again: { type: 'boolean' }, print: { type: 'boolean' }, ledger: { type: 'string' } },
});
const ledger = openLedger(values.ledger ?? join(root, '.ledger/long.jsonl'));

const runAll = () => {
  const commit = commitName();
  const files = git('ls-files', '-co', '--exclude-standard', '--', '*.long.test.ts')
    .split('\n')
    .filter((file) => file && (positionals.length === 0 || positionals.some((part) => file.includes(part))));
  if (files.length === 0) throw new Error(`no long test matches ${positionals.join(' ')}`);
  const results = files.map((file) => {
    const command = `vitest run --project long ${file}`;
    if (!values.again && ledger.hasPassed(commit, command)) {
      console.log(`passed on ${commit} before: ${file}`);
      return 'passed';
    }
    const began = performance.now();
    const { status } = spawnSync('npx', command.split(' '), { cwd: root, stdio: 'inherit' });
    const result = status === 0 ? 'passed' : 'failed';
    const seconds = Math.round((performance.now() - began) / 1000);
    ledger.add({ commit, command, result, seconds });
    return result;
  });
  const failed = results.filter((result) => result === 'failed').length;
  console.log(`${results.length - failed} passed, ${failed} failed on ${commit}`);
  process.exitCode = failed > 0 ? 1 : 0;
};

if (values.print) ledger.print();
else runAll();
