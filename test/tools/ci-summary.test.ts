import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { CommandError, run } from '../harness/run.ts';

const script = fileURLToPath(new URL('../../tools/ci-summary.mjs', import.meta.url));

type Status = 'passed' | 'failed' | 'skipped' | 'todo';
const file = (name: string, ...statuses: Status[]) => ({
  name,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  assertionResults: statuses.map((status, index) => ({
    status,
    fullName: `test ${index}`,
    failureMessages: status === 'failed' ? ['expected 1 to be 2\n    at line 3'] : [],
  })),
});
const reportOf = (...files: ReturnType<typeof file>[]) => ({
  success: files.every(({ status }) => status === 'passed'),
  testResults: files,
});
const report = (...statuses: Status[]) => reportOf(file('a.test.ts', ...statuses));

describe('ci-summary', () => {
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await createTempFolder('ci-summary');
  });
  afterEach(() => folder.remove());

  const summarize = async (
    steps: readonly (readonly [name: string, kind: string, code: number])[],
    {
      reports = {},
      ci = 'false',
      seconds = 1,
    }: { readonly reports?: Record<string, unknown>; readonly ci?: string; readonly seconds?: number } = {},
  ): Promise<{ code: number; lastLine: string | undefined; output: string }> => {
    await writeFile(folder.file('steps.tsv'), steps.map((step) => `${step.join('\t')}\t${seconds}\n`).join(''));
    for (const [name, content] of Object.entries(reports))
      await writeFile(folder.file(`${name}.json`), JSON.stringify(content));
    const result = await run(process.execPath, [script, folder.path], { env: { CI: ci } }).then(
      (stdout) => ({ code: 0, stdout }),
      (error: unknown) => {
        if (error instanceof CommandError) return { code: error.exitCode, stdout: error.stdout };
        throw error;
      },
    );
    return { code: result.code, lastLine: result.stdout.trimEnd().split('\n').at(-1), output: result.stdout };
  };

  test('adds tests and checks, and ends with the totals alone on the last line', async () => {
    const { code, lastLine } = await summarize(
      [
        ['unit', 'tests', 0],
        ['lint', 'check', 0],
      ],
      { reports: { unit: report('passed', 'passed', 'skipped') } },
    );
    expect(lastLine).toBe('3 passed, 0 failed, 1 skipped');
    expect(code).toBe(0);
  });

  test.for<[string, readonly [string, string, number][], Record<string, unknown>, string]>([
    ['a failed check', [['lint', 'check', 1]], {}, '0 passed, 1 failed, 0 skipped'],
    ['a failed test', [['unit', 'tests', 1]], { unit: report('passed', 'failed') }, '1 passed, 1 failed, 0 skipped'],
    [
      'a run that fails outside any test',
      [['unit', 'tests', 1]],
      { unit: report('passed') },
      '1 passed, 1 failed, 0 skipped',
    ],
    ['a run without a report', [['unit', 'tests', 0]], {}, '0 passed, 1 failed, 0 skipped'],
    ['a run without a test', [['unit', 'tests', 0]], { unit: report() }, '0 passed, 1 failed, 0 skipped'],
    ['a CI run without a step', [], {}, '0 passed, 0 failed, 0 skipped'],
  ])('%s fails the whole', async ([, steps, reports, expected]) => {
    const { code, lastLine } = await summarize(steps, { reports });
    expect(lastLine).toBe(expected);
    expect(code).toBe(1);
  });

  test('a skipped test of the real tier fails in CI only, and is named', async () => {
    const reports = { real: report('passed', 'todo') };
    expect((await summarize([['real', 'tests', 0]], { reports })).code).toBe(0);
    const inCi = await summarize([['real', 'tests', 0]], { reports, ci: 'true' });
    expect(inCi.code).toBe(1);
    expect(inCi.output).toContain('skipped: test 1');
    expect(inCi.lastLine).toBe('1 passed, 0 failed, 1 skipped');
  });

  test('names what failed, and why, before the totals', async () => {
    const { output } = await summarize([['unit', 'tests', 1]], { reports: { unit: report('passed', 'failed') } });
    expect(output).toContain('failed: a.test.ts > test 1: expected 1 to be 2\n');
  });

  test('shows the end of what a failed check printed, and nothing of one that passed', async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index}.`);
    await writeFile(folder.file('types.log'), `${lines.join('\n')}\n`);
    await writeFile(folder.file('lint.log'), 'all is well\n');
    const { output } = await summarize([
      ['types', 'check', 1],
      ['lint', 'check', 0],
    ]);
    expect(output).toContain('       line 49.\n');
    expect(output).not.toContain('line 19.');
    expect(output).not.toContain('all is well');
  });

  test('counts a file that broke outside its tests beside the tests that failed, and names both', async () => {
    const broken = { ...file('b.test.ts'), status: 'failed', message: 'Cannot find module\n    at line 1' };
    const { code, lastLine, output } = await summarize([['unit', 'tests', 1]], {
      reports: { unit: reportOf(file('a.test.ts', 'passed', 'failed'), broken) },
    });
    expect(output).toContain('failed: a.test.ts > test 1: expected 1 to be 2\n');
    expect(output).toContain('failed: b.test.ts: Cannot find module\n');
    expect(lastLine).toBe('1 passed, 2 failed, 0 skipped');
    expect(code).toBe(1);
  });

  test('a report of another try does not make a failure good', async () => {
    const { code, lastLine } = await summarize([['unit', 'tests', 1]], {
      reports: { unit: report('passed', 'failed'), 'unit-again': report('passed', 'passed') },
    });
    expect(lastLine).toBe('1 passed, 1 failed, 0 skipped');
    expect(code).toBe(1);
  });

  test('names a long file that does not begin early, and remembers what was long, longest first', async () => {
    const took = (name: string, seconds: number) => ({
      ...file(name, 'passed'),
      startTime: 5_000,
      endTime: 5_000 + seconds * 1_000,
    });
    const reports = { unit: reportOf(took('a.test.ts', 12), took('b.test.ts', 9), took('c.test.ts', 31)) };
    const { output, code } = await summarize([['unit', 'tests', 0]], { reports });
    expect(code).toBe(0);
    expect(output.match(/\S+ took \d+ s and does not begin early/g)).toEqual([
      'c.test.ts took 31 s and does not begin early',
    ]);
    await run(process.execPath, [script, folder.path, '--remember', folder.file('seconds.json')]);
    expect(await readFile(folder.file('seconds.json'), 'utf8')).toBe('{\n  "c.test.ts": 31,\n  "a.test.ts": 12\n}\n');
  });

  test('names the slowest tests', async () => {
    const slow = file('a.test.ts', 'passed', 'passed');
    const durations = [900, 70_000];
    const timed = {
      ...slow,
      assertionResults: slow.assertionResults.map((one, i) => ({ ...one, duration: durations[i] })),
    };
    const { output } = await summarize([['unit', 'tests', 0]], { reports: { unit: reportOf(timed) } });
    expect(output).toContain('    70.0 s  a.test.ts > test 1\n');
    expect(output).not.toContain('0.9 s');
  });

  test.for<[string, number, RegExp]>([
    ['within its budget', 360, /^in budget: unit took 6\.0 of 6 minutes$/m],
    ['over its budget', 500, /^over budget: unit took 8\.3 of 6 minutes$/m],
  ])('a step %s is told of, and fails nothing', async ([, seconds, reported]) => {
    const { code, output, lastLine } = await summarize([['unit', 'tests', 0]], {
      reports: { unit: report('passed') },
      seconds,
      ci: 'true',
    });
    expect(code).toBe(0);
    expect(output).toMatch(reported);
    expect(lastLine).toBe('1 passed, 0 failed, 0 skipped');
  });
});
