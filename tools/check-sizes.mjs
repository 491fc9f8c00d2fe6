// A file is one idea: sources stay under 400 lines, tests under 800. Generated code (gen/) is exempt.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', '*.ts', '*.mjs', '*.cjs'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && !file.includes('/gen/'));
const limit = (file) => (file.includes('.test.') ? 800 : 400);
const tooLong = files
  .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
  .filter(({ file, lines }) => lines > limit(file));

for (const { file, lines } of tooLong)
  console.error(`${file}: ${lines} lines, at most ${limit(file)}: split it by idea`);
if (files.length === 0) console.error('no source file found: the check looked in the wrong place');
process.exitCode = tooLong.length > 0 || files.length === 0 ? 1 : 0;
console.log(`${files.length} files, ${tooLong.length} too long`);
