import { readClusterIds } from '@vdo/gather/read-cluster-ids';
import { configMaps, namespaces, secrets } from '@vdo/kube/types/core';
import { createSimWorld } from '@vdo/sim-world/create-sim-world';
import { seedNamespaces } from '@vdo/sim-world/seed';
import { describe, expect, it } from 'vitest';

const start = async () => {
  const { client: kube } = createSimWorld({ controllers: false });
  const { signal } = new AbortController();
  await seedNamespaces(kube, 'vmware-system-vdo', 'vmware-system-csi');
  return { kube, read: () => readClusterIds(kube, { namespace: 'vmware-system-vdo', signal }) };
};

describe('readClusterIds', () => {
  it('finds the id of each distribution where its driver keeps it', async () => {
    const { kube, read } = await start();
    const keep = (namespace: string, clusterID: string) =>
      kube.create(configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'vsphere-csi-cluster-id', namespace },
        data: { clusterID },
      });
    const { metadata } = await kube.get(namespaces, { name: 'kube-system' });
    // Nobody keeps one: then it is what outlives every namespace of ours.
    expect(await read()).toEqual({ ofCluster: metadata.uid });
    await keep('vmware-system-csi', 'made-by-go');
    expect(await read()).toEqual({ upstream: 'made-by-go' });
    await keep('vmware-system-vdo', 'made-by-ours');
    expect(await read()).toEqual({ native: 'made-by-ours', upstream: 'made-by-go' });
  });

  it('finds the id that a configuration gives, also one written by hand for an upstream driver', async () => {
    const { kube, read } = await start();
    const conf = (text: string) => ({ 'csi-vsphere.conf': Buffer.from(text, 'utf8').toString('base64') });
    const metadata = { name: 'vsphere-config-secret', namespace: 'vmware-system-csi' };
    const byHand = '[Global]\ncluster-id = "by-hand"\n[VirtualCenter "vc"]\nuser = "u@d"\npassword = "p"\n';
    await kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, data: conf(byHand) });
    expect(await read()).toEqual({ given: { upstream: 'by-hand' } });
    await kube.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'vsphere-config', namespace: 'vmware-system-vdo' },
      data: { 'vsphere.conf': 'vcenter:\n  vc:\n    server: vc\ncsi:\n  clusterId: by-hand\n' },
    });
    expect(await read()).toEqual({ given: { native: 'by-hand', upstream: 'by-hand' } });
    await kube.patch(secrets, metadata, { type: 'merge', body: { data: conf('[Global\nbroken') } });
    expect(await read()).toEqual({ given: { native: 'by-hand' } });
  });
});
