import { pods } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runVdoctl, type VdoctlOptions } from '../../testing/run-vdoctl.ts';
import { type SimCluster, startSimCluster } from '../../testing/sim-cluster.ts';

describe('vdoctl logs of a pod', () => {
  const asked: string[] = [];
  let cluster: SimCluster;
  beforeAll(async () => {
    cluster = await startSimCluster({
      podLogs: (_, { container, query, signal }) => {
        asked.push(`${container} ${query}`);
        if (query.get('previous') === 'true') return undefined;
        return (async function* () {
          yield Buffer.from('first line\nsec');
          yield Buffer.from('ond line\n');
          if (query.get('follow') === 'true')
            await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
        })();
      },
    });
    await cluster.kube.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'vdo-operator-7f9c-abcde', namespace: 'kube-system' },
      spec: { containers: [{ name: 'main', image: 'x' }] },
    });
  });
  afterAll(() => cluster.stop());
  const logs = (argv: readonly string[], options: VdoctlOptions = {}) =>
    runVdoctl(['logs', 'operator', ...argv, '--kubeconfig', cluster.kubeconfig], options);

  it('asks for what the flags say', async () => {
    const { exitCode, out } = await logs(['--since', '10m', '--tail', '7']);
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: 'first line\nsecond line\n' });
    const [container, query] = (asked.at(-1) ?? '').split(' ');
    expect(container).toBe('main');
    expect(Object.fromEntries(new URLSearchParams(query))).toMatchObject({ sinceSeconds: '600', tailLines: '7' });
  });

  it('follows until it is interrupted', async () => {
    const stopping = new AbortController();
    const running = logs(['--follow'], { signal: stopping.signal });
    await vi.waitFor(() => expect(asked.at(-1)).toContain('follow=true'), { timeout: 20_000 });
    setTimeout(() => stopping.abort(new Error('Ctrl-C')), 200);
    const { exitCode, out } = await running;
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: 'first line\nsecond line\n' });
  });

  it('says that there was no run before', async () => {
    const { exitCode, err } = await logs(['--previous']);
    expect(exitCode).toBe(1);
    expect(err).toContain('previous terminated container "main" in pod "vdo-operator-7f9c-abcde" not found');
  });
});

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
    expect(err).toContain('no pod of operator is running on node worker-1');
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
    expect(err).toContain('Cannot read the log of kube-system/vdo-operator-7f9c-abcde');
    expect(err).not.toContain('unrelated');
    expect(err).not.toContain('too-long');
  });
});
