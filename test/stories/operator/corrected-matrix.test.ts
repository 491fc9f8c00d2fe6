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

// Found by `npm run simulate -- --operator --replay 94`: it counted as read, and the one before it was used for six hours.
it('a matrix that was read by a pass which failed before it was noted is read again', async () => {
  const story = await openOperatorStory();
  story.start();
  await story.publish(1, both('1.0.0'));
  await story.install({ updates: fromConfigMap });
  const match = { resource: 'configmaps', verb: 'patch', name: 'vdo-matrix' };
  story.kubeSim.faults.add({ match, times: 1, effect: { kind: 'error', code: 500 } });
  await story.publish(2, both('1.0.0', '1.0.1'));
  await story.until('the upgrade', async () =>
    (await story.drivers())?.status?.drivers?.every(({ kind, version }) => kind === 'CNI' || version === '1.0.1'),
  );
});
