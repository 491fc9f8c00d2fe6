import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { createKubeClient } from '@vdo/kube/create-client';
import { leases } from '@vdo/kube/types/cluster';
import { namespaces, nodes } from '@vdo/kube/types/core';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { describe, expect, it } from 'vitest';
import { joinNodes } from '../environment/join-nodes.ts';
import { leaveCluster } from './leave-cluster.ts';

const { signal } = new AbortController();
const node = (name: string, uuid: string) => ({ name, uuid, hollow: false });

const open = async () => {
  const clock = createVirtualClock();
  const random = createSeededRandom(1);
  const sim = createKubeSim({ clock, random, logger: silentLogger });
  const kube = createKubeClient({ transport: sim.handler, clock, qps: 0 });
  await kube
    .create(namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'kube-node-lease' },
    })
    .catch(() => undefined);
  const join = (name: string, uuid: string) => joinNodes(kube, [node(name, uuid)], { signal, isMarked: true });
  return {
    kube,
    join,
    beat: (name: string, agoMs: number) =>
      kube.create(leases, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { namespace: 'kube-node-lease', name, labels: { 'vdo.vmware.com/sandbox': 'true' } },
        spec: { renewTime: new Date(clock.now() - agoMs).toISOString().replace('Z', '000Z') },
      }),
    leave: (joined: ReturnType<typeof node>[]) =>
      leaveCluster(
        {
          kube,
          clock,
          random,
          joined,
          operatorObjects: [],
          stepTimeoutMs: 1_000,
          progress: { update: () => {}, done: () => {} } as never,
          stopNodes: async () => {},
        },
        signal,
      ),
    left: async () => (await kube.list(nodes)).items.map(({ metadata }) => metadata.name),
    heartbeats: async () =>
      (await kube.list(leases, { namespace: 'kube-node-lease' })).items.map((one) => one.metadata.name),
  };
};

describe('a sandbox that leaves a cluster of somebody else', () => {
  it('takes its nodes and their heartbeats back', async () => {
    const world = await open();
    await world.join('a', 'uuid-a');
    await world.beat('a', 1_000);
    await world.leave([node('a', 'uuid-a')]);
    expect([await world.left(), await world.heartbeats()]).toEqual([[], []]);
  });

  it('leaves a node of its name that another sandbox has registered by now', async () => {
    const world = await open();
    await world.join('a', 'uuid-of-another');
    await world.leave([node('a', 'uuid-a')]);
    expect(await world.left()).toEqual(['a']);
  });

  it('leaves a node of a person', async () => {
    const world = await open();
    await world.kube.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, spec: {} });
    await world.leave([node('a', 'uuid-a')]);
    expect(await world.left()).toEqual(['a']);
  });

  it('leaves the nodes of another sandbox whose hearts beat, and removes those that one that was killed has left', async () => {
    const world = await open();
    for (const name of ['alive', 'dead']) await world.join(name, `uuid-${name}`);
    await world.beat('alive', 10_000);
    await world.beat('dead', 3_600_000);
    await world.leave([]);
    expect([await world.left(), await world.heartbeats()]).toEqual([['alive'], ['alive']]);
  });
});
