// A ledger of long runs: one line of JSON per command, {commit, command, result, seconds, date}, so that a run that was
// interrupted goes on where it stopped. A commit with changes that are not committed is noted as <commit>+changes, and is never
// taken for one that passed. An entry that names its program counts by that alone: the commit only says where it came from.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** The commit as a ledger names it. */
export const commitName = () =>
  `${git('rev-parse', '--short=12', 'HEAD')}${git('status', '--porcelain') ? '+changes' : ''}`;

/** A run that was killed while it wrote leaves half a line: that command counts as not run. */
const readEntry = (line) => {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
};

export const openLedger = (path) => {
  const entries = existsSync(path) ? readFileSync(path, 'utf8').split('\n').flatMap(readEntry) : [];
  const passed = new Set(
    entries
      .filter(({ result }) => result === 'passed')
      .map(({ commit, program = commit, command }) => `${program} ${command}`),
  );
  return {
    entries,
    /** Whether this command has passed on a commit, or in a program that has this name. */
    hasPassed: (name, command) => !name.endsWith('+changes') && passed.has(`${name} ${command}`),
    add: (entry) => {
      mkdirSync(dirname(path), { recursive: true });
      const isTorn = existsSync(path) && !readFileSync(path, 'utf8').endsWith('\n');
      appendFileSync(path, `${isTorn ? '\n' : ''}${JSON.stringify({ ...entry, date: new Date().toISOString() })}\n`);
    },
    print: () => {
      console.log('| Commit | Command | Result | Seconds | Date |\n|---|---|---|---:|---|');
      for (const { commit, program, command, result, seconds, date } of entries)
        console.log(
          `| ${commit}${program ? ` (${program})` : ''} | \`${command}\` | ${result} | ${seconds} | ${date} |`,
        );
    },
  };
};
