import { names } from '@vdo/config/names';
import { deployments } from '@vdo/kube/types/workloads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MigrateHouse, startMigrateHouse } from './migrate-house.ts';

let house: MigrateHouse;

describe('from Go drivers that were installed by hand, on a real API server', { timeout: 300_000 }, () => {
  let before: Awaited<ReturnType<MigrateHouse['wanted']>>;
  beforeAll(async () => {
    house = await startMigrateHouse({ clusterId: 'by-hand' });
    before = await house.wanted();
  }, 300_000);
  afterAll(async () => {
    await house?.stop();
  });

  it('a dry run changes nothing', async () => {
    const { exitCode, out } = await house.vdoctl('migrate', 'drivers', '--distribution', 'Upstream', '--dry-run');
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringContaining('install the operator') });
    expect(await house.wanted()).toEqual(before);
    expect((await house.health()).word).toBe('Absent');
  });

  it('the operator takes them over in place, and the status says so', async () => {
    const { exitCode, out, err } = await house.vdoctl('migrate', 'drivers', '--distribution', 'Upstream', '--yes');
    expect({ exitCode, out, err }).toMatchObject({ exitCode: 0 });
    expect((await house.condition('Ready'))?.status).toBe('True');
    expect((await house.health()).code).toBe(0);
    expect(await house.distributions()).toEqual(['Upstream', 'Upstream']);
    expect(await house.wanted()).not.toEqual(before);
    await house.serve();
  });

  it('the way back leaves the drivers as they were, and nothing of the operator', async () => {
    const { exitCode, out, err } = await house.vdoctl('migrate', 'undo', '--yes');
    expect({ exitCode, out, err }).toMatchObject({ exitCode: 0 });
    await house.serve();
    expect(await house.wanted()).toEqual(before);
    expect((await house.health()).word).toBe('Absent');
    expect(await house.kube.find(deployments, { namespace: names.namespace, name: names.operator })).toBeUndefined();
    expect(await house.keepsVolume()).toBe(true);
  });

  it('goes there again, and from its end there is no way back', async () => {
    const there = await house.vdoctl('migrate', 'drivers', '--distribution', 'Upstream', '--yes');
    expect(there).toMatchObject({ exitCode: 0 });
    const end = await house.vdoctl('migrate', 'drivers', '--finish', '--yes');
    expect(end).toMatchObject({ exitCode: 0 });
    const now = await house.wanted();
    const { exitCode, err } = await house.vdoctl('migrate', 'undo', '--yes');
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringMatching(/point of\s+no return/) });
    expect(await house.wanted()).toEqual(now);
    expect((await house.health()).code).toBe(0);
    expect(await house.keepsVolume()).toBe(true);
  });
});
