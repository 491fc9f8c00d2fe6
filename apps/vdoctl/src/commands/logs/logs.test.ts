import { pods } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { type SimCluster, startSimCluster } from '../../testing/sim-cluster.ts';

describe('vdoctl logs', () => {
  let cluster: SimCluster;
  beforeAll(async () => {
    cluster = await startSimCluster();
  });
  afterAll(() => cluster.stop());
  const logs = (...argv: readonly string[]) => runVdoctl(['logs', ...argv, '--kubeconfig', cluster.kubeconfig]);

  it('says that nothing runs', async () => {
    const { exitCode, err } = await logs('operator', '--node', 'worker-1');
    expect(exitCode).toBe(4);
    expect(err).toContain('no pod of operator runs on node worker-1');
    expect(err).toContain('vdoctl install');
  });

  it('goes on when one log cannot be read, and says which', async () => {
    for (const name of ['vdo-operator-7f9c-abcde', 'vdo-operator-elsewhere-too-long-x', 'unrelated']) {
      await cluster.kube.create(pods, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace: 'kube-system' },
        spec: { containers: [{ name: 'main', image: 'x' }] },
      });
    }
    const { exitCode, err } = await logs();
    expect(exitCode).toBe(1);
    expect(err).toContain('The log of kube-system/vdo-operator-7f9c-abcde cannot be read');
    expect(err).not.toContain('unrelated');
    expect(err).not.toContain('too-long');
  });
});
