import { describe, expect, it } from 'vitest';
import { decideVolumes, type VolumesStatus } from './volumes.ts';

const nowMs = Date.parse('2026-01-01T12:00:00Z');
const about = (instanceUuid: string) => ({ instanceUuid }) as never;
const a = { server: 'a', about: about('uuid-a') };
const b = { server: 'b', about: about('uuid-b') };
const count = (total: number, byInstance: Readonly<Record<string, number>> = {}, attachments = 0) => ({
  total,
  attachments,
  byInstance,
});
const decide = (input: Partial<Parameters<typeof decideVolumes>[0]>) =>
  decideVolumes({ count: count(0), vcenters: [a], last: undefined, nowMs, ...input });
const both: VolumesStatus = {
  total: 2,
  attachments: 0,
  unplaced: 0,
  vcenters: [
    { server: 'a', instanceUuid: 'uuid-a', volumes: 1 },
    { server: 'b', instanceUuid: 'uuid-b', volumes: 1 },
  ],
  countedAt: '2026-01-01T11:59:00Z',
};

describe('where the volumes are', () => {
  it('with one vCenter they are all there, whatever they say', () => {
    expect(decide({ count: count(3) })).toMatchObject({ unplaced: 0, vcenters: [{ server: 'a', volumes: 3 }] });
  });

  it('with two each says where it is, and of those that do not it is not known', () => {
    const reported = decide({ count: count(4, { 'uuid-a': 1, 'uuid-b': 2 }), vcenters: [a, b] });
    expect(reported).toMatchObject({ unplaced: 1, vcenters: [{ volumes: 1 }, { volumes: 2 }] });
  });

  it('one that fell out of the spec is remembered while it has volumes', () => {
    const had = decide({ count: count(2, { 'uuid-a': 1, 'uuid-b': 1 }), vcenters: [a], last: both });
    expect(had.vcenters).toEqual(both.vcenters);
    const has = decide({ count: count(1, { 'uuid-a': 1 }), vcenters: [a], last: both });
    expect(has.vcenters).toEqual([{ server: 'a', instanceUuid: 'uuid-a', volumes: 1 }]);
  });

  it('and while it may have some', () => {
    const reported = decide({ count: count(2, { 'uuid-a': 1 }), vcenters: [a], last: both });
    expect(reported).toMatchObject({ unplaced: 1, vcenters: [{ server: 'a' }, { server: 'b', volumes: 0 }] });
  });

  it('one that was given another name is the same', () => {
    const renamed = [a, { server: 'b.example.com', about: about('uuid-b') }];
    const reported = decide({ count: count(2, { 'uuid-a': 1, 'uuid-b': 1 }), vcenters: renamed, last: both });
    expect(reported.vcenters.map(({ server, volumes }) => [server, volumes])).toEqual([
      ['a', 1],
      ['b.example.com', 1],
    ]);
  });

  it('one that does not answer keeps the identity it had', () => {
    const reported = decide({
      count: count(2, { 'uuid-a': 1, 'uuid-b': 1 }),
      vcenters: [a, { server: 'b' }],
      last: both,
    });
    expect(reported.vcenters).toEqual(both.vcenters);
  });
});

describe('the age of the count', () => {
  const same = { count: count(2, { 'uuid-a': 1, 'uuid-b': 1 }), vcenters: [a, b], last: both };
  it('stays while nothing changes, for an hour', () => {
    expect(decide(same).countedAt).toBe(both.countedAt);
    expect(decide({ ...same, nowMs: nowMs + 3_600_000 }).countedAt).toBe('2026-01-01T13:00:00Z');
  });
  it('is that of the change otherwise', () => {
    expect(decide({ ...same, count: count(3, { 'uuid-a': 1, 'uuid-b': 2 }) }).countedAt).toBe('2026-01-01T12:00:00Z');
  });
  it('of none at all is never renewed: nothing is decided by it', () => {
    const last = decide({});
    expect(decide({ last, nowMs: nowMs + 10 * 3_600_000 }).countedAt).toBe(last.countedAt);
  });
});
