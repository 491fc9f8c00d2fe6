import { type Node, nodes, type Pod, persistentVolumes, pods } from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { afterEach, describe, expect, it } from 'vitest';
import { createSimTestbed } from './testing/sim-testbed.ts';

type Testbed = ReturnType<typeof createSimTestbed>;
const testbeds: Testbed[] = [];
afterEach(async () => {
  for (const testbed of testbeds.splice(0)) await testbed.stop();
});

const nodeStatus = (testbed: Testbed, node: number, ready: boolean, volumesInUse: readonly string[] = []) => {
  const body = { status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'Unknown' }], volumesInUse } };
  return testbed.client.patch(nodes, { name: `node-${node}` }, { type: 'merge', body }, { subresource: 'status' });
};

const pod = (testbed: Testbed, name: string, node: number) =>
  testbed.client.create<Pod>(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      nodeName: `node-${node}`,
      containers: [{ name: 'app', image: 'app' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  } as Pod);

const holder = (testbed: Testbed) => testbed.sim.volumes.list()[0]?.attachedTo?.vm.value;
const vm = (testbed: Testbed, node: number) => testbed.sim.control.find(`node-${node}`, 'VirtualMachine').value;

/** A pod uses the claim `data` on node 1; its kubelet says so. */
const openWithPod = async () => {
  const testbed = createSimTestbed();
  testbeds.push(testbed);
  await testbed.setUp();
  testbed.start();
  for (const node of [1, 2]) {
    await testbed.registerNode(node);
    await nodeStatus(testbed, node, true);
  }
  await testbed.claim('data');
  await testbed.bound('data');
  const [volume] = await testbed.persistentVolumes();
  const inUse = [`kubernetes.io/csi/csi.vsphere.vmware.com^${volume?.spec.csi?.volumeHandle}`];
  await pod(testbed, 'first', 1);
  await testbed.until('the disk is on node 1', () => holder(testbed) === vm(testbed, 1) || undefined);
  await nodeStatus(testbed, 1, true, inUse);
  return { testbed, inUse };
};

/** Sees that the disk is never on two VMs, and returns how long it took to arrive at node 2. */
const arrives = async (testbed: Testbed): Promise<number> => {
  const startedMs = testbed.clock.now();
  const holders = new Set<string | undefined>();
  for (let step = 0; step < 6000 && holder(testbed) !== vm(testbed, 2); step++) {
    holders.add(holder(testbed));
    const disks = [1, 2].filter((node) =>
      (
        testbed.sim.control.read(`node-${node}`, 'config.hardware.device') as readonly { readonly vDiskId?: unknown }[]
      ).some(({ vDiskId }) => vDiskId !== undefined),
    );
    expect(disks.length).toBeLessThanOrEqual(1);
    await testbed.clock.advance(100);
  }
  expect(holder(testbed)).toBe(vm(testbed, 2));
  return testbed.clock.now() - startedMs;
};

const forceDelete = (testbed: Testbed, name: string) =>
  testbed.client.delete(pods, { namespace: 'default', name }, { gracePeriodSeconds: 0 });

describe('a node that is NotReady while its VM is powered on', () => {
  it('loses the disk at the six-minute force-detach, by taking it from the VM before it goes elsewhere', async () => {
    const { testbed, inUse } = await openWithPod();
    await nodeStatus(testbed, 1, false, inUse);
    await forceDelete(testbed, 'first');
    await pod(testbed, 'second', 2);
    const tookMs = await arrives(testbed);
    expect(tookMs).toBeGreaterThanOrEqual(350_000);
    expect(tookMs).toBeLessThan(480_000);
  });
});

describe('a node with the taint out-of-service', () => {
  it('loses the disk at once', async () => {
    const { testbed, inUse } = await openWithPod();
    await nodeStatus(testbed, 1, false, inUse);
    testbed.sim.control.powerOff('node-1');
    const taints = [{ key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }];
    await testbed.client.patch<Node>(nodes, { name: 'node-1' }, { type: 'merge', body: { spec: { taints } } });
    await forceDelete(testbed, 'first');
    await pod(testbed, 'second', 2);
    expect(await arrives(testbed)).toBeLessThan(60_000);
  });
});

describe('a VM deleted with disks attached', () => {
  it('leaves the disks, and the next node gets them', async () => {
    const { testbed } = await openWithPod();
    testbed.sim.control.deleteVm('node-1');
    expect(testbed.sim.volumes.list()).toHaveLength(1);
    await testbed.client.delete(nodes, { name: 'node-1' });
    await forceDelete(testbed, 'first');
    await pod(testbed, 'second', 2);
    await testbed.until('the disk is on node 2', () => holder(testbed) === vm(testbed, 2) || undefined);
  });
});

describe('etcd restored to an older state', () => {
  /** A cluster with a bound claim, of which an older state comes back. */
  const openBound = async () => {
    const testbed = createSimTestbed();
    testbeds.push(testbed);
    await testbed.setUp();
    const replica = testbed.start();
    await testbed.claim('data');
    await testbed.bound('data');
    const [volume] = await testbed.persistentVolumes();
    if (!volume) throw new Error('no volume');
    const [disk] = testbed.sim.volumes.list();
    return { testbed, replica, volume, disk };
  };
  const quiet = async (testbed: Testbed) => {
    for (let step = 0; step < 30; step++) await testbed.clock.advance(60_000);
  };

  it('before a volume was made leaves its disk alone', async () => {
    const { testbed, replica, volume, disk } = await openBound();
    replica.stop();
    await testbed.clock.advance(1_000);
    // The older state knows neither claim nor volume.
    await testbed.deleteClaim('data');
    const name = volume.metadata.name ?? '';
    const bare = { metadata: { finalizers: null } };
    await testbed.client.patch(persistentVolumes, { name }, { type: 'merge', body: bare }).catch(() => {});
    await testbed.client.delete(persistentVolumes, { name }).catch(() => {});
    await testbed.until('the volume is forgotten', async () => (await testbed.persistentVolumes()).length === 0);
    testbed.start('replica-2');
    await quiet(testbed);
    expect(testbed.sim.volumes.list().map(({ id }) => id)).toEqual([disk?.id]);
  });

  it('with attachments of nodes that are gone detaches nothing in use', async () => {
    const { testbed, replica, volume, disk } = await openBound();
    await testbed.registerNode(1);
    await testbed.attachment('a', volume.metadata.name ?? '', 1);
    await testbed.until('it is attached', async () => (await testbed.getAttachment('a'))?.status?.attached);
    replica.stop();
    await testbed.clock.advance(1_000);
    // A copy of the cluster: the same objects, but VM node-1 belongs to the original.
    await testbed.client.delete(nodes, { name: 'node-1' });
    await testbed.client.delete(volumeAttachments, { name: 'a' });
    testbed.start('replica-2');
    await testbed.until('it is told', async () =>
      (await testbed.getAttachment('a'))?.status?.detachError?.message?.includes('[VolumeAttachedElsewhere]'),
    );
    expect(testbed.sim.volumes.get(disk?.id ?? '')?.attachedTo?.vm.value).toBe(vm(testbed, 1));
  });
});
