import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { type Node, nodes, persistentVolumes, secrets } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { outage } from '../../troubles.ts';
import { account, namespace, openOperatorStory } from '../operator-world.ts';
import { atRest, broken, eachSecond, installed, type State } from './measure.ts';
import { volume } from './volume.ts';

/** One of each kind of trouble that has cost too much at some time. */
export const commonStates: readonly State[] = [
  ['at rest', atRest, () => installed()],
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
    'vCenter is away',
    broken,
    async () => {
      const story = await installed();
      story.network.up = false;
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
    'an unrelated Secret is written each second',
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
    'two replicas, and the Lease goes back and forth every minute',
    broken,
    async () => {
      const story = await installed();
      const [first, second] = [story.ways('operator-1'), story.start('operator-2')];
      let turn = 0;
      const swap = () => {
        const heal = (turn++ % 2 === 0 ? first : second).onKube(outage(/leases/));
        story.clock.schedule(heal, 20_000);
        story.clock.schedule(swap, 60_000);
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
];
