// The whole system on virtual time: seeds of users, faults and dying processes, and what must hold whatever happens
// (test/simulate).
//   npm run simulate -- --seeds 1..300 [--workers 2] [--steps 100]   lives them; exit code 1 if one fails
//   npm run simulate -- --seeds 1..10000 --ledger   skips the hundreds (of operators: twenties) that this program has passed, on
//                                                   whatever commit, notes the others: a run that was cut off goes on, with the
//                                                   coverage of all its parts (tools/simulate/bundle-program.mjs)
//   npm run simulate -- --print                     runs nothing: the ledger as a Markdown table
//   npm run simulate -- --replay 42 [--shrink]      the story of one seed; of one that fails, the shortest that fails alike
//   npm run simulate -- --mutations [--seeds 1..60]  breaks guards one by one: for each a seed must fail that passes without it;
//                                                   with --ledger those that were found in these sources are not planted again
//   npm run simulate -- --operator …                two operators instead of the drivers (test/simulate/operator); all else alike
// The same seed gives the same life: the trace that is printed is a hash of every request and its time.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { commitName, openLedger, root } from './ledger.mjs';
import { bundleProgram } from './simulate/bundle-program.mjs';
import { coverageTable, sumOf } from './simulate/coverage-table.mjs';
import { mutations } from './simulate/mutations.mjs';
import { operatorMutations } from './simulate/operator-mutations.mjs';
import { startWorkers } from './simulate/workers.mjs';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1..100' },
    steps: { type: 'string' },
    workers: { type: 'string', default: '1' },
    replay: { type: 'string' },
    shrink: { type: 'boolean' },
    ledger: { type: 'boolean' },
    'ledger-file': { type: 'string', default: join(root, '.ledger/simulate.jsonl') },
    print: { type: 'boolean' },
    json: { type: 'string' },
    mutations: { type: 'boolean' },
    operator: { type: 'boolean' },
  },
});

const lives = values.operator ? 'operator' : 'drivers';
const stepsOption = values.steps === undefined ? [] : ['--steps', values.steps];

/** Of the wall's clock, so that it is far more than a life takes where twenty programs want each core. */
const limitMs = 600_000;

/** As many as `--workers` says, and not more than there are seeds. */
const startAll = (program, seeds) =>
  startWorkers(program, { count: Math.min(Number(values.workers), seeds.length), options: stepsOption, limitMs });

// The workers die with this process: `exit` is not emitted for an unhandled signal.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const tell = ({ seed, violations, clues }) => {
  console.log(
    `seed ${seed} fails (again: npm run simulate --${values.operator ? ' --operator' : ''} --replay ${seed} --shrink):`,
  );
  for (const line of [...violations.slice(0, 5), ...clues.slice(0, 5)]) console.log(`    ${line}`);
};

/** As vitest reports, for tools/ci-summary.mjs. */
const writeReport = (path, results) => {
  const assertionResults = results.map(({ seed, violations }) => ({
    status: violations.length === 0 ? 'passed' : 'failed',
    fullName: `seed ${seed}`,
    failureMessages: violations.slice(0, 1),
  }));
  const failed = assertionResults.some(({ status }) => status === 'failed');
  const file = { name: join(root, 'test/simulate'), status: failed ? 'failed' : 'passed', assertionResults };
  writeFileSync(path, JSON.stringify({ success: !failed, testResults: [file] }));
};

const range = (text) => {
  const [, first, last] = /^(\d+)\.\.(\d+)$/.exec(text) ?? [];
  if (first === undefined || Number(last) < Number(first)) throw new Error(`--seeds ${text}: expected A..B`);
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index);
};

const ledgerPath = values['ledger-file'];

/** What the ledger notes at once: a life of operators takes far longer than one of drivers. */
const partSize = values.operator ? 20 : 100;

/** Parts for the ledger; otherwise all at once. */
const partsOf = (seeds) => {
  const parts = new Map();
  for (const seed of seeds) {
    const part = values.ledger ? Math.floor((seed - 1) / partSize) : 0;
    parts.set(part, [...(parts.get(part) ?? []), seed]);
  }
  return [...parts.values()].map((part) => ({
    part,
    command: `simulate${values.operator ? ' operator' : ''} ${part[0]}..${part.at(-1)}${values.steps ? ` of ${values.steps} steps` : ''}`,
  }));
};

const isFailed = ({ violations }) => violations.length > 0;

const livePart = async (workers, { part, command }) => {
  const began = performance.now();
  const results = [];
  await workers.live(part, (result) => {
    results.push(result);
    if (isFailed(result)) tell(result);
  });
  const seconds = Math.round((performance.now() - began) / 1000);
  const failing = results.filter(isFailed).map(({ seed }) => seed);
  const steps = results.reduce((sum, one) => sum + one.steps, 0);
  const hours = Math.round(results.reduce((sum, one) => sum + one.virtualSeconds, 0) / 3600);
  console.log(
    `${command}: ${results.length} seeds, ${steps} steps, ${hours} virtual hours, ${failing.length} failed, ${seconds} s`,
  );
  const hasPassed = results.length === part.length && failing.length === 0;
  return { results, seconds, failing, result: hasPassed ? 'passed' : 'failed' };
};

/** The entry of a part that a program has passed. */
const passedBefore = (ledger, program, command) =>
  ledger.entries.findLast((one) => one.program === program && one.command === command && one.result === 'passed');

