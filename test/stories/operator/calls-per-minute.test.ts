import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { configMaps, type Node, nodes, type PersistentVolume, persistentVolumes, secrets } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { afterAll, describe, expect, it } from 'vitest';
import { outage } from '../troubles.ts';
import { both, fromConfigMap } from './matrices.ts';
import { account, namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const atRest = 35;
const broken = 70;
const table: string[] = [];
afterAll(() => console.log(['calls to the API server per minute', ...table].join('\n')));

const measured = async (
  story: OperatorStory,
  { state, bound, settleMinutes }: { readonly state: string; readonly bound: number; readonly settleMinutes: number },
) => {
  await story.advance(settleMinutes * 60_000);
  const { perMinute, top } = await story.callsPerMinute(10);
  table.push(`| ${state.padEnd(66)} | ${String(perMinute).padStart(6)} | ${bound} |`);
  expect(perMinute, `${state}: ${top.map(([name, count]) => `${count} ${name}`).join(', ')}`).toBeLessThanOrEqual(
    bound,
  );
};
const installed = async (spec: object = {}, identity?: string) => {
  const story = await openOperatorStory();
  story.start(identity);
  await story.install(spec);
  return story;
};
const installedThen = async (spec: object) => {
  const story = await installed();
  await story.describe(spec);
  return story;
};
const followingMatrix = async (serial = 1, updates: object = {}) => {
  const story = await openOperatorStory();
  story.start();
  await story.publish(serial, both('1.0.0'));
  await story.install({ updates: { ...fromConfigMap, ...updates } });
  return story;
};
const volume = (index: number): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: `pv-${index}` },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: `h-${index}` },
  },
});
/** Something that happens each second of the measurement. */
const eachSecond = (story: OperatorStory, happens: () => Promise<unknown>) => {
  const again = () => {
    void happens().catch(() => {});
    story.clock.schedule(again, 1_000);
  };
  again();
};

type State = readonly [state: string, bound: number, reach: () => Promise<OperatorStory>, settleMinutes?: number];

