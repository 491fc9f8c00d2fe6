import { names } from '@vdo/config/names';
import { configMaps } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { type SimTestbed, startSimTestbed, testbedNamespace } from '../../testing/sim-testbed.ts';

describe('vdoctl volumes sync', () => {
  let testbed: SimTestbed;
  const key = { namespace: testbedNamespace, name: names.csiSyncReport };
  beforeAll(async () => {
    testbed = await startSimTestbed();
  });
  afterAll(() => testbed?.stop());

  /** Each request has an ID of its own. */
  let seed = 0;
  const sync = (...flags: readonly string[]) => {
    seed += 1;
    return runVdoctl(['volumes', 'sync', '--kubeconfig', testbed.cluster.kubeconfig, ...flags], { seed });
  };
  /** What the storage driver does when it sees the request. */
  const answer = async (more: object = {}): Promise<void> => {
    const { kube } = testbed.cluster;
    await expect
      .poll(async () => (await kube.find(configMaps, key))?.data?.['sync'], { timeout: 10_000 })
      .toBeDefined();
    const request = (await kube.find(configMaps, key))?.data?.['sync'];
    const times = { startedAt: '2026-01-01T00:00:00Z', endedAt: '2026-01-01T00:00:09Z' };
    const synced = JSON.stringify({ request, ...times, ...more });
    await kube.patch(configMaps, key, { type: 'merge', body: { data: { synced } } });
  };

  it('says that no driver takes the request where none has run', async () => {
    const { exitCode, err } = await sync();
    expect(exitCode).not.toBe(0);
    expect(err).toMatch(/has\s+not run a full sync in this cluster yet/);
  });

  it('waits for the answer to its own request, and fails if the full sync failed', async () => {
    const { kube } = testbed.cluster;
    const data = { synced: '{"request":"an older one"}' };
    await kube.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data });
    const [good] = await Promise.all([sync(), answer()]);
    expect(good).toMatchObject({ exitCode: 0, out: expect.stringContaining('ended well') });
    await kube.patch(configMaps, key, { type: 'merge', body: { data: { sync: null } } });
    const [bad] = await Promise.all([sync(), answer({ problem: 'vCenter is down' })]);
    expect(bad).toMatchObject({ exitCode: 1, out: expect.stringContaining('failed: vCenter is down') });
  });

  it('stops waiting, and says that the request stays', async () => {
    const { exitCode, err } = await sync('--timeout', '1s');
    expect(exitCode).not.toBe(0);
    expect(err).toMatch(/The\s+request\s+stays/);
  });
});
