import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../tools/ledger.mjs';

const longRuns = fileURLToPath(new URL('../../tools/long.mjs', import.meta.url));

describe('the ledger of long runs', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const path = () => join(folder, 'new', 'long.jsonl');
  const passed = { commit: 'abc', command: 'vitest one', result: 'passed' as const, seconds: 3 };

  it('knows what has passed on a commit, also after a new start', () => {
    openLedger(path()).add(passed);
    openLedger(path()).add({ ...passed, command: 'vitest two', result: 'failed' });
    const ledger = openLedger(path());
    expect(ledger.hasPassed('abc', 'vitest one')).toBe(true);
    expect(ledger.hasPassed('abc', 'vitest two')).toBe(false);
    expect(ledger.hasPassed('abd', 'vitest one')).toBe(false);
  });

  it('never takes a run with uncommitted changes for one that passed', () => {
    openLedger(path()).add({ ...passed, commit: 'abc+changes' });
    expect(openLedger(path()).hasPassed('abc+changes', 'vitest one')).toBe(false);
  });

  it('counts what a program has passed on every commit that has it', () => {
    openLedger(path()).add({ ...passed, commit: 'abc+changes', program: 'digest on Node 26' });
    const ledger = openLedger(path());
    expect(ledger.hasPassed('digest on Node 26', 'vitest one')).toBe(true);
    expect(ledger.hasPassed('digest on Node 24', 'vitest one')).toBe(false);
    expect(ledger.hasPassed('abc', 'vitest one')).toBe(false);
  });

  it('goes on after a run that was killed while it wrote', () => {
    openLedger(path()).add(passed);
    appendFileSync(path(), '{"commit":"abc","comm');
    openLedger(path()).add({ ...passed, command: 'vitest two' });
    const ledger = openLedger(path());
    expect(ledger.entries).toHaveLength(2);
    expect(ledger.hasPassed('abc', 'vitest two')).toBe(true);
  });

  it('is printed as a table, and refuses a name that no test has', () => {
    openLedger(path()).add(passed);
    const run = (...args: readonly string[]) =>
      execFileSync(process.execPath, [longRuns, '--ledger', path(), ...args], { encoding: 'utf8', stdio: 'pipe' });
    expect(run('--print')).toContain('| abc | `vitest one` | passed | 3 |');
    expect(() => run('no-such-test')).toThrow('no long test matches no-such-test');
    expect(readFileSync(path(), 'utf8').split('\n')).toHaveLength(2);
  });
});
