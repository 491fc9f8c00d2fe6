import { clusterRoles } from '@vdo/kube/types/cluster';
import { describe, expect, it } from 'vitest';
import { openOperatorStory } from './operator-world.ts';

const name = 'vdo:native-csi-1:state';

// The operator may not write this role. It is watched, so that neither its loss nor its return waits for the next round.
describe('a role that the drivers are bound to', () => {
  it('is missed within seconds, and when it is back all is ready within seconds', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    const role = await story.kube.get(clusterRoles, { name });
    const began = story.clock.monotonicMs();
    await story.kube.delete(clusterRoles, { name });
    await story.becomes('Ready', 'False', 'DriverRoleMissing');
    const missed = story.clock.monotonicMs();
    await story.advance(10 * 60_000);
    const { resourceVersion: _v, uid: _u, creationTimestamp: _c, ...metadata } = role.metadata;
    const restored = story.clock.monotonicMs();
    await story.kube.create(clusterRoles, { ...role, metadata });
    await story.becomes('Ready', 'True', 'AllReady');
    expect(missed - began).toBeLessThan(5_000);
    expect(story.clock.monotonicMs() - restored).toBeLessThan(5_000);
  });
});
