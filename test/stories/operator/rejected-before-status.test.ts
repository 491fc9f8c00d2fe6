import { expect, it } from 'vitest';
import { account, type OperatorStory, openOperatorStory } from './operator-world.ts';

const isStatus = /^PATCH .*vspheredrivers\/cluster\/status/;

it('an operator that dies between a rejected login and its status leaves the rejection to its successor, with its words', async () => {
  const first: { kill?: () => void } = {};
  const story: OperatorStory = await openOperatorStory({
    onRequest: (identity, name) => {
      const isRejected = story.vsphere.recorder.calls().some(({ method }) => method === 'Login');
      if (identity !== 'operator-1' || !isStatus.test(name) || !isRejected) return;
      first.kill?.();
      throw new Error('killed');
    },
  });
  await story.putSecret({ ...account, password: 'mistyped' });
  await story.describe();
  const operator = story.start('operator-1');
  first.kill = () => void operator.kill();
  await story.until('the first to die', async () =>
    story.vsphere.recorder.calls().some(({ method }) => method === 'Login'),
  );
  await story.advance(60_000);
  expect(await story.condition('CredentialsValid')).toBeUndefined();
  story.start('operator-2');
  await story.becomes('CredentialsValid', 'False', 'VCenterLoginRejected');
  expect((await story.condition('CredentialsValid'))?.message).toContain('rejected the user name or password');
  const logins = story.vsphere.recorder.calls().filter(({ method }) => method === 'Login');
  expect(logins).toHaveLength(1);
});
