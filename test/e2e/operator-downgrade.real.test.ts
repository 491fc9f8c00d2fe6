import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { configMaps } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreignKey, type JourneyTestbed, newerRelease, startJourneyTestbed } from './journey-testbed.ts';

let testbed: JourneyTestbed;
beforeAll(async () => {
  testbed = await startJourneyTestbed();
});
afterAll(async () => {
  await testbed?.stop();
});

// Issue 17 and design decision 22: state is an interface.
describe('the operator of v0.1.0', () => {
  it('installs 1.0.0', async () => {
    await testbed.publish(1, '1.0.0');
    await testbed.run('v0.1.0');
    await testbed.describe();
    await testbed.isAt('1.0.0');
  });

  it('is followed by the one of this repository, which reads what it wrote, repairs and upgrades', async () => {
    await testbed.run('of this repository');
    await testbed.isRepaired();
    await testbed.publish(2, '1.0.0', '1.0.1');
    await testbed.isAt('1.0.1');
    expect(await testbed.reported()).not.toContainEqual(expect.stringContaining('starts a new record'));
  });

  it('comes back, reads what its successor wrote, repairs and upgrades', async () => {
    await testbed.run('v0.1.0');
    await testbed.isRepaired();
    await testbed.publish(3, '1.0.1', '1.0.2');
    await testbed.isAt('1.0.2');
  });

  it('says which operator it takes for a layout that came later, and keeps what runs', async () => {
    await testbed.publish(4, '1.0.2', newerRelease);
    await testbed.describe({ policy: 'Pinned', versions: { cpi: '1.0.2', csi: newerRelease } });
    await testbed.until('the operator that it takes', async () =>
      (await testbed.drivers())?.status?.conditions?.some(
        ({ type, reason, message }) =>
          type === 'Stalled' && reason === 'ReleaseLayoutUnknown' && message?.includes('operator to 0.2.0 or later'),
      ),
    );
    expect(await testbed.images()).toEqual([expect.stringMatching(/vdo\/vdo:1\.0\.2$/)]);
    await testbed.publish(5, '1.0.2');
    await testbed.describe();
    await testbed.isAt('1.0.2');
  });

  it('is followed again, and an uninstallation leaves nothing of either', async () => {
    await testbed.run('of this repository');
    await testbed.isRepaired();
    await testbed.isAt('1.0.2');
    expect(await testbed.reported()).not.toContainEqual(expect.stringContaining('starts a new record'));
    await testbed.kube.delete(vsphereDrivers, { name: 'cluster' });
    await testbed.until('the resource to go', async () => (await testbed.drivers()) === undefined);
    expect(await testbed.images()).toEqual([]);
    const { namespace } = foreignKey;
    const left = await testbed.kube.list(configMaps, { namespace, labelSelector: 'app.kubernetes.io/managed-by=vdo' });
    expect(left.items).toMatchObject([{ metadata: foreignKey }]);
  });
});
