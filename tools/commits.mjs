// Checks the messages of commits: a subject of at most 72 characters that names its area, and a body that says why.
//   npm run commits                   those that main does not have
//   npm run commits -- v1..HEAD       those of a range
import { execFileSync } from 'node:child_process';

const [range = 'main..HEAD'] = process.argv.slice(2);
const log = execFileSync('git', ['log', '--no-merges', '--format=%h%x00%s%x00%b%x01', range], { encoding: 'utf8' });
const commits = log
  .split('\x01')
  .map((entry) => entry.trim())
  .filter(Boolean)
  .map((entry) => entry.split('\0'));

const faultsOf = ([, subject, body]) => [
  ...(subject.length > 72 ? [`its subject has ${subject.length} characters, at most 72`] : []),
  ...(/^[\w ,./-]+: \S/.test(subject) ? [] : ['its subject names no area ("area: imperative sentence")']),
  ...(body.trim() ? [] : ['it has no body that says why']),
];

const faulty = commits.filter((commit) => faultsOf(commit).length > 0);
for (const commit of faulty) console.error(`${commit[0]} ${commit[1]}\n  ${faultsOf(commit).join('\n  ')}`);
console.log(`${commits.length} commits in ${range}, ${faulty.length} to fix`);
process.exitCode = faulty.length > 0 ? 1 : 0;
