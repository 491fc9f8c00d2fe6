import { VdoError } from '@vdo/base/vdo-error';
import { describe, expect, it } from 'vitest';
import type { Observation } from '../observation.ts';
import { requeueAfterMs } from './requeue-after.ts';

const calm: Observation = { vcenters: [], drivers: [], wanted: { cpi: true, csi: true } };
const refused: Observation = {
  ...calm,
  failure: new VdoError({ code: 'ConfigInvalid', message: 'spec.distribution is wrong', remedy: 'Correct it.' }),
};
const minute = 60_000;

describe('the next look', () => {
  it('comes after five minutes, or when something is due', () => {
    expect(requeueAfterMs(calm, 0)).toBe(5 * minute);
    expect(requeueAfterMs(calm, 0, { nowMs: 0, inMs: [minute, Number.POSITIVE_INFINITY] })).toBe(minute);
  });

  it('comes at once for what became due during a pass that went well', () => {
    expect(requeueAfterMs(calm, 0, { nowMs: 0, inMs: [0] })).toBe(100);
  });

  it('comes at once for what waited for the checks, if they have run since', () => {
    const waiting = { ...calm, holds: [{ reason: 'ChecksPending', message: 'The checks have not run yet.' }] };
    expect(requeueAfterMs(waiting, 0)).toBe(5 * minute);
    const checks = {} as NonNullable<Observation['checks']>;
    expect(requeueAfterMs({ ...waiting, checks }, 0)).toBe(100);
  });

  it('does not hurry for what a failed pass could not reach', () => {
    expect(requeueAfterMs(refused, 1, { nowMs: 0, inMs: [0] })).toBe(5 * minute);
    expect(requeueAfterMs(refused, 1, { nowMs: 0, inMs: [0, minute] })).toBe(minute);
  });
});
