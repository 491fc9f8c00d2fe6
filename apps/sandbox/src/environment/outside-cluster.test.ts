import { leases } from '@vdo/kube/types/cluster';
import { namespaces, nodes } from '@vdo/kube/types/core';
import { storageClasses } from '@vdo/kube/types/storage';
import { createSimWorld } from '@vdo/sim-world/create-sim-world';
import { describe, expect, it } from 'vitest';
import { joinNodes, sandboxMark } from './join-nodes.ts';
import { examineCluster } from './outside-cluster.ts';

const namespace = 'vmware-system-vdo';
const { signal } = new AbortController();

const build = () => {
  const { client: kube } = createSimWorld({ controllers: false });
  const addNamespace = (annotations: Readonly<Record<string, string>>) =>
    kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, annotations } });
  return { kube, addNamespace, examine: () => examineCluster(kube, namespace, signal) };
};

describe('a cluster that is to be borrowed', () => {
  it('may be empty', async () => {
    expect(await build().examine()).toEqual({ nodeCount: 0, taken: [], isLeftOver: false });
  });

  it('is told apart by what others have in it', async () => {
    const { kube, addNamespace, examine } = build();
    await addNamespace({});
    const metadata = { name: 'vsphere' };
    await kube.create(storageClasses, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata,
      provisioner: 'theirs',
    });
    await kube.create(leases, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace: 'kube-system', name: 'cloud-controller-manager' },
      spec: { holderIdentity: 'another' },
    });
    await kube.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'theirs' }, spec: {} });
    expect(await examine()).toEqual({
      nodeCount: 1,
      taken: [`Namespace ${namespace}`, 'StorageClass vsphere', 'Lease kube-system/cloud-controller-manager'],
      isLeftOver: false,
    });
  });

  it('may hold what a sandbox has left, whose nodes do not count', async () => {
    const { kube, addNamespace, examine } = build();
    await addNamespace({ [sandboxMark]: 'true' });
    await joinNodes(kube, [{ name: 'node-1', uuid: 'u', hollow: false }], { signal, isMarked: true });
    expect((await kube.get(nodes, { name: 'node-1' })).spec.taints).toContainEqual(
      expect.objectContaining({ key: sandboxMark, effect: 'NoSchedule' }),
    );
    expect(await examine()).toEqual({ nodeCount: 0, taken: [], isLeftOver: true });
  });
});
