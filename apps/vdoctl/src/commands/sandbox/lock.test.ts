import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from './lock.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process of the table of processes. */
const as = (pid: number, ...running: readonly number[]) => ({ pid, isRunning: (one: number) => running.includes(one) });
const take = (pid: number, ...running: readonly number[]) => takeLock(path, as(pid, ...running));

describe('the lock of a sandbox', () => {
  it('is for one alone, who is named to the others, and is gone when it is released', () => {
    const first = take(7, 7, 8);
    expect(first).toHaveProperty('release');
    expect(take(8, 7, 8)).toEqual({ holder: 7 });
    if ('release' in first) first.release();
    expect(readdirSync(folder)).toEqual([]);
    expect(take(8, 7, 8)).toHaveProperty('release');
  });

  it('is taken over from a process that is gone, by one only', () => {
    writeFileSync(path, '6');
    expect(take(7, 7, 8)).toHaveProperty('release');
    expect(take(8, 7, 8)).toEqual({ holder: 7 });
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  it('is left to the one that is taking it over just now', () => {
    writeFileSync(path, '6');
    writeFileSync(`${path}.after-6`, '7');
    expect(take(8, 7, 8)).toEqual({ holder: 7 });
    // That one ended halfway.
    expect(take(8, 8)).toHaveProperty('release');
    expect(readFileSync(path, 'utf8')).toBe('8');
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  it('survives a file with nonsense, and is not released by who does not hold it', () => {
    writeFileSync(path, 'nonsense');
    const mine = take(7, 7);
    expect(mine).toHaveProperty('release');
    writeFileSync(path, '9');
    if ('release' in mine) mine.release();
    expect(readFileSync(path, 'utf8')).toBe('9');
  });
});
