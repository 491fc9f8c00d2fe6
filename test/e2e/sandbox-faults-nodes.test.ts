import { readFileSync } from 'node:fs';
import { events as eventResource } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onlyWhereTheyBelong, showingsOf } from './canary-scan.ts';
import { nodeFaults } from './fault-cases.ts';
import { createFaultTestbed } from './fault-testbed.ts';

const testbed = createFaultTestbed();
const { env, passwords, vdoctl, status, doctor, events, newEvents, until, breakIt, healIt, showing } = testbed;

describe('breaking and healing the nodes of a running sandbox', { timeout: 240_000 }, () => {
  beforeAll(testbed.start, 400_000);
  afterAll(testbed.stop, 60_000);

  it.each(nodeFaults)('$fault is shown with a remedy, in the status and as an event, and heals', (one) =>
    testbed.playFault(one),
  );

  it('node-notready is shown by the pods that are missing, and as events of the node and of the drivers', async () => {
    const before = await breakIt('node-notready');
    await showing('node-notready', ({ reason }) => (/4\/5 node pods ready/.test(reason) ? reason : undefined));
    expect(await doctor()).toMatch(/csi\/workloads-ready .*kubectl describe node node-\d/);
    const reported = await until('an event of the drivers', async () =>
      (await newEvents(before)).find(({ reason }) => reason === 'RollingOut'),
    );
    expect(reported).toMatchObject({ type: 'Normal', object: 'VSphereDrivers cluster' });
    expect(reported.message).toContain('4/5 node pods ready');
    const ofNode = (await testbed.kube.list(eventResource)).items.filter(
      ({ involvedObject }) => involvedObject.kind === 'Node',
    );
    expect(ofNode).toContainEqual(expect.objectContaining({ reason: 'NodeNotReady' }));
    await healIt('node-notready', () => true);
  });

  it('csi-controller-killed passes by itself, and is told as it goes and comes', async () => {
    const before = await events();
    expect((await vdoctl('sandbox', 'break', 'csi-controller-killed')).stdout).toContain('the effect is temporary');
    await until('its events', async () => {
      const reasons = (await newEvents(before)).map(({ reason }) => reason);
      return reasons.includes('RollingOut') && reasons.includes('AllReady');
    });
    await until('health', async () => (await status()).health === 'Healthy');
    expect((await vdoctl('sandbox', 'heal')).stdout).toBe('There are no active faults.\n');
  });

  it('leaves the password of the drivers where it belongs, and nowhere else', async () => {
    expect(passwords.size).toBe(1);
    const { objects, found, reported, ...shown } = await showingsOf(testbed);
    expect(reported.length).toBeGreaterThan(1_000);
    expect(objects.length).toBeGreaterThan(100);
    expect(found('record', readFileSync(env.VDO_SANDBOX_RECORD, 'utf8'))).toEqual(['record']);
    expect(shown).toEqual(onlyWhereTheyBelong);
  });
});
