import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { configMaps } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreignKey, type JourneyHouse, startJourneyHouse } from './journey-house.ts';

let house: JourneyHouse;
beforeAll(async () => {
  house = await startJourneyHouse();
});
afterAll(async () => {
  await house?.stop();
});

// Issue 17 and design decision 22: state is an interface.
describe('the operator of v0.1.0', () => {
  it('installs 1.0.0', async () => {
    await house.publish(1, '1.0.0');
    await house.run('v0.1.0');
    await house.describe();
    await house.isAt('1.0.0');
  });

  it('is followed by the one of this repository, which reads what it wrote, repairs and upgrades', async () => {
    await house.run('of this repository');
    await house.isRepaired();
    await house.publish(2, '1.0.0', '1.0.1');
    await house.isAt('1.0.1');
    expect(await house.told()).not.toContainEqual(expect.stringContaining('begun anew'));
  });

  it('comes back, reads what its successor wrote, repairs and upgrades', async () => {
    await house.run('v0.1.0');
    await house.isRepaired();
    await house.publish(3, '1.0.1', '1.0.2');
    await house.isAt('1.0.2');
  });

  it('is followed again, and an uninstallation leaves nothing of either', async () => {
    await house.run('of this repository');
    await house.isRepaired();
    await house.isAt('1.0.2');
    expect(await house.told()).not.toContainEqual(expect.stringContaining('begun anew'));
    await house.kube.delete(vsphereDrivers, { name: 'cluster' });
    await house.until('the resource to go', async () => (await house.drivers()) === undefined);
    expect(await house.images()).toEqual([]);
    const { namespace } = foreignKey;
    const left = await house.kube.list(configMaps, { namespace, labelSelector: 'app.kubernetes.io/managed-by=vdo' });
    expect(left.items).toMatchObject([{ metadata: foreignKey }]);
  });
});
