import { httpResponse } from '@vdo/base/http';
import { deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { nameOf, type Trouble } from '../troubles.ts';
import { both, fromConfigMap } from './matrices.ts';
import { namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const minute = 60_000;
const csiController = { namespace, name: 'vsphere-csi-controller' };
const isLease = /\/leases(\/|$)/;

/** As priority and fairness answers when the queue of the operator's flow is full. */
const throttled =
  (what: RegExp, retryAfter: string): Trouble =>
  async (request, next) => {
    const name = nameOf(request);
    if (!what.test(name) || isLease.test(name)) return next(request);
    const status = { kind: 'Status', status: 'Failure', reason: 'TooManyRequests', code: 429, message: 'too many' };
    return httpResponse(429, JSON.stringify(status), { 'content-type': 'application/json', 'retry-after': retryAfter });
  };
const following = async (): Promise<{ readonly story: OperatorStory; throttle(trouble: Trouble): () => void }> => {
  const story = await openOperatorStory();
  const operators = [story.start(), story.start('operator-2')];
  await story.publish(5, both('1.0.0'));
  await story.install({ updates: fromConfigMap });
  return {
    story,
    throttle: (trouble) => {
      const heals = operators.map((one) => one.onKube(trouble));
      return () => {
        for (const heal of heals) heal();
      };
    },
  };
};
const versions = async (story: OperatorStory) =>
  (await story.drivers())?.status?.drivers?.filter(({ kind }) => kind !== 'CNI').map(({ version }) => version);
const isAt = (story: OperatorStory, version: string) =>
  story.until(version, async () => (await versions(story))?.every((one) => one === version), 3_000);

// Issue 17.
describe('operators that the API server throttles', () => {
  it.each(['1', '30', '86400', '0', 'soon', 'Wed, 21 Oct 2037 07:28:00 GMT', '-5'])(
    'with Retry-After %s keep within 70 calls a minute and serve the next change within two minutes of its end',
    async (retryAfter) => {
      const { story, throttle } = await following();
      const heal = throttle(throttled(/./, retryAfter));
      story.kubeSimNow().dropWatches();
      await story.advance(3 * minute);
      expect((await story.callsPerMinute(10)).perMinute).toBeLessThanOrEqual(70);
      heal();
      await story.describe({ updates: fromConfigMap, csi: { replicas: 2 } });
      await story.until(
        'two replicas',
        async () => (await story.kube.get(deployments, csiController)).spec.replicas === 2,
        1_200,
      );
    },
  );

  it.each([
    ['every write', /^(POST|PUT|PATCH|DELETE) /],
    ['the writes of workloads', /^PATCH .*(deployments|daemonsets)/],
    ['the status', /\/status$/],
    ['its notes', /^(POST|PUT|PATCH) .*configmaps/],
    ['every read', /^GET /],
  ] as const)(
    'for %s in the middle of an upgrade end it afterwards, and take no good release back',
    async (_, what) => {
      const { story, throttle } = await following();
      await story.publish(6, both('1.0.0', '1.0.1'));
      await story.until('the upgrade to begin', async () =>
        (await story.drivers())?.status?.drivers?.some(({ target }) => target === '1.0.1'),
      );
      const heal = throttle(throttled(what, '1'));
      await story.advance(15 * minute);
      heal();
      await isAt(story, '1.0.1');
      await story.becomes('Ready', 'True', 'AllReady', 3_000);
      expect((await story.events()).map(({ reason }) => reason)).not.toContain('UpgradeFailed');
    },
  );
});
