import { VdoError } from '@vdo/base/vdo-error';
import type { Condition } from '@vdo/kube/types/object';
import { describe, expect, it } from 'vitest';
import type { Observation } from '../observation.ts';
import { requeueAfterMs } from './requeue-after.ts';
import { decideStatus } from './status.ts';
import { decideEvents } from './transitions.ts';

const observation: Observation = { vcenters: [], drivers: [], wanted: { cpi: true, csi: true } };
const noon = Date.UTC(2026, 0, 1, 12);
const statusAt = (nowMs: number, input: Observation, previous: readonly Condition[] = []) =>
  decideStatus(input, { generation: 3, previous, operatorVersion: '0.1.0', nowMs }).conditions as Condition[];
const failure = new VdoError({ code: 'SecretMissing', message: 'no Secret', remedy: 'Create it.' });

describe('status', () => {
  it('keeps the transition time while the status stays, and moves it when it changes', () => {
    const first = statusAt(noon, observation);
    const same = statusAt(noon + 60_000, observation, first);
    expect(same.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual(
      first.map(({ lastTransitionTime }) => lastTransitionTime),
    );
    const later = statusAt(noon + 60_000, { ...observation, failure }, first);
    expect(later.find(({ type }) => type === 'Degraded')?.lastTransitionTime).toBe('2026-01-01T12:01:00Z');
  });

  it('is about the generation it was made from', () => {
    expect(statusAt(noon, observation).every(({ observedGeneration }) => observedGeneration === 3)).toBe(true);
  });
});

describe('events', () => {
  it('are written on transitions only, with the remedy', () => {
    const first = statusAt(noon, { ...observation, failure });
    expect(decideEvents([], first)).toEqual([
      { type: 'Warning', reason: 'SecretMissing', message: 'no Secret. Create it.' },
    ]);
    expect(decideEvents(first, statusAt(noon + 1_000, { ...observation, failure }, first))).toEqual([]);
  });

  it('do not warn of a rollout', () => {
    expect(decideEvents([], statusAt(noon, observation))).toMatchObject([{ type: 'Normal', reason: 'RollingOut' }]);
  });
});

describe('the next look', () => {
  it('backs off while the cause may pass by itself, up to a minute', () => {
    const outage = { ...observation, failure: new VdoError({ code: 'VCenterUnreachable', message: 'm', remedy: 'r' }) };
    expect([1, 2, 3, 10].map((failures) => requeueAfterMs(outage, failures))).toEqual([5_000, 10_000, 20_000, 60_000]);
  });

  it('does not press where only a person helps', () => {
    expect(requeueAfterMs({ ...observation, failure }, 1)).toBe(300_000);
  });
});
