import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { type SimVCenter, startSimVCenter } from '../../testing/sim-vcenter.ts';

describe('vdoctl vsphere tags', () => {
  let vcenter: SimVCenter;
  beforeEach(async () => {
    vcenter = await startSimVCenter({ username: 'administrator@vsphere.local', password: 'obviously-fake' });
  });
  afterEach(() => vcenter.stop());
  const tags = (...argv: readonly string[]) =>
    runVdoctl(['vsphere', 'tags', ...argv, ...vcenter.flags], { env: vcenter.env });
  const own = ['--region-category', 'region', '--zone-category', 'zone'];

  it('proposes a region for each datacenter and a zone for each cluster', async () => {
    const { exitCode, out } = await tags('plan', ...own);
    expect(exitCode).toBe(0);
    await expect(out).toMatchFileSnapshot('golden/tags-plan.txt');
    expect((await tags('plan', ...own)).out).toBe(out);
  });

  it('makes what is missing, once', async () => {
    const made = await tags('apply', ...own, '--yes');
    expect(made.exitCode, made.err).toBe(0);
    const again = await tags('apply', ...own, '--yes');
    expect(again.out).toBe('All objects have their tags. No changes.\n3 tags are already correct.\n');
  });

  it('takes names of your own, and leaves other tags unless told', async () => {
    const zone = ['--zone', '/demo/host/compute-a=eu-1a', '--zone', '/demo/host/compute-b=zone-b'];
    const kept = await tags('plan', ...zone);
    expect(kept.out).toContain('/demo/host/compute-a keeps k8s-zone zone-a; to change it to eu-1a, add --replace');
    expect((await tags('apply', ...zone, '--replace', '--yes')).exitCode).toBe(0);
    const after = JSON.parse((await tags('plan', ...zone, '-o', 'json')).out) as object;
    expect(after).toEqual({ steps: [], unchanged: 2, notes: [] });
  });

  it('refuses what cannot be a label, and paths that are not there', async () => {
    expect(await tags('plan', '--zone', '/demo/host/compute-a=two words')).toMatchObject({ exitCode: 2 });
    expect(await tags('plan', '--zone', '/demo/host/nowhere=z')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('/demo/host/compute-a'),
    });
    expect(await tags('apply', ...own)).toMatchObject({ exitCode: 2, err: expect.stringContaining('--yes') });
  });
});
