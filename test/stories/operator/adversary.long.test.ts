import { deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { both, fromConfigMap } from './matrices.ts';
import { account, namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const csiController = { namespace, name: 'vsphere-csi-controller' };
const followingMatrix = async (updates: object = {}): Promise<OperatorStory> => {
  const story = await openOperatorStory();
  story.start();
  await story.publish(5, both('1.0.0'));
  await story.install({ updates: { ...fromConfigMap, ...updates } });
  return story;
};
const versionOf = async (story: OperatorStory, kind: 'CPI' | 'CSI') =>
  (await story.drivers())?.status?.drivers?.find((one) => one.kind === kind)?.version;
// The longer ones of adversary.test.ts.
describe('an operator whose', () => {
  it('spec is edited while a release is taken back does both', async () => {
    const story = await followingMatrix();
    story.stubs.behave(':1.0.1', 'crash');
    await story.publish(6, both('1.0.0', '1.0.1'));
    await story.until(
      'the way back',
      async () => (await story.events()).some(({ reason }) => reason === 'RollbackStarted'),
      12_000,
    );
    await story.describe({ updates: fromConfigMap, csi: { replicas: 2 } });
    await story.until(
      'both',
      async () =>
        (await story.condition('Ready'))?.status === 'True' &&
        (await story.kube.get(deployments, csiController)).spec.replicas === 2,
      30_000,
    );
    expect([await versionOf(story, 'CPI'), await versionOf(story, 'CSI')]).toEqual(['1.0.0', '1.0.0']);
    expect(await story.condition('Upgradeable')).toMatchObject({ status: 'False', reason: 'UpgradeRolledBack' });
  });

  it.each([400, 422, 500, 503])(
    'writes a webhook refuses with %i for three minutes goes on afterwards',
    async (code) => {
      const story = await followingMatrix();
      const heal = story.kubeSim.faults.add({
        match: { resource: 'deployments', verb: 'patch' },
        effect: { kind: 'error', code, reason: code === 403 ? 'Forbidden' : 'BadRequest' },
      });
      await story.publish(6, both('1.0.0', '1.0.1'));
      await story.advance(60_000);
      expect(await story.condition('Degraded')).toMatchObject({ status: 'True' });
      expect(await story.condition('Available')).toMatchObject({ status: 'True' });
      await story.advance(2 * 60_000);
      heal();
      await story.until('the upgrade', async () => (await versionOf(story, 'CSI')) === '1.0.1', 1_800);
      await story.becomes('Ready', 'True', 'AllReady');
    },
  );

  it('quota is exceeded at the first installation says so and goes on when there is room', async () => {
    const story = await openOperatorStory();
    story.start();
    const heal = story.kubeSim.faults.add({
      match: { resource: 'secrets', verb: 'patch' },
      effect: { kind: 'error', code: 403, reason: 'Forbidden' },
    });
    await story.putSecret(account).catch(() => {});
    heal();
    await story.putSecret(account);
    const again = story.kubeSim.faults.add({
      match: { resource: 'secrets', verb: 'patch', name: 'vsphere-credentials' },
      effect: { kind: 'error', code: 403, reason: 'Forbidden' },
    });
    await story.describe();
    await story.becomes('Ready', 'False', 'KubeForbidden');
    await story.advance(10 * 60_000);
    again();
    await story.becomes('Ready', 'True', 'AllReady');
  });
});