const states: readonly State[] = [
  ['at rest', atRest, () => installed()],
  [
    'at rest, Upstream',
    atRest,
    () => installed({ distribution: 'Upstream', images: { registry: 'registry.example.com' } }),
  ],
  [
    'at rest, two replicas',
    atRest,
    async () => {
      const story = await installed();
      story.start('operator-2');
      return story;
    },
  ],
  [
    'no resource',
    atRest,
    async () => {
      const story = await openOperatorStory();
      story.start();
      return story;
    },
  ],
  [
    'vCenter is away',
    broken,
    async () => {
      const story = await installed();
      story.network.up = false;
      return story;
    },
  ],
  [
    'vCenter is away before the first installation',
    broken,
    async () => {
      const story = await openOperatorStory();
      story.start();
      story.network.up = false;
      await story.putSecret(account);
      await story.describe();
      return story;
    },
  ],
  [
    'the Secret is missing',
    broken,
    async () => {
      const story = await openOperatorStory();
      story.start();
      await story.describe();
      return story;
    },
  ],
  [
    'the password is wrong',
    broken,
    async () => {
      const story = await installed();
      await story.putSecret({ ...account, password: 'never-accepted' });
      return story;
    },
  ],
  [
    'a right is missing',
    broken,
    async () => {
      const story = await installed();
      story.kubeSim.faults.add({ match: { resource: 'csidrivers', verb: 'patch' }, effect: { kind: 'deny' } });
      await story.describe({ csi: { replicas: 2 } });
      return story;
    },
  ],
  [
    'a right is missing at the first installation',
    broken,
    async () => {
      const story = await openOperatorStory();
      story.start();
      story.kubeSim.faults.add({ match: { resource: 'csidrivers', verb: 'patch' }, effect: { kind: 'deny' } });
      await story.putSecret(account);
      await story.describe();
      return story;
    },
  ],
  [
    'no release fits',
    broken,
    async () => {
      const story = await openOperatorStory();
      story.start();
      await story.putSecret(account);
      await story.describe({ updates: { policy: 'Pinned', versions: { cpi: '9.9.9', csi: '9.9.9' } } });
      return story;
    },
  ],
  [
    'an image cannot be pulled',
    broken,
    async () => {
      const story = await openOperatorStory();
      story.stubs.behave('vdo', 'no-image');
      story.start();
      await story.putSecret(account);
      await story.describe();
      return story;
    },
  ],
  [
    'the pods crash',
    broken,
    async () => {
      const story = await openOperatorStory();
      story.stubs.behave('vdo', 'crash');
      story.start();
      await story.putSecret(account);
      await story.describe();
      return story;
    },
  ],
  [
    'neither the new nor the last good release becomes ready',
    broken,
    async () => {
      const story = await openOperatorStory();
      story.start();
      await story.publish(1, both('1.0.0'));
      await story.install({ updates: fromConfigMap });
      story.stubs.behave('vdo', 'unready');
      await story.publish(2, both('1.0.0', '1.0.1'));
      return story;
    },
    35,
  ],
  [
    'somebody fights over a field',
    broken,
    async () => {
      const story = await installed();
      const key = { namespace, name: 'vsphere-csi-controller' };
      story.kubeSim.store.onChange(({ bucket, object }) => {
        if (!bucket.endsWith('/deployments') || object.metadata.name !== key.name) return;
        if ((object['spec'] as { replicas: number }).replicas === 5) return;
        story.clock.schedule(() => {
          void story.kube.patch(
            deployments,
            key,
            { type: 'merge', body: { spec: { replicas: 5 } } },
            { fieldManager: 'rival' },
          );
        }, 50);
      });
      await story.kube.patch(
        deployments,
        key,
        { type: 'merge', body: { spec: { replicas: 5 } } },
        { fieldManager: 'rival' },
      );
      return story;
    },
  ],
  [
    'a ConfigMap of nobody is written each second',
    atRest,
    async () => {
      const story = await installed();
      let count = 0;
      eachSecond(story, () => {
        const object = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { namespace, name: 'noise' },
          data: { n: `${count++}` },
        };
        return story.kube.apply(configMaps, object, { fieldManager: 'noise', force: true });
      });
      return story;
    },
  ],
  [
    'a Secret of nobody is written each second',
    atRest,
    async () => {
      const story = await installed();
      let count = 0;
      eachSecond(story, () => {
        const object = {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { namespace, name: 'noise' },
          stringData: { n: `${count++}` },
        };
        return story.kube.apply(secrets, object, { fieldManager: 'noise', force: true });
      });
      return story;
    },
  ],
  [
    'a node is ready and not, each second',
    broken,
    async () => {
      const story = await installed();
      let count = 0;
      eachSecond(story, () => {
        const status: Node['status'] = {
          conditions: [{ type: 'Ready', status: count++ % 2 === 0 ? 'Unknown' : 'True' }],
        };
        return story.kube.patch(
          nodes,
          { name: 'node-1' },
          { type: 'merge', body: { status } },
          { subresource: 'status' },
        );
      });
      return story;
    },
  ],
  [
    'a node has no VM',
    broken,
    async () => {
      const story = await installed();
      await story.joinNode('node-9');
      return story;
    },
  ],
  [
    'a node is never initialised',
    broken,
    async () => {
      const story = await installed();
      const taint = { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' };
      await story.kube.create(nodes, {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'node-8' },
        spec: { taints: [taint] },
      } as Node);
      return story;
    },
  ],
  [
    'the clocks of operator and vCenter differ',
    broken,
    async () => {
      const story = await installed();
      story.setAhead('operator-1', 600_000);
      return story;
    },
  ],
  [
    'the matrix is nonsense',
    broken,
    async () => {
      const story = await followingMatrix();
      await story.publish(2, [], { text: 'nonsense' });
      return story;
    },
  ],
  [
    'the matrix is not signed',
    broken,
    async () => {
      const story = await followingMatrix();
      await story.publish(2, both('1.0.1'), { sign: false });
      return story;
    },
  ],
  [
    'the matrix is one of yesterday',
    broken,
    async () => {
      const story = await followingMatrix(5);
      await story.publish(4, both('0.9.0'));
      return story;
    },
  ],
  [
    'the matrix is gone',
    broken,
    async () => {
      const story = await followingMatrix();
      await story.kube.delete(configMaps, { namespace, name: 'matrix' });
      return story;
    },
  ],
  [
    'a release waits for somebody to name it',
    atRest,
    async () => {
      const story = await followingMatrix(1, { policy: 'Manual' });
      await story.publish(2, both('1.0.0', '1.0.1'));
      return story;
    },
  ],
  [
    'the manifest of the pod network is missing',
    broken,
    () => installedThen({ cni: { manifest: { configMap: { name: 'missing' } } } }),
  ],
  [
    'one driver cannot be built',
    broken,
    async () => {
      const spec = { distribution: 'Upstream', images: { registry: 'registry.example.com' } };
      const story = await installed(spec);
      await story.describe({ ...spec, cpi: { nodeLabels: { 'example.com/x': 'y' } } });
      return story;
    },
  ],
  [
    'a field must change that cannot',
    broken,
    async () => {
      const story = await installed({ csi: { storageClasses: [{ name: 'fast' }] } });
      await story.describe({ csi: { storageClasses: [{ name: 'fast', volumeBindingMode: 'Immediate' }] } });
      return story;
    },
  ],
  [
    'the inventory is lost',
    atRest,
    async () => {
      const story = await installed();
      await story.kube.delete(configMaps, { namespace, name: 'vdo-inventory' });
      return story;
    },
  ],
  [
    'the note of releases is lost',
    atRest,
    async () => {
      const story = await installed();
      await story.kube.delete(configMaps, { namespace, name: 'vdo-releases' });
      return story;
    },
  ],
  [
    'an uninstallation is refused because a backup was restored',
    broken,
    async () => {
      const story = await installed();
      const key = { namespace, name: 'vsphere-csi-controller' };
      await story.kube.delete(vsphereDrivers, { name: 'cluster' });
      story.operators[0]?.kill();
      const restored = await story.kube.get(deployments, key);
      const {
        uid: _,
        resourceVersion: __,
        managedFields: ___,
        deletionTimestamp: ____,
        ...metadata
      } = restored.metadata;
      await story.kube.delete(deployments, key);
      await story.kube.create(deployments, { ...restored, metadata }, { fieldManager: 'velero' });
      story.start('operator-2');
      return story;
    },
  ],
  [
    'two replicas, and vCenter is away',
    broken,
    async () => {
      const story = await installed();
      story.start('operator-2');
      story.network.up = false;
      return story;
    },
  ],
  [
    'two replicas, and the Lease goes back and forth every two minutes',
    broken,
    async () => {
      const story = await installed();
      const [first, second] = [story.ways('operator-1'), story.start('operator-2')];
      let turn = 0;
      const swap = () => {
        const heal = (turn++ % 2 === 0 ? first : second).onKube(outage(/leases/));
        story.clock.schedule(heal, 20_000);
        story.clock.schedule(swap, 120_000);
      };
      swap();
      return story;
    },
  ],
  [
    'an uninstallation is refused with 1,000 volumes',
    broken,
    async () => {
      const story = await installed();
      for (let index = 0; index < 1_000; index++) await story.kube.create(persistentVolumes, volume(index));
      await story.kube.delete(vsphereDrivers, { name: 'cluster' });
      return story;
    },
  ],
  [
    'an uninstallation is held by a finalizer of somebody else',
    broken,
    async () => {
      const story = await installed();
      await story.kube.patch(
        configMaps,
        { namespace, name: 'vsphere-config' },
        { type: 'merge', body: { metadata: { finalizers: ['example.com/held'] } } },
      );
      await story.kube.delete(vsphereDrivers, { name: 'cluster' });
      return story;
    },
  ],
];

// Issue 17, 6 and 15.
describe('calls per minute', { timeout: 120_000 }, () => {
  for (const [state, bound, reach, settleMinutes = 12] of states)
    it(`${state}: at most ${bound}`, async () => measured(await reach(), { state, bound, settleMinutes }));
});
