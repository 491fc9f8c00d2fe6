import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom, type Random } from '@vdo/base/random';
import { simReleases } from '@vdo/sim-world/sim-release';
import { createVCenter, type FullVCenter } from '@vdo/vsphere/create-vcenter';
import { describe, expect, it } from 'vitest';
import { createSimTarget } from './sim-target.ts';

/** Each goes by another endpoint, or by another door of one. */
const asking: readonly (readonly [string, (vcenter: FullVCenter) => Promise<unknown>])[] = [
  ['policies', ({ policies }) => policies.list()],
  ['tags', ({ tags }) => tags.categories()],
  ['volumes', ({ cns }) => cns.queryVolumes({ clusterIds: ['c'] })],
  ['inventory', ({ inventory }) => inventory.read(['VirtualMachine'])],
  ['tasks', ({ tasks }) => tasks.underWay(/volume/)],
  ['nodes', ({ nodes }) => nodes.resolve([{ key: 'n', names: ['nobody'] }])],
  ['about', (vcenter) => vcenter.about()],
  ['health', ({ health }) => health.categories()],
];

const shuffled = <T>(items: readonly T[], random: Random): readonly T[] =>
  items
    .map((item) => ({ item, at: random.next() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);

/** Logins and logouts at both doors, as the vCenter counted them. */
const countedBy = ({ recorder }: ReturnType<typeof createSimTarget>['sim']) => {
  const count = (pattern: RegExp) => recorder.calls().filter(({ method }) => pattern.test(method)).length;
  return [count(/^Login$/), count(/^Logout$/), count(/^POST .*\/session$/), count(/^DELETE .*\/session$/)];
};

describe.each(simReleases)('sessions on %s', (release) => {
  it.each([1, 2, 3, 4, 5, 6])('are one each, and none is left, in the order of seed %i', async (seed) => {
    const { sim, target } = createSimTarget(release);
    const random = createSeededRandom(seed);
    const { username, password } = target;
    const vcenter = createVCenter({
      server: 'vcenter.example',
      credentials: async () => ({ username, password, version: '1' }),
      transport: sim.handler,
      clock: createSystemClock(),
      random,
      logger: silentLogger,
      metrics: createMetrics(),
    });
    const order = shuffled(asking, random);
    // Half of the orders one after the other, half all at once.
    if (seed % 2 === 0) await Promise.all(order.map(([, ask]) => ask(vcenter)));
    else for (const [, ask] of order) await ask(vcenter);
    await vcenter.close();
    expect(countedBy(sim), order.map(([what]) => what).join(', ')).toEqual([1, 1, 1, 1]);
  });
});
