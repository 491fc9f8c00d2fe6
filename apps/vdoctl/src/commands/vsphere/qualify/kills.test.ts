import { describe, expect, it } from 'vitest';
import { interruptEverywhere, killEverywhere } from '../../../testing/qualify-kills.ts';

describe('a trial that is cut off', () => {
  it('is cleaned up by the next run, whichever change the power fails at', async () => {
    const kills = await killEverywhere('8.0.3', 'changes');
    expect(kills.filter(({ problems }) => problems.length > 0)).toEqual([]);
    const leaving = new Set(kills.filter(({ found }) => found > 0).map(({ call }) => call));
    expect([...leaving]).toEqual(
      expect.arrayContaining(['CnsCreateVolume', 'CnsAttachVolume', 'CnsCreateSnapshots', 'CnsConfigureVolumeACLs']),
    );
  });

  it('cleans up by itself when it is interrupted at any change', async () => {
    const kills = await interruptEverywhere('8.0.3', 'changes');
    expect(kills.length).toBeGreaterThan(15);
    expect(kills.filter(({ problems }) => problems.length > 0)).toEqual([]);
  });
});
