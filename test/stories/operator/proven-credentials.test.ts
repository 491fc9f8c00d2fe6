import { httpResponse } from '@vdo/base/http';
import { secrets } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { describe, expect, it } from 'vitest';
import { meanwhile, striking } from '../troubles.ts';
import { account, namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const json = { 'content-type': 'application/json' };
const wrong = { ...account, password: 'never-accepted' };
const plain = (object: AnyObject): string =>
  Object.values((object['data'] ?? {}) as Readonly<Record<string, string>>)
    .map((value) => Buffer.from(value, 'base64').toString())
    .join('\n');

/** Every password that any Secret of the drivers had at any time. */
const watchSecrets = ({ kubeSim }: OperatorStory) => {
  const seen: string[] = [];
  kubeSim.store.onChange(({ bucket, object }) => {
    if (!bucket.endsWith('/secrets') || object.metadata.name === 'vcenter') return;
    for (const password of [account.password, wrong.password, 'the-next-one'])
      if (plain(object).includes(password))
        seen.push(`${object.metadata.namespace}/${object.metadata.name} ${password}`);
  });
  return seen;
};
const leaks = (seen: readonly string[]) => seen.filter((line) => line.includes(wrong.password));

// Issue 17, 2: the drivers get the very credentials that a login has proven, and no others.
describe('a password that vCenter did not accept', () => {
  it.each(['Native', 'Upstream'])(
    'does not reach the %s drivers when it is put into the Secret',
    async (distribution) => {
      const story = await openOperatorStory();
      story.start();
      const seen = watchSecrets(story);
      await story.install({ distribution, images: { registry: 'registry.example.com' } });
      await story.putSecret(wrong);
      await story.becomes('CredentialsValid', 'False', 'VCenterLoginRejected');
      await story.advance(10 * 60_000);
      expect(leaks(seen)).toEqual([]);
      await story.putSecret({ ...account });
      await story.becomes('Ready', 'True', 'AllReady');
    },
  );

  it.each(['Native', 'Upstream'])(
    'does not reach the %s drivers by an operator that starts with it',
    async (distribution) => {
      const story = await openOperatorStory();
      const first = story.start();
      const seen = watchSecrets(story);
      await story.install({ distribution, images: { registry: 'registry.example.com' } });
      first.kill();
      await story.advance(60_000);
      await story.putSecret(wrong);
      story.start('operator-2');
      await story.becomes('CredentialsValid', 'False', 'VCenterLoginRejected');
      await story.advance(10 * 60_000);
      expect(leaks(seen)).toEqual([]);
    },
  );

  it('does not reach the drivers between the login and the rendering', async () => {
    const story = await openOperatorStory();
    const operator = story.start();
    const seen = watchSecrets(story);
    let after = false;
    operator.onVCenter(
      meanwhile(/^Login$/, () => {
        after = true;
      }),
    );
    operator.onKube(async (request, next) => {
      if (after && request.method !== 'GET') {
        after = false;
        await story.putSecret(wrong);
      }
      return next(request);
    });
    await story.putSecret(account);
    await story.describe();
    await story.advance(60_000);
    expect(after).toBe(false);
    expect(leaks(seen)).toEqual([]);
  });

  it('does not reach the drivers while the watch of Secrets is late', async () => {
    const story = await openOperatorStory();
    const operator = story.start();
    const seen = watchSecrets(story);
    await story.install();
    operator.hangWatches(/\/secrets$/);
    await story.putSecret(wrong);
    await story.describe({ csi: { replicas: 2 } });
    await story.advance(10 * 60_000);
    expect(leaks(seen)).toEqual([]);
  });

  it('does not reach the drivers when their own Secret is lost during an outage of vCenter', async () => {
    const story = await openOperatorStory();
    story.start();
    const seen = watchSecrets(story);
    await story.install();
    story.network.up = false;
    await story.putSecret(wrong);
    await story.kube.delete(secrets, { namespace, name: 'vsphere-credentials' });
    await story.becomes('VCenterReachable', 'False', 'VCenterUnreachable', 6_000);
    const back = await story.until('the Secret to be back', () =>
      story.kube.find(secrets, { namespace, name: 'vsphere-credentials' }),
    );
    expect(plain(back as unknown as AnyObject)).toContain(account.password);
    expect(leaks(seen)).toEqual([]);
  });
});

// The watch has shown the new Secret, and a server that is behind answers the read that follows.
describe('a password that was read as it used to be', () => {
  it('does not count as that of the new Secret for longer than a minute', async () => {
    const story = await openOperatorStory();
    const operator = story.start();
    await story.install();
    await story.advance(6 * 60_000);
    const [before] = (await story.kube.list(secrets, { namespace, fieldSelector: 'metadata.name=vcenter' })).items;
    operator.onKube(
      striking(/^GET .*\/secrets\/vcenter$/, 1, async () => httpResponse(200, JSON.stringify(before), json)),
    );
    await story.putSecret(wrong);
    const began = story.clock.monotonicMs();
    await story.becomes('CredentialsValid', 'False', 'VCenterLoginRejected', 25_000);
    expect(story.clock.monotonicMs() - began).toBeLessThan(75_000);
  });
});
