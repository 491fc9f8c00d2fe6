import { leases } from '@vdo/kube/types/cluster';
import { namespaces } from '@vdo/kube/types/core';
import { afterEach, describe, expect, test } from 'vitest';
import { isUninitialized } from './decisions/taints.ts';
import { createSimHouse, demoUuid, type SimHouseOptions } from './testing/sim-house.ts';

const houses: { stop(): Promise<unknown> }[] = [];
const open = async (options: SimHouseOptions & { readonly secret?: boolean } = {}) => {
  const house = createSimHouse(options);
  houses.push(house);
  await house.client.create(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'vmware-system-vdo' },
  });
  if (options.secret !== false) await house.putSecret(house.account);
  return house;
};
afterEach(async () => {
  await Promise.all(houses.splice(0).map((house) => house.stop()));
});

describe('the program on simulated parts', () => {
  test('initialises a node from its VM', async () => {
    const house = await open();
    await house.join(1);
    house.start();
    const node = await house.until('node-1 is initialised', async () => {
      const current = await house.node(1);
      return isUninitialized(current) ? undefined : current;
    });
    expect(node.spec.providerID).toBe(`vsphere://${demoUuid(1)}`);
    expect(node.metadata.labels).toMatchObject({
      'node.kubernetes.io/instance-type': 'vsphere-vm.cpu-4.mem-8gb.os-ubuntu',
      'topology.kubernetes.io/region': 'region-1',
      'topology.kubernetes.io/zone': 'zone-a',
    });
    const { status } = await house.until('it has addresses', async () => {
      const current = await house.node(1);
      return current.status?.addresses ? current : undefined;
    });
    expect(status?.addresses).toEqual([
      { type: 'Hostname', address: 'node-1.demo.example' },
      { type: 'InternalIP', address: '10.10.0.11' },
      { type: 'ExternalIP', address: '10.10.0.11' },
    ]);
    const [event] = await house.until('it is announced', async () => {
      const found = await house.eventsOf('node-1');
      return found.length > 0 ? found : undefined;
    });
    expect(event).toMatchObject({ type: 'Normal', reason: 'Synced' });
    const lease = await house.client.get(leases, { namespace: 'kube-system', name: 'cloud-controller-manager' });
    expect(lease.spec?.holderIdentity).toBe('replica-1');
  });
});
