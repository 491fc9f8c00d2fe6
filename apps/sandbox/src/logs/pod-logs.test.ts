import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '@vdo/base/clock';
import { readBody } from '@vdo/base/http';
import { afterAll, describe, expect, it } from 'vitest';
import { chooseLines, parseLogQuery } from './log-query.ts';
import { beginLog, logFileOf, readPodLog } from './pod-logs.ts';

const at = (second: number): string => new Date(1_000_000 + second * 1000).toISOString();
const text = `{"time":"${at(1)}","msg":"one"}\n{"time":"${at(5)}","msg":"two"}\n  at a stack\n{"time":"${at(9)}","msg":"three"}\n`;

describe('the lines of a log', () => {
  it('are those that are new enough, with what belongs to them', () => {
    expect(chooseLines(text, { fromMs: 1_004_000 })).toBe(text.slice(text.indexOf('\n') + 1));
    expect(chooseLines(text, { fromMs: 1_010_000 })).toBe('');
  });

  it('are the last ones', () => {
    expect(chooseLines(text, { tailLines: 1 })).toBe(`{"time":"${at(9)}","msg":"three"}\n`);
    expect(chooseLines(text, { tailLines: 0 })).toBe('');
    expect(chooseLines('', {})).toBe('');
  });

  it('are asked for as of a kubelet', () => {
    const query = new URLSearchParams('follow=true&tailLines=5&sinceSeconds=60&previous=true');
    expect(parseLogQuery('csi', query)).toEqual({
      container: 'csi',
      follow: true,
      previous: true,
      sinceSeconds: 60,
      tailLines: 5,
    });
    expect(parseLogQuery('csi', new URLSearchParams())).toEqual({ container: 'csi', follow: false, previous: false });
  });
});

describe('the log of a pod', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pod-logs-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = logFileOf(folder, 'p', 'c');
  const clock = createSystemClock();
  const textOf = async (log: AsyncIterable<Uint8Array> | undefined): Promise<string> => {
    if (!log) throw new Error('there is no log');
    return (await readBody(log)).toString();
  };
  const read = (changes: object = {}) =>
    readPodLog(folder, 'p', { container: 'c', follow: false, previous: false, ...changes }, { clock });

  it('is absent before the container has written, and of no other container', () => {
    expect(read()).toBeUndefined();
    writeFileSync(file, 'first run\n');
    expect(read({ container: 'd' })).toBeUndefined();
    expect(read({ previous: true })).toBeUndefined();
  });

  it('is followed until the container starts again, and kept apart then', async () => {
    const followed = textOf(read({ follow: true }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    appendFileSync(file, 'its last words\n');
    await new Promise((resolve) => setTimeout(resolve, 400));
    beginLog(file);
    writeFileSync(file, 'second run\n');
    expect(await followed).toBe('first run\nits last words\n');
    expect(await textOf(read())).toBe('second run\n');
    expect(await textOf(read({ previous: true }))).toBe('first run\nits last words\n');
  });
});
