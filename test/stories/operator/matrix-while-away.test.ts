import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { describe, it } from 'vitest';
import { both, fromConfigMap } from './matrices.ts';
import { openOperatorStory } from './operator-world.ts';

// Found by the lives of test/simulate/operator.
describe('a matrix that is published while there are no drivers', () => {
  it('counts for the next installation', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.publish(1, both('1.0.0'));
    await story.install({ updates: fromConfigMap });
    await story.kube.delete(vsphereDrivers, { name: 'cluster' });
    await story.until('the drivers to go', async () => (await story.drivers()) === undefined);
    await story.publish(2, both('1.0.1'));
    await story.describe({ updates: fromConfigMap });
    await story.until('1.0.1 to run', async () =>
      (await story.drivers())?.status?.drivers?.some(({ kind, version }) => kind === 'CSI' && version === '1.0.1'),
    );
  });
});
