import { simReleases } from '@vdo/sim-world/sim-release';
import { describe, expect, it } from 'vitest';
import { createQualifyTestbed, demoSite } from '../../../testing/qualify-testbed.ts';
import type { Report } from './report.ts';

const untried: readonly string[] = ['register a disk as a volume', 'move a volume to another datastore'];
const verdicts = ({ steps }: Report) =>
  steps.filter(({ step, verdict }) => verdict !== 'works' && !untried.includes(step));
const sessionsOf = (testbed: ReturnType<typeof createQualifyTestbed>) =>
  testbed.sim.recorder.calls().filter(({ method, result }) => method === 'Login' && result === 'ok').length -
  testbed.sim.recorder.calls().filter(({ method, result }) => method === 'Logout' && result === 'ok').length;

describe('vdoctl vsphere qualify', () => {
  it('reads only, unless told to write', async () => {
    const testbed = createQualifyTestbed();
    const before = await testbed.listing();
    const { report, observer } = await testbed.run();
    expect(verdicts(report)).toEqual([]);
    expect(report).toMatchObject({ writing: 'read-only', left: null, deviations: [] });
    const changing = observer.exchanges.filter(({ call }) => /_Task$|^Cns(?!Query)|^(POST|DELETE) .*tag\b/.test(call));
    expect(changing.filter(({ call }) => !call.includes('list-'))).toEqual([]);
    expect(await testbed.listing()).toEqual(before);
    expect(sessionsOf(testbed)).toBe(0);
  });

  it.each(simReleases)('is complete on %s, finds what the version offers, and leaves nothing', async (release) => {
    const testbed = createQualifyTestbed(release);
    const before = await testbed.listing();
    const { report } = await testbed.run({ site: demoSite });
    expect(verdicts(report).filter(({ verdict }) => verdict === 'fails')).toEqual([]);
    expect(report).toMatchObject({ writing: 'done', left: 0, removedBefore: 0, deviations: [] });
    expect(await testbed.listing()).toEqual(before);
    expect(sessionsOf(testbed)).toBe(0);
  });
});
