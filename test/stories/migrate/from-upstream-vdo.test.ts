import { isReady } from '@vdo/config/api/health';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { persistentVolumes, secrets } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { namespace } from '@vdo/operator/testing/sim-testbed';
import { createVdoMigration } from '@vdo/vdoctl/commands/migrate/vdo/vdo-migration';
import { afterEach, describe, expect, it } from 'vitest';
import { survivesInterruption } from './interrupted.ts';
import { createMigrationTestbed, goForward, type MigrationTestbed, wantedState } from './migration-testbed.ts';
import { seedUpstreamVdo } from './upstream-vdo.ts';

const migration = createVdoMigration({ distribution: 'Upstream', secretName: 'vcenter' });
const noWord = () => {};

describe('the way from upstream VDO as its wizard leaves it', { timeout: 60_000 }, () => {
  let testbed: MigrationTestbed;
  afterEach(() => testbed?.stop());

  it('goes to the end by itself, keeps the volumes, and ends upstream VDO when it is finished', async () => {
    testbed = await createMigrationTestbed();
    await seedUpstreamVdo(testbed);
    const turns = await testbed.settle(goForward(testbed, migration));
    expect(turns.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'stop-former-operator done',
      'operator done',
      'account-vcenter-vc.example.com done',
      'resource done',
      'drivers done',
    ]);
    const resource = await testbed.kube.get(vsphereDrivers, { name: 'cluster' });
    expect(isReady(resource)).toBe(true);
    expect(resource.spec.vcenters).toHaveLength(1);
    expect((await testbed.kube.list(persistentVolumes)).items).toHaveLength(2);
    await testbed.settle(testbed.vdoctl(migration).finish());
    const key = { namespace, name: 'vdo-controller-manager' };
    expect(await testbed.kube.find(deployments, key)).toBeUndefined();
    expect(await testbed.kube.find(secrets, { namespace: 'kube-system', name: 'vdo-migration' })).toBeUndefined();
    expect((await testbed.kube.list(persistentVolumes)).items).toHaveLength(2);
    expect(isReady(await testbed.drivers())).toBe(true);
  });

  it('leads back to where it began, object by object', async () => {
    testbed = await createMigrationTestbed();
    await seedUpstreamVdo(testbed);
    const before = wantedState(testbed);
    await testbed.settle(goForward(testbed, migration));
    expect(wantedState(testbed)).not.toEqual(before);
    const left = await testbed.settle(testbed.vdoctl(migration).back(noWord));
    expect(left.filter(({ state }) => state !== 'done')).toEqual([]);
    expect(wantedState(testbed)).toEqual(before);
  });

  it('survives an interruption at each write there and at a sample of those back', {
    timeout: 120_000,
  }, async () => {
    const { there, back } = await survivesInterruption(
      { migration, seed: seedUpstreamVdo },
      (index, way) => way === 'there' || index % 9 === 4,
    );
    expect(there).toBeGreaterThan(8);
    expect(back).toBeGreaterThan(20);
  });
});
