import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backup } from '../harness/control-plane.ts';
import { type JourneyTestbed, startJourneyTestbed } from './journey-testbed.ts';

// Needs `npm run parts -- kube-apiserver-next` and `npm run build`.
let testbed: JourneyTestbed;
beforeAll(async () => {
  testbed = await startJourneyTestbed();
  await testbed.publish(1, '1.0.2');
  await testbed.run('of this repository');
  await testbed.describe();
  await testbed.isAt('1.0.2');
});
afterAll(async () => {
  await testbed?.stop();
});

// Issue 17.
describe('etcd, restored under a running operator', () => {
  let before: Backup;
  let after: Backup;

  it('is backed up before and after an upgrade', async () => {
    before = await testbed.controlPlane.backUp();
    await testbed.publish(4, '1.0.2', '1.0.3');
    await testbed.isAt('1.0.3');
    after = await testbed.controlPlane.backUp();
  });

  it('to before the upgrade: the status tells what runs, and the next matrix is followed', async () => {
    await testbed.controlPlane.restore(before);
    await testbed.isRepaired();
    await testbed.publish(5, '1.0.3', '1.0.4');
    await testbed.isAt('1.0.4');
  });

  it('to after the upgrade: what ran then is kept, repaired and upgraded', async () => {
    await testbed.controlPlane.restore(after);
    await testbed.isRepaired();
    await testbed.publish(6, '1.0.3', '1.0.4', '1.0.5');
    await testbed.isAt('1.0.5');
  });
});

// Issue 17.
describe('the API server, replaced by that of the next minor release in mid-upgrade', () => {
  it('is followed, and the upgrade ends', async () => {
    await testbed.publish(7, '1.0.5', '1.0.6');
    await testbed.until('the upgrade to begin', async () =>
      (await testbed.drivers())?.status?.drivers?.some(({ target }) => target === '1.0.6'),
    );
    await testbed.controlPlane.replaceApiServer('kube-apiserver-next');
    await testbed.isAt('1.0.6');
    await testbed.until('the status to name the new version', async () =>
      (await testbed.drivers())?.status?.versions?.kubernetes?.startsWith('v1.35.'),
    );
    await testbed.isRepaired();
    await testbed.publish(8, '1.0.6', '1.0.7');
    await testbed.isAt('1.0.7');
    expect(await testbed.reported()).not.toContainEqual(expect.stringContaining('UpgradeFailed'));
  });
});
