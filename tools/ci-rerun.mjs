// Runs the test files that failed once more, alone, so that a test upset by a busy machine is told from a broken one.
//   node tools/ci-rerun.mjs <folder> <name>
// Reads <name>.json, vitest's report of the first try, and leaves <name>-again.json beside it; ci-summary.mjs counts
// what passed then and names it as unsteady. Many failing files are a broken build, not bad luck: they are not tried again.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const mostFiles = 4;

const [folder, name] = process.argv.slice(2);
if (!folder || !name) throw new Error('usage: node tools/ci-rerun.mjs <folder> <name>');

const report = join(folder, `${name}.json`);
const failed = existsSync(report)
  ? JSON.parse(readFileSync(report, 'utf8')).testResults.filter(({ status }) => status === 'failed')
  : [];
if (failed.length === 0 || failed.length > mostFiles) {
  console.log(`not tried again: ${failed.length} files failed (1 to ${mostFiles} are tried again)`);
} else {
  const files = failed.map((file) => file.name);
  const options = ['--project', name, '--maxWorkers=1', '--reporter=default', '--reporter=json'];
  const output = `--outputFile.json=${join(folder, `${name}-again.json`)}`;
  console.log(`tried again, alone: ${files.join(' ')}`);
  spawnSync('npx', ['vitest', 'run', ...options, output, ...files], { stdio: 'inherit' });
}
