import { describe, expect, it } from 'vitest';
import { states } from '../testing/states.ts';
import { buildModel } from './build-model.ts';

const attention = (name: keyof typeof states) => buildModel(states[name]).summary.attention;

describe('what needs attention', () => {
  it('is nothing on a cluster that is well', () => {
    expect(attention('healthy')).toEqual([]);
  });

  it('is one cause with what could not be judged because of it, and its commands', () => {
    const [cause] = attention('degraded');
    expect(cause).toMatchObject({
      severity: 'fail',
      title: 'vCenter vc1.example.com',
      reason: 'VCenterUnreachable',
      checks: ['vcenter/tcp'],
      hidden: 3,
      remedy: { commands: ['nc -vz vc1.example.com 443', 'vdoctl doctor --only vcenter'] },
    });
    expect(cause?.seenMs).toBeGreaterThan(0);
  });

  it('is also what no check has seen yet, each object under one cause', () => {
    expect(attention('degraded').slice(1)).toMatchObject([
      { title: '2 nodes', message: 'not Ready', objects: [{ name: 'worker-4' }, { name: 'worker-7' }] },
    ]);
    // A claim made half a minute ago is merely under way, and not listed.
    expect(attention('busy').map(({ severity, title }) => [severity, title])).toEqual([
      ['fail', 'Volume platform/queue-data-1'],
    ]);
  });

  it('is never nothing beside a word that is bad', () => {
    for (const name of Object.keys(states) as (keyof typeof states)[]) {
      const { health, attention: causes } = buildModel(states[name]).summary;
      if (['Degraded', 'Unavailable', 'ActionRequired'].includes(health)) expect(causes, name).not.toEqual([]);
    }
    expect(attention('unavailable')).toMatchObject([
      {
        severity: 'fail',
        title: 'The drivers are not available',
        message: 'No controller of the storage driver is running.',
      },
    ]);
    expect(attention('actionRequired')[0]).toMatchObject({
      title: 'Manual action is required',
      sinceMs: expect.any(Number),
    });
    expect(attention('progressing')).toEqual([]);
  });

  it('names several objects of one check together', () => {
    const [orphans, nodes] = attention('attention');
    expect(orphans).toMatchObject({ severity: 'warn', checks: ['storage/orphan-volumes'] });
    expect(nodes).toMatchObject({ title: '4 nodes', checks: ['node/hardware-version'] });
    expect(nodes?.objects).toHaveLength(4);
  });
});

describe('the word of the page', () => {
  it('is never Healthy beside something that fails or warns, whether or not a check has seen it', () => {
    for (const name of Object.keys(states) as (keyof typeof states)[]) {
      const { health, attention: causes } = buildModel(states[name]).summary;
      const isBad = ['Degraded', 'Unavailable', 'ActionRequired', 'Removing', 'Absent'].includes(health);
      if (causes.some(({ severity }) => severity === 'fail')) expect(isBad, `${name}: ${health}`).toBe(true);
      if (causes.length > 0) expect(health, name).not.toBe('Healthy');
    }
  });

  it('says which volume it is', () => {
    expect(buildModel(states.busy).summary).toMatchObject({
      health: 'Degraded',
      reason: expect.stringContaining('Volume platform/queue-data-1'),
    });
  });
});
