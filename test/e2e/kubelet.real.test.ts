import { nodes } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KubeletHouse, nodeName, nodeUuid, startKubeletHouse } from './kubelet-house.ts';

let house: KubeletHouse;

describe('a real kubelet', () => {
  beforeAll(async () => {
    house = await startKubeletHouse();
  });
  afterAll(async () => {
    await house?.stop();
  });

  it('joins as a node of the cloud provider', async () => {
    const node = await house.until('node-1 to be ready', async () => {
      const found = await house.kube.find(nodes, { name: nodeName });
      const ready = found?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
      return ready && (found?.spec.taints ?? []).length === 0 ? found : undefined;
    });
    expect(node.spec.providerID).toBe(`vsphere://${nodeUuid}`);
  });
});
