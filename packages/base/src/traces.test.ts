import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';
import { createSpan, createTraces, joinSpans, tracedLogger } from './traces.ts';

const one = '11111111-0000-4000-8000-000000000001';
const other = '11111111-0000-4000-8000-000000000002';

describe('traces', () => {
  it('are known to whatever a span starts, also later and beside another', async () => {
    const traces = createTraces();
    const seen: (string | undefined)[] = [];
    const work = async (ms: number) => {
      await sleep(ms);
      seen.push(traces.current()?.traceId);
    };
    await Promise.all([
      traces.within(createSpan(one), () => work(10)),
      traces.within(createSpan(other), () => work(5)),
      work(0),
    ]);
    expect(seen).toEqual([undefined, other, one]);
  });

  it('mark the lines of the log, and no others', () => {
    const lines: string[] = [];
    const traces = createTraces();
    const logger = tracedLogger(createLogger({ name: 'test', write: (line) => void lines.push(line) }), traces);
    traces.within(createSpan(one), () => logger.child({ vcenter: 'vc' }).info('asked'));
    logger.warn('alone', { claim: 'data' });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'asked', trace: one, vcenter: 'vc' },
      { msg: 'alone', claim: 'data' },
    ]);
    expect(lines[1]).not.toContain('trace');
  });

  it('of one call for several say so to each', () => {
    const spans = [createSpan(one), createSpan(other)];
    expect(joinSpans(spans)?.operationId).toBe(`vdo-${one}+1`);
    expect(spans.map(({ shared }) => [...shared])).toEqual([[`vdo-${one}+1`], [`vdo-${one}+1`]]);
    const [alone] = spans;
    expect(joinSpans(alone ? [alone] : [])).toBe(alone);
    expect(joinSpans([])).toBeUndefined();
  });
});
