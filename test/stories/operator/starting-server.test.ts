import { deployments } from '@vdo/kube/types/workloads';
import { versionLabel } from '@vdo/releases/render/shared/labels';
import { describe, it } from 'vitest';
import { both, fromConfigMap } from './matrices.ts';
import { namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const version = async ({ kube }: OperatorStory) =>
  (await kube.get(deployments, { namespace, name: 'vsphere-csi-controller' })).metadata.labels?.[versionLabel];

// Found on real parts (operator-restored.long): a kube-apiserver that starts answers 403 until it has read the rules, and the pass that
// met it was not repeated for five minutes.
describe('an API server that starts and refuses everything for some seconds', () => {
  it('does not let the operator sleep in mid-upgrade', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.publish(1, both('1.0.0'));
    await story.install({ updates: fromConfigMap });
    await story.publish(2, both('1.0.0', '1.0.1'));
    await story.until('the upgrade to begin', async () =>
      (await story.drivers())?.status?.drivers?.some(({ target }) => target === '1.0.1'),
    );
    const refused = { resource: 'vspheredrivers', verb: 'get' };
    const repair = story.kubeSim.faults.add({ match: refused, effect: { kind: 'deny' } });
    await story.kube.patch(
      deployments,
      { namespace, name: 'vsphere-cloud-controller-manager' },
      { type: 'merge', body: { metadata: { labels: { seen: 'true' } } } },
    );
    await story.advance(5_000);
    repair();
    await story.until('the upgrade to end', async () => (await version(story)) === '1.0.1', 600);
  });
});
