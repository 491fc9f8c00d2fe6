import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { createKubeClient } from '@vdo/kube/create-client';
import { configMaps, namespaces } from '@vdo/kube/types/core';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { describe, expect, it } from 'vitest';
import { readClusterIds } from './read-cluster-ids.ts';

describe('readClusterIds', () => {
  it('finds the id of each distribution where its driver keeps it', async () => {
    const clock = createVirtualClock();
    const sim = createKubeSim({ clock, random: createSeededRandom(1), logger: silentLogger });
    const kube = createKubeClient({ transport: sim.handler, clock, qps: 0 });
    const { signal } = new AbortController();
    const read = () => readClusterIds(kube, { namespace: 'vmware-system-vdo', signal });
    const keep = (namespace: string, clusterID: string) =>
      kube.create(configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'vsphere-csi-cluster-id', namespace },
        data: { clusterID },
      });
    for (const name of ['vmware-system-vdo', 'vmware-system-csi'])
      await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    expect(await read()).toEqual({});
    await keep('vmware-system-csi', 'made-by-go');
    expect(await read()).toEqual({ upstream: 'made-by-go' });
    await keep('vmware-system-vdo', 'made-by-ours');
    expect(await read()).toEqual({ native: 'made-by-ours', upstream: 'made-by-go' });
  });
});
