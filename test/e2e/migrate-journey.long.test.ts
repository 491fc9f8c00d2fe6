import { names } from '@vdo/config/names';
import { deployments } from '@vdo/kube/types/workloads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MigrateTestbed, startMigrateTestbed } from './migrate-testbed.ts';

let testbed: MigrateTestbed;

describe('from Go drivers that were installed by hand, on a real API server', { timeout: 300_000 }, () => {
  let before: Awaited<ReturnType<MigrateTestbed['wanted']>>;
  beforeAll(async () => {
    testbed = await startMigrateTestbed({ clusterId: 'by-hand' });
    before = await testbed.wanted();
  }, 300_000);
  afterAll(async () => {
    await testbed?.stop();
  });

  it('a dry run changes nothing', async () => {
    const { exitCode, out } = await testbed.vdoctl('migrate', 'drivers', '--distribution', 'Upstream', '--dry-run');
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringContaining('install the operator') });
    expect(await testbed.wanted()).toEqual(before);
    expect((await testbed.health()).word).toBe('Absent');
  });

  it('the operator takes them over in place, and the status says so', async () => {
    const { exitCode, out, err } = await testbed.vdoctl('migrate', 'drivers', '--distribution', 'Upstream', '--yes');
    expect({ exitCode, out, err }).toMatchObject({ exitCode: 0 });
    expect((await testbed.condition('Ready'))?.status).toBe('True');
    expect((await testbed.health()).code).toBe(0);
    expect(await testbed.distributions()).toEqual(['Upstream', 'Upstream']);
    expect(await testbed.wanted()).not.toEqual(before);
    await testbed.serve();
  });

  it('the way back leaves the drivers as they were, and nothing of the operator', async () => {
    const { exitCode, out, err } = await testbed.vdoctl('migrate', 'undo', '--yes');
    expect({ exitCode, out, err }).toMatchObject({ exitCode: 0 });
    await testbed.serve();
    expect(await testbed.wanted()).toEqual(before);
    expect((await testbed.health()).word).toBe('Absent');
    expect(await testbed.kube.find(deployments, { namespace: names.namespace, name: names.operator })).toBeUndefined();
    expect(await testbed.keepsVolume()).toBe(true);
  });

  it('goes there again, and from its end there is no way back', async () => {
    const there = await testbed.vdoctl('migrate', 'drivers', '--distribution', 'Upstream', '--yes');
    expect(there).toMatchObject({ exitCode: 0 });
    const end = await testbed.vdoctl('migrate', 'drivers', '--finish', '--yes');
    expect(end).toMatchObject({ exitCode: 0 });
    const now = await testbed.wanted();
    const { exitCode, err } = await testbed.vdoctl('migrate', 'undo', '--yes');
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringMatching(/point of\s+no return/) });
    expect(await testbed.wanted()).toEqual(now);
    expect((await testbed.health()).code).toBe(0);
    expect(await testbed.keepsVolume()).toBe(true);
  });
});
