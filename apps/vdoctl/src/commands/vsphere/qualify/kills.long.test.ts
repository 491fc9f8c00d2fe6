import { simReleases } from '@vdo/sim-world/sim-release';
import { describe, expect, it } from 'vitest';
import { interruptEverywhere, killEverywhere } from '../../../testing/qualify-kills.ts';

describe.each(simReleases)('a trial on %s', (release) => {
  it('is cleaned up by the next run, whichever call the power fails at', async () => {
    const kills = await killEverywhere(release, 'every');
    expect(kills.length).toBeGreaterThan(30);
    expect(kills.filter(({ problems }) => problems.length > 0)).toEqual([]);
  }, 300_000);

  it('cleans up by itself when it is interrupted at any call', async () => {
    const kills = await interruptEverywhere(release, 'every');
    expect(kills.length).toBeGreaterThan(30);
    expect(kills.filter(({ problems }) => problems.length > 0)).toEqual([]);
  }, 300_000);
});