const runSeeds = async () => {
  const ledger = openLedger(ledgerPath);
  const program = await bundleProgram(lives);
  const noted = { commit: commitName(), program: program.name };
  const parts = partsOf(range(values.seeds));
  const due = parts.filter(({ command }) => !values.ledger || !ledger.hasPassed(program.name, command));
  const lived = [];
  const wanted = due.flatMap(({ part }) => part);
  const workers = startAll(program.path, wanted);
  for (const one of due) {
    const { results, seconds, failing, result } = await livePart(workers, one);
    lived.push(...results);
    const coverage = sumOf(results.map((life) => life.coverage));
    if (values.ledger)
      ledger.add({ ...noted, command: one.command, result, seeds: results.length, failing, seconds, coverage });
  }
  await workers.end();
  const before = parts
    .filter((one) => !due.includes(one))
    .flatMap(({ command }) => passedBefore(ledger, program.name, command) ?? []);
  const coverages = [...lived, ...before].flatMap(({ coverage }) => coverage ?? []);
  if (coverages.length > 0) console.log(coverageTable(coverages));
  if (values.json) writeReport(values.json, lived);
  const failed = lived.filter(isFailed).length;
  const seedsBefore = before.reduce((sum, { seeds }) => sum + seeds, 0);
  const seconds = before.reduce((sum, one) => sum + one.seconds, 0);
  if (before.length > 0) console.log(`${seedsBefore} seeds have passed before, in ${seconds} s`);
  console.log(`program ${program.name}, commit ${noted.commit}`);
  console.log(`${lived.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || lived.length < wanted.length ? 1 : 0;
};

/** Replaces the text of a guard, and of those behind it, while their files are bundled. */
const mutating = (mutation) => ({
  name: 'mutation',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const edits = [mutation, ...(mutation.also ?? [])];
      const own = edits.filter(({ file }) => path === join(root, file));
      if (own.length === 0) return undefined;
      const contents = own.reduce(
        (text, { file, from, to }) => {
          if (text.split(from).length !== 2) throw new Error(`${file} does not have once: ${from}`);
          return text.replace(from, to);
        },
        readFileSync(path, 'utf8'),
      );
      return { contents, loader: 'ts' };
    });
  },
});

/** The first of the seeds that fails with a mutation; undefined if none does. */
const findMutation = async (program, seeds) => {
  const found = new AbortController();
  let first;
  const workers = startWorkers(program.path, { count: 1, options: stepsOption, limitMs, signal: found.signal });
  try {
    await workers.live(seeds, (result) => {
      if (!isFailed(result) || first) return;
      first = result;
      found.abort();
    });
    await workers.end();
  } catch (error) {
    if (!found.signal.aborted) throw error;
  }
  return first;
};

/** The seeds that pass as things are: only of these a failure says something about a mutation. */
const baseline = async (seeds, ledger) => {
  const program = await bundleProgram(lives);
  const parts = values.ledger ? partsOf(seeds).filter(({ command }) => ledger.hasPassed(program.name, command)) : [];
  const passed = new Set(parts.flatMap(({ part }) => part));
  const due = seeds.filter((seed) => !passed.has(seed));
  if (due.length > 0) {
    const workers = startAll(program.path, due);
    await workers.live(due, (result) => {
      if (isFailed(result)) tell(result);
      else passed.add(result.seed);
    });
    await workers.end();
  }
  console.log(`${passed.size} of ${seeds.length} seeds pass without a mutation`);
  return seeds.filter((seed) => passed.has(seed));
};

const rowOf = ({ name }, found) => `| ${name} | ${found?.seed ?? 'NOT FOUND'} | ${found?.violations[0] ?? ''} |`;

const runMutations = async () => {
  const ledger = openLedger(ledgerPath);
  const seeds = await baseline(range(values.seeds), ledger);
  const planted = values.operator ? operatorMutations : mutations;
  const rows = [];
  const due = planted.map((mutation, index) => ({ mutation, index }));
  const judge = async (mutation) => {
    const command = `simulate${values.operator ? ' operator' : ''} with a planted fault: ${mutation.name}`;
    const program = await bundleProgram(lives, [mutating(mutation)]);
    try {
      const before = values.ledger && passedBefore(ledger, program.name, command);
      if (before) return before.found;
      const began = performance.now();
      const found = await findMutation(program, seeds);
      const seconds = Math.round((performance.now() - began) / 1000);
      if (values.ledger) {
        const { seed, violations } = found ?? {};
        const noted = { commit: commitName(), program: program.name, command, result: found ? 'passed' : 'failed' };
        ledger.add({ ...noted, seconds, ...(found ? { found: { seed, violations } } : {}) });
      }
      return found;
    } finally {
      program.remove();
    }
  };
  const work = async () => {
    for (let one = due.shift(); one; one = due.shift()) {
      rows[one.index] = rowOf(one.mutation, await judge(one.mutation));
      console.log(rows[one.index]);
    }
  };
  await Promise.all(Array.from({ length: Number(values.workers) }, work));
  const missed = rows.filter((row) => row.includes('| NOT FOUND |')).length;
  console.log(['', '| mutation | found by seed | how |', '|---|---:|---|', ...rows].join('\n'));
  console.log(`${planted.length - missed} of ${planted.length} mutations found within seeds ${values.seeds}`);
  process.exitCode = missed > 0 ? 1 : 0;
};

const replay = async () => {
  const program = await bundleProgram(lives);
  const options = ['--replay', values.replay, ...stepsOption, ...(values.shrink ? ['--shrink'] : [])];
  const child = spawn(process.execPath, [program.path, ...options], { stdio: 'inherit' });
  child.on('close', (code) => {
    process.exitCode = code ?? 1;
  });
};

if (values.print) openLedger(ledgerPath).print();
else if (values.mutations) await runMutations();
else if (values.replay !== undefined) await replay();
else await runSeeds();
