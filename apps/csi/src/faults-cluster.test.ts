import { type Node, nodes, type Pod, persistentVolumes, pods } from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { afterEach, describe, expect, it } from 'vitest';
import { createSimHouse } from './testing/sim-house.ts';

type House = ReturnType<typeof createSimHouse>;
const houses: House[] = [];
afterEach(async () => {
  for (const house of houses.splice(0)) await house.stop();
});

const nodeStatus = (house: House, node: number, ready: boolean, volumesInUse: readonly string[] = []) => {
  const body = { status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'Unknown' }], volumesInUse } };
  return house.client.patch(nodes, { name: `node-${node}` }, { type: 'merge', body }, { subresource: 'status' });
};

const pod = (house: House, name: string, node: number) =>
  house.client.create<Pod>(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      nodeName: `node-${node}`,
      containers: [{ name: 'app', image: 'app' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  } as Pod);

const holder = (house: House) => house.sim.volumes.list()[0]?.attachedTo?.vm.value;
const vm = (house: House, node: number) => house.sim.control.find(`node-${node}`, 'VirtualMachine').value;

/** A pod uses the claim `data` on node 1; its kubelet says so. */
const openWithPod = async () => {
  const house = createSimHouse();
  houses.push(house);
  await house.setUp();
  house.start();
  for (const node of [1, 2]) {
    await house.registerNode(node);
    await nodeStatus(house, node, true);
  }
  await house.claim('data');
  await house.bound('data');
  const [volume] = await house.persistentVolumes();
  const inUse = [`kubernetes.io/csi/csi.vsphere.vmware.com^${volume?.spec.csi?.volumeHandle}`];
  await pod(house, 'first', 1);
  await house.until('the disk is on node 1', () => holder(house) === vm(house, 1) || undefined);
  await nodeStatus(house, 1, true, inUse);
  return { house, inUse };
};

/** Sees that the disk is never on two VMs, and returns how long it took to arrive at node 2. */
const arrives = async (house: House): Promise<number> => {
  const startedMs = house.clock.now();
  const holders = new Set<string | undefined>();
  for (let step = 0; step < 6000 && holder(house) !== vm(house, 2); step++) {
    holders.add(holder(house));
    const disks = [1, 2].filter((node) =>
      (
        house.sim.control.read(`node-${node}`, 'config.hardware.device') as readonly { readonly vDiskId?: unknown }[]
      ).some(({ vDiskId }) => vDiskId !== undefined),
    );
    expect(disks.length).toBeLessThanOrEqual(1);
    await house.clock.advance(100);
  }
  expect(holder(house)).toBe(vm(house, 2));
  return house.clock.now() - startedMs;
};

const forceDelete = (house: House, name: string) =>
  house.client.delete(pods, { namespace: 'default', name }, { gracePeriodSeconds: 0 });

describe('a node that is NotReady while its VM is powered on', () => {
  it('loses the disk at the six-minute force-detach, by taking it from the VM before it goes elsewhere', async () => {
    const { house, inUse } = await openWithPod();
    await nodeStatus(house, 1, false, inUse);
    await forceDelete(house, 'first');
    await pod(house, 'second', 2);
    const tookMs = await arrives(house);
    expect(tookMs).toBeGreaterThanOrEqual(350_000);
    expect(tookMs).toBeLessThan(480_000);
  });
});

describe('a node with the taint out-of-service', () => {
  it('loses the disk at once', async () => {
    const { house, inUse } = await openWithPod();
    await nodeStatus(house, 1, false, inUse);
    house.sim.control.powerOff('node-1');
    const taints = [{ key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }];
    await house.client.patch<Node>(nodes, { name: 'node-1' }, { type: 'merge', body: { spec: { taints } } });
    await forceDelete(house, 'first');
    await pod(house, 'second', 2);
    expect(await arrives(house)).toBeLessThan(60_000);
  });
});

describe('a VM deleted with disks attached', () => {
  it('leaves the disks, and the next node gets them', async () => {
    const { house } = await openWithPod();
    house.sim.control.deleteVm('node-1');
    expect(house.sim.volumes.list()).toHaveLength(1);
    await house.client.delete(nodes, { name: 'node-1' });
    await forceDelete(house, 'first');
    await pod(house, 'second', 2);
    await house.until('the disk is on node 2', () => holder(house) === vm(house, 2) || undefined);
  });
});

describe('etcd restored to an older state', () => {
  /** A cluster with a bound claim, of which an older state comes back. */
  const openBound = async () => {
    const house = createSimHouse();
    houses.push(house);
    await house.setUp();
    const replica = house.start();
    await house.claim('data');
    await house.bound('data');
    const [volume] = await house.persistentVolumes();
    if (!volume) throw new Error('no volume');
    const [disk] = house.sim.volumes.list();
    return { house, replica, volume, disk };
  };
  const quiet = async (house: House) => {
    for (let step = 0; step < 30; step++) await house.clock.advance(60_000);
  };

  it('before a volume was made leaves its disk alone', async () => {
    const { house, replica, volume, disk } = await openBound();
    replica.stop();
    await house.clock.advance(1_000);
    // The older state knows neither claim nor volume.
    await house.deleteClaim('data');
    const name = volume.metadata.name ?? '';
    const bare = { metadata: { finalizers: null } };
    await house.client.patch(persistentVolumes, { name }, { type: 'merge', body: bare }).catch(() => {});
    await house.client.delete(persistentVolumes, { name }).catch(() => {});
    await house.until('the volume is forgotten', async () => (await house.persistentVolumes()).length === 0);
    house.start('replica-2');
    await quiet(house);
    expect(house.sim.volumes.list().map(({ id }) => id)).toEqual([disk?.id]);
  });

  it('with attachments of nodes that are gone detaches nothing in use', async () => {
    const { house, replica, volume, disk } = await openBound();
    await house.registerNode(1);
    await house.attachment('a', volume.metadata.name ?? '', 1);
    await house.until('it is attached', async () => (await house.getAttachment('a'))?.status?.attached);
    replica.stop();
    await house.clock.advance(1_000);
    // A copy of the cluster: the same objects, but VM node-1 belongs to the original.
    await house.client.delete(nodes, { name: 'node-1' });
    await house.client.delete(volumeAttachments, { name: 'a' });
    house.start('replica-2');
    await house.until('it is told', async () =>
      (await house.getAttachment('a'))?.status?.detachError?.message?.includes('[VolumeAttachedElsewhere]'),
    );
    expect(house.sim.volumes.get(disk?.id ?? '')?.attachedTo?.vm.value).toBe(vm(house, 1));
  });
});
