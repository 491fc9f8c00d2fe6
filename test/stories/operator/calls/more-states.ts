import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { configMaps, type Node, nodes } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { loosenCrd } from '../loosen-crd.ts';
import { both, fromConfigMap } from '../matrices.ts';
import { account, namespace, openOperatorStory } from '../operator-world.ts';
import { atRest, broken, eachSecond, followingMatrix, installed, installedThen, type State } from './measure.ts';

/** What else can be broken. */
export const rareStates: readonly State[] = [
  [
    'at rest, Upstream',
    atRest,
    () => installed({ distribution: 'Upstream', images: { registry: 'registry.example.com' } }),
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
    'an unrelated ConfigMap is written each second',
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
    'a node has no VM',
    broken,
    async () => {
      const story = await installed();
      await story.joinNode('node-9');
      return story;
    },
  ],
  [
    'a node is never initialized',
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
    'the spec cannot be read',
    broken,
    async () => {
      const story = await installed();
      await loosenCrd(story.kube);
      await story.describe({ distribution: 'Mine' });
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
