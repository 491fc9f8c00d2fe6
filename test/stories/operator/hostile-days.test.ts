import { httpResponse } from '@vdo/base/http';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { secrets } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { seedCrds } from '@vdo/sim-world/seed';
import { describe, expect, it } from 'vitest';
import { outage, type Trouble } from '../troubles.ts';
import { both, fromConfigMap } from './matrices.ts';
import { account, namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const csiController = { namespace, name: 'vsphere-csi-controller' };
const opened = async (spec: object = {}) => {
  const story = await openOperatorStory();
  const first = story.start();
  const second = story.start('operator-2');
  await story.install(spec);
  return { story, first, second };
};
const replicasOf = async (story: OperatorStory) => (await story.kube.find(deployments, csiController))?.spec.replicas;
const served = (story: OperatorStory, replicas: number) =>
  story.until(`${replicas} replicas`, async () => (await replicasOf(story)) === replicas, 900);
const versionOf = async (story: OperatorStory) =>
  (await story.drivers())?.status?.drivers?.find(({ kind }) => kind === 'CSI')?.version;

// Issue 17: its items read as promises, and what nobody had tried against them.
describe('two operators serve the next wish within a minute and a half', () => {
  it.each([9_900, 10_000, 14_900, 15_000, 15_100, 30_000])(
    'after the leader alone could not reach the API server for %i ms',
    async (ms) => {
      const { story, first } = await opened();
      const heal = first.onKube(outage());
      await story.advance(ms);
      heal();
      await story.describe({ csi: { replicas: 2 } });
      await served(story, 2);
    },
  );

  it('after the API server answered 429 to everything for five minutes', async () => {
    const { story, first, second } = await opened();
    const throttled: Trouble = async () =>
      httpResponse(429, JSON.stringify({ kind: 'Status', reason: 'TooManyRequests', code: 429 }), {
        'content-type': 'application/json',
        'retry-after': '1',
      });
    const heal = [first, second].map((one) => one.onKube(throttled));
    story.kubeSimNow().dropWatches();
    await story.advance(300_000);
    for (const one of heal) one();
    await story.describe({ csi: { replicas: 2 } });
    await served(story, 2);
  });
});

describe('an operator whose', () => {
  it('Secret is deleted and made anew with the same content logs in with it, and the drivers never lose theirs', async () => {
    const { story } = await opened();
    const held = async () => (await story.kube.get(secrets, { namespace, name: 'vsphere-credentials' })).data;
    const before = await held();
    for (const awayMs of [0, 30_000, 20 * 60_000]) {
      await story.kube.delete(secrets, { namespace, name: 'vcenter' });
      await story.advance(awayMs);
      expect(await held()).toEqual(before);
      expect(await story.condition('Available')).toMatchObject({ status: 'True' });
      await story.putSecret(account);
      await story.becomes('CredentialsValid', 'True', 'LoginSucceeded');
      expect(await held()).toEqual(before);
    }
  });

  it('matrix calls the release bad that it is just bringing goes on to the next one', async () => {
    const { story } = await opened({ updates: fromConfigMap });
    await story.publish(100, both('9.0.0'));
    await story.until('9.0.0', async () => (await versionOf(story)) === '9.0.0', 1_800);
    story.stubs.behave(':9.0.1', 'crash');
    await story.publish(101, both('9.0.0', '9.0.1'));
    await story.advance(60_000);
    const bad = both('9.0.1').map((release) => ({ ...release, bad: 'it crashes' }));
    await story.publish(102, [...both('9.0.0', '9.0.2'), ...bad]);
    await story.until('9.0.2', async () => (await versionOf(story)) === '9.0.2', 1_800);
    await story.becomes('Ready', 'True', 'AllReady');
  });

  it('definition is deleted with everything, and made anew, installs what is wished then', async () => {
    const { story } = await opened();
    await story.kube.delete(customResourceDefinitions, { name: 'vspheredrivers.vdo.vmware.com' });
    await story.until(
      'the end of the drivers',
      async () => (await story.kube.find(deployments, csiController)) === undefined,
      1_800,
    );
    await story.advance(10 * 60_000);
    await seedCrds(story.kube, 'vdo.vmware.com_vspheredrivers.yaml');
    await story.describe({ csi: { replicas: 2 } });
    await served(story, 2);
    await story.becomes('Ready', 'True', 'AllReady');
    await story.kube.delete(vsphereDrivers, { name: 'cluster' });
    await story.until('the end', async () => (await story.drivers()) === undefined, 1_800);
  });
});
