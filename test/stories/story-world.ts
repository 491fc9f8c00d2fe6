import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import {
  type SimTestbedOptions as CpiTestbedOptions,
  createSimTestbed as createCpiTestbed,
} from '@vdo/cpi/testing/sim-testbed';
import { runSnapshotControllerApp } from '@vdo/csi/snapshot-controller-app';
import { createSimTestbed, type SimTestbedOptions } from '@vdo/csi/testing/sim-testbed';
import { createKubeClient } from '@vdo/kube/create-client';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { type PersistentVolume, persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import {
  type VolumeSnapshot,
  type VolumeSnapshotClass,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from '@vdo/kube/types/snapshots';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { snapshotCrds } from '@vdo/releases/render/shared/snapshot-crds';
import { afterEach } from 'vitest';
import { createWays } from './ways.ts';

export { promise } from './promise.ts';

// The only file of the stories that knows how the programs are started: what a story sees is the API and vCenter.

const opened: { stop(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const testbed of opened.splice(0)) await testbed.stop();
});

export interface StoryOptions extends Omit<SimTestbedOptions, 'wire' | 'clockOf'> {
  /** How far the clock of a replica is ahead. */
  readonly skewMs?: Readonly<Record<string, number>>;
}

/** A cluster with storage and five registered nodes, a vCenter, and CSI controllers to be started. */
export const openStory = async (options: StoryOptions = {}) => {
  const ways = new Map<string, ReturnType<typeof createWays>>();
  const testbed = createSimTestbed({
    ...options,
    wire: (to, transport, identity) => waysOf(identity).wire(to, transport),
    clockOf: (identity, clock) => ({ ...clock, now: () => clock.now() + (options.skewMs?.[identity] ?? 0) }),
  });
  const { client, clock, sim } = testbed;
  const waysOf = (identity: string) => {
    const own = ways.get(identity) ?? createWays(clock);
    ways.set(identity, own);
    return own;
  };
  opened.push(testbed);
  if (!options.snapshot) {
    await testbed.setUp();
    for (const node of [1, 2, 3, 4, 5]) await testbed.registerNode(node);
  }
  return {
    ...testbed,
    /** The ways of a replica; they may be troubled before it starts. */
    ways: waysOf,
    /** Starts a replica of the CSI controller; `kill` is a power cut, `stop` an orderly end. */
    start: (identity = 'replica-1', clusterId?: string) => ({
      ...waysOf(identity),
      ...testbed.start(identity, clusterId),
    }),
    advance: async (ms: number) => {
      for (let left = ms; left > 0; left -= 10_000) await clock.advance(Math.min(left, 10_000));
    },
    disks: () => sim.volumes.list(),
    diskExists: (id: string) => sim.volumes.get(id) !== undefined,
    /** The VM that has a disk, as the name of its node; undefined if none. */
    holderOf: (id: string) => {
      const vm = sim.volumes.get(id)?.attachedTo?.vm.value;
      return [1, 2, 3, 4, 5].map((n) => `node-${n}`).find((n) => sim.control.find(n, 'VirtualMachine').value === vm);
    },
    /** The PersistentVolume of a bound claim. */
    volumeOf: async (claim: string) => {
      const { spec } = await client.get(persistentVolumeClaims, { namespace: 'default', name: claim });
      return client.get(persistentVolumes, { name: spec.volumeName ?? '' });
    },
    findVolume: (name: string) => client.find(persistentVolumes, { name }),
    patchVolume: (name: string, body: Readonly<Record<string, unknown>>) =>
      client.patch(persistentVolumes, { name }, { type: 'merge', body }),
    makeVolume: (volume: PersistentVolume) => client.create(persistentVolumes, volume),
    deleteVolume: (name: string) => client.delete(persistentVolumes, { name }),
    deleteAttachment: (name: string) => client.delete(volumeAttachments, { name }),
    attached: (name: string) =>
      testbed.until(
        `${name} is attached`,
        async () => (await testbed.getAttachment(name))?.status?.attached || undefined,
      ),
  };
};

/** Another cluster on the same vCenter, and on the same clock. With a snapshot it is a copy of the one that was backed up. */
export const openBeside = ({ clock, vcenters }: Story, options: Pick<StoryOptions, 'snapshot'> = {}) =>
  openStory({ ...options, clock, vcenters, seed: 11 });

export type Story = Awaited<ReturnType<typeof openStory>>;

const apiVersion = 'snapshot.storage.k8s.io/v1';

/** Gives the cluster the snapshot API, a class `snap` and a snapshot controller. */
export const withSnapshots = async (story: Story) => {
  const { client, clock } = story;
  for (const crd of snapshotCrds) await client.create(customResourceDefinitions, crd);
  await client.create<VolumeSnapshotClass>(volumeSnapshotClasses, {
    apiVersion,
    kind: 'VolumeSnapshotClass',
    metadata: { name: 'snap' },
    driver: 'csi.vsphere.vmware.com',
    deletionPolicy: 'Delete',
  });
  const ways = createWays(clock);
  const kube = createKubeClient({ transport: ways.wire('kube', story.toCluster), clock, qps: 0 });
  const deps = { clock, random: createSeededRandom(9), logger: silentLogger, metrics: createMetrics() };
  story.alongside((signal) =>
    runSnapshotControllerApp(
      { ...deps, kube, leaseNamespace: 'vmware-system-csi', identity: 'snapshot-controller-1' },
      signal,
    ),
  );
  return {
    snapshotController: ways,
    makeSnapshot: (name: string, persistentVolumeClaimName: string) =>
      client.create<VolumeSnapshot>(volumeSnapshots, {
        apiVersion,
        kind: 'VolumeSnapshot',
        metadata: { name, namespace: 'default' },
        spec: { source: { persistentVolumeClaimName }, volumeSnapshotClassName: 'snap' },
      }),
    snapshot: (name: string) => client.find(volumeSnapshots, { namespace: 'default', name }),
    deleteSnapshot: (name: string) => client.delete(volumeSnapshots, { namespace: 'default', name }),
    contents: async () => (await client.list(volumeSnapshotContents)).items,
  };
};

/** A cluster, vCenters, and CPI programs to be started with `start`. */
export const openNodeStory = (options: Omit<CpiTestbedOptions, 'wire'> = {}) => {
  const ways = new Map<string, ReturnType<typeof createWays>>();
  const testbed = createCpiTestbed({
    ...options,
    wire: (to, transport, identity) => waysOf(identity).wire(to, transport),
  });
  const waysOf = (identity: string) => {
    const own = ways.get(identity) ?? createWays(testbed.clock);
    ways.set(identity, own);
    return own;
  };
  opened.push(testbed);
  return { ...testbed, ways: waysOf };
};
