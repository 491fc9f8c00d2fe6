import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { run } from '../harness/run.ts';

const script = fileURLToPath(new URL('../../tools/simulate.mjs', import.meta.url));

// Issue 17. CI lives some more of them (step operator-seeds).
describe('npm run simulate -- --operator', () => {
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await createTempFolder('operator-seeds');
  });
  afterEach(() => folder.remove());

  it('lives a seed, reports it as tests are reported, and notes it in the ledger', { timeout: 180_000 }, async () => {
    const [report, ledger] = [folder.file('report.json'), folder.file('ledger.jsonl')];
    const options = ['--operator', '--seeds', '3..3', '--steps', '4', '--json', report];
    const reported = await run(process.execPath, [script, ...options, '--ledger', '--ledger-file', ledger], {
      timeoutMs: 170_000,
    });
    expect(reported.trimEnd().split('\n').at(-1)).toBe('1 passed, 0 failed');
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      success: true,
      testResults: [{ status: 'passed', assertionResults: [{ status: 'passed', fullName: 'seed 3' }] }],
    });
    const noted = { command: 'simulate operator 3..3 of 4 steps', result: 'passed', seeds: 1, failing: [] };
    expect(JSON.parse(readFileSync(ledger, 'utf8'))).toMatchObject(noted);
    expect(await run(process.execPath, [script, '--print', '--ledger-file', ledger])).toContain(noted.command);
  });
});
