import { simReleases } from '@vdo/sim-world/sim-release';
import { describe, expect, it } from 'vitest';
import { createQualifyHouse, demoWish } from '../../../testing/qualify-house.ts';
import type { Report } from './report.ts';

const untried = 'make a volume of a disk';
const verdicts = ({ steps }: Report) => steps.filter(({ step, verdict }) => verdict !== 'works' && step !== untried);
const sessionsOf = (house: ReturnType<typeof createQualifyHouse>) =>
  house.sim.recorder.calls().filter(({ method, result }) => method === 'Login' && result === 'ok').length -
  house.sim.recorder.calls().filter(({ method, result }) => method === 'Logout' && result === 'ok').length;

describe('vdoctl vsphere qualify', () => {
  it('reads only, unless told to write', async () => {
    const house = createQualifyHouse();
    const before = await house.listing();
    const { report, observer } = await house.run();
    expect(verdicts(report)).toEqual([]);
    expect(report).toMatchObject({ writing: 'read-only', left: null, deviations: [] });
    const changing = observer.exchanges.filter(({ call }) => /_Task$|^Cns(?!Query)|^(POST|DELETE) .*tag\b/.test(call));
    expect(changing.filter(({ call }) => !call.includes('list-'))).toEqual([]);
    expect(await house.listing()).toEqual(before);
    expect(sessionsOf(house)).toBe(0);
  });

  it.each(simReleases)('is complete on %s, finds what the version offers, and leaves nothing', async (release) => {
    const house = createQualifyHouse(release);
    const before = await house.listing();
    const { report } = await house.run({ wish: demoWish });
    expect(verdicts(report).filter(({ verdict }) => verdict === 'fails')).toEqual([]);
    expect(report).toMatchObject({ writing: 'done', left: 0, removedBefore: 0, deviations: [] });
    expect(await house.listing()).toEqual(before);
    expect(sessionsOf(house)).toBe(0);
  });
});
