import { describe, expect, it } from 'vitest';
import type { CheckOutcome, CheckResult } from './check.ts';
import { diskEnableUuidCheck } from './nodes/vm-settings.ts';
import { runChecks } from './run-checks.ts';
import { tally, tallyChecks } from './tally.ts';
import { facts, node } from './testing/facts.ts';

const outcomes = (result: CheckResult, count: number): readonly CheckOutcome[] =>
  Array.from({ length: count }, (_, index) => ({
    id: 'node/vm-found',
    result,
    reason: 'Because',
    message: 'message',
    remedy: 'remedy',
    object: { kind: 'Node', name: `node-${String(index).padStart(4, '0')}` },
    action: result === 'Fail' ? 'BlockUpgrade' : 'None',
  }));

describe('tally', () => {
  it('counts what is fine and keeps none of it', () => {
    const { counts, notable } = tally('node/vm-found', [...outcomes('Pass', 5000), ...outcomes('Skipped', 3)]);
    expect(counts).toEqual([
      { kind: 'Node', result: 'Pass', count: 5000 },
      { kind: 'Node', result: 'Skipped', count: 3 },
    ]);
    expect(notable).toEqual([]);
  });

  it('keeps every failure, whose number the gates tell', () => {
    expect(tally('node/vm-found', outcomes('Fail', 200)).notable).toHaveLength(200);
  });

  it('keeps of an outage, when thousands are unknown, as many as a status shows', () => {
    const { counts, notable } = tally('node/vm-found', [...outcomes('Warn', 100), ...outcomes('Unknown', 5000)]);
    expect(counts.find(({ result }) => result === 'Unknown')?.count).toBe(5000);
    expect(notable).toHaveLength(50);
    expect(notable.every(({ result }) => result === 'Unknown')).toBe(true);
    expect(notable[0]?.object.name).toBe('node-0000');
  });

  it('tells the same as the outcomes of each check', () => {
    const cluster = facts({ nodes: [node(), node({ resolution: null })] });
    const [only] = tallyChecks([diskEnableUuidCheck], cluster);
    expect(only?.notable).toEqual(
      runChecks([diskEnableUuidCheck], cluster).filter(({ result }) => result !== 'Pass' && result !== 'Skipped'),
    );
    expect(only?.notable.length).toBeGreaterThan(0);
  });
});
