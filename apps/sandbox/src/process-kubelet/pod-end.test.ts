import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createSystemRandom } from '@vdo/base/random';
import { createInformer } from '@vdo/kube/create-informer';
import { nodes, type Pod, pods } from '@vdo/kube/types/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startKubeletTestbed } from '../testing/kubelet-testbed.ts';

let testbed: Awaited<ReturnType<typeof startKubeletTestbed>>;
beforeEach(async () => {
  testbed = await startKubeletTestbed();
});
afterEach(() => testbed.stop());

const hasTerminated = ({ status }: Pod): boolean =>
  status?.containerStatuses?.every(({ state }) => state !== undefined && 'terminated' in state) ?? false;

describe('a pod that is deleted', () => {
  const key = { namespace: 'default', name: 'p' };
  /** What everybody sees of the pod until it is gone, after it was deleted with these options. */
  const seenUntilGone = async (options: { readonly gracePeriodSeconds?: number }): Promise<readonly string[]> => {
    const { kube } = testbed;
    testbed.startKubelet();
    await kube.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, spec: {} });
    const containers = [{ name: 'main', image: 'app', command: ['wait'] }];
    await kube.create(pods, { apiVersion: 'v1', kind: 'Pod', metadata: key, spec: { containers } });
    await testbed.until('the pod to run', () => testbed.isReady('p'));
    const stopping = new AbortController();
    const common = { clock: createSystemClock(), random: createSystemRandom(), logger: silentLogger };
    const informer = createInformer({ ...common, client: kube, resource: pods });
    const seen: string[] = [];
    informer.onChange(({ type, object }) => {
      if (type === 'deleted') seen.push('gone');
      else seen.push(hasTerminated(object) ? 'terminated' : 'running');
    });
    const running = informer.run(stopping.signal);
    await informer.waitForSync({ signal: stopping.signal });
    await kube.delete(pods, key, options);
    await testbed.until('the pod to go', async () => seen.includes('gone'));
    stopping.abort(new Error('seen enough'));
    await running;
    return seen.filter((what, index) => what !== seen[index - 1]);
  };

  it('is reported as terminated before it goes', async () => {
    expect(await seenUntilGone({})).toEqual(['running', 'terminated', 'gone']);
  });

  it('is not, if it is deleted by force', async () => {
    expect(await seenUntilGone({ gracePeriodSeconds: 0 })).toEqual(['running', 'gone']);
  });
});
