import { expect, it } from 'vitest';
import { both, fromConfigMap } from './matrices.ts';
import { openOperatorStory } from './operator-world.ts';

// Found by `npm run simulate -- --operator --replay 12`: the check of the matrix ran by its hourly round alone.
it('a corrected matrix counts at once, also for an upgrade that its check had held back', async () => {
  const story = await openOperatorStory();
  story.start();
  await story.publish(3, [], { text: '{"schemaVersion":1}' });
  await story.install({ updates: fromConfigMap });
  expect(await story.condition('Upgradeable')).toMatchObject({ status: 'False', reason: 'MatrixInvalid' });
  await story.publish(3, both('1.0.0'));
  await story.becomes('Upgradeable', 'True', 'AsExpected');
  await story.until('the upgrade', async () =>
    (await story.drivers())?.status?.drivers?.every(({ kind, version }) => kind === 'CNI' || version === '1.0.0'),
  );
});
