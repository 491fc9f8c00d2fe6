import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backup } from '../harness/control-plane.ts';
import { type JourneyHouse, startJourneyHouse } from './journey-house.ts';

// Needs `npm run parts -- kube-apiserver-next` and `npm run build`.
let house: JourneyHouse;
beforeAll(async () => {
  house = await startJourneyHouse();
  await house.publish(1, '1.0.2');
  await house.run('of this repository');
  await house.describe();
  await house.isAt('1.0.2');
});
afterAll(async () => {
  await house?.stop();
});

// Issue 17.
describe('etcd, restored under a running operator', () => {
  let before: Backup;
  let after: Backup;

  it('is backed up before and after an upgrade', async () => {
    before = await house.controlPlane.backUp();
    await house.publish(4, '1.0.2', '1.0.3');
    await house.isAt('1.0.3');
    after = await house.controlPlane.backUp();
  });

  it('to before the upgrade: the status tells what runs, and the next matrix is followed', async () => {
    await house.controlPlane.restore(before);
    await house.isRepaired();
    await house.publish(5, '1.0.3', '1.0.4');
    await house.isAt('1.0.4');
  });

  it('to after the upgrade: what ran then is kept, repaired and upgraded', async () => {
    await house.controlPlane.restore(after);
    await house.isRepaired();
    await house.publish(6, '1.0.3', '1.0.4', '1.0.5');
    await house.isAt('1.0.5');
  });
});

// Issue 17.
describe('the API server, replaced by that of the next minor release in mid-upgrade', () => {
  it('is followed, and the upgrade ends', async () => {
    await house.publish(7, '1.0.5', '1.0.6');
    await house.until('the upgrade to begin', async () =>
      (await house.drivers())?.status?.drivers?.some(({ target }) => target === '1.0.6'),
    );
    await house.controlPlane.replaceApiServer('kube-apiserver-next');
    await house.isAt('1.0.6');
    await house.until('the status to name the new version', async () =>
      (await house.drivers())?.status?.versions?.kubernetes?.startsWith('v1.35.'),
    );
    await house.isRepaired();
    await house.publish(8, '1.0.6', '1.0.7');
    await house.isAt('1.0.7');
    expect(await house.told()).not.toContainEqual(expect.stringContaining('UpgradeFailed'));
  });
});
