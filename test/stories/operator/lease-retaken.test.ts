import { deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { outage } from '../troubles.ts';
import { account, openOperatorStory } from './operator-world.ts';

const controller = { namespace: 'vmware-system-vdo', name: 'vsphere-csi-controller' };

// Issue 17, 1: a leader that loses its Lease and takes it again works on.
describe('an operator that lost its Lease and took it again', () => {
  it('finishes a first installation that the outage hit', async () => {
    const story = await openOperatorStory();
    const operator = story.start();
    const heal = operator.onKube(outage(/^PATCH .*\/csidrivers\//));
    await story.putSecret(account);
    await story.describe();
    await story.advance(60_000);
    expect(await story.kube.find(deployments, controller)).toBeUndefined();
    heal();
    await story.becomes('Ready', 'True', 'AllReady');
  });

  it('still notices that vCenter goes away', async () => {
    const story = await openOperatorStory();
    const operator = story.start();
    await story.install();
    const heal = operator.onKube(outage());
    await story.advance(30_000);
    heal();
    await story.advance(60_000);
    story.network.up = false;
    await story.becomes('Ready', 'False', 'VCenterUnreachable', 6_000);
  });

  it('looks at everything at the start of its term, whatever was asked before', async () => {
    const story = await openOperatorStory();
    const operator = story.start();
    await story.install();
    await story.advance(60_000);
    const heal = operator.onKube(outage());
    await story.advance(30_000);
    heal();
    const before = story.calls.length;
    await story.advance(30_000);
    expect(story.calls.slice(before).map(({ name }) => name)).toContain(
      'GET /apis/vdo.vmware.com/v1beta1/vspheredrivers/cluster',
    );
  });

  it('works on as one of two, however often the Lease goes back and forth', async () => {
    const story = await openOperatorStory();
    const first = story.start('operator-1');
    await story.install();
    const second = story.start('operator-2');
    for (let turn = 0; turn < 3; turn++) {
      const leading = turn % 2 === 0 ? first : second;
      const heal = leading.onKube(outage());
      await story.advance(60_000);
      heal();
      await story.advance(5_000);
      await story.kube.delete(deployments, controller);
      await story.until('the controller to be back', () => story.kube.find(deployments, controller));
    }
    await story.becomes('Ready', 'True', 'AllReady');
  });
});
