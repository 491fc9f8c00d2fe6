import { events } from '@vdo/kube/types/core';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { versionLabel } from '@vdo/releases/render/shared/labels';
import { describe, expect, it } from 'vitest';
import { both, fromConfigMap } from './matrices.ts';
import { namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const reasons = async (story: OperatorStory) => (await story.events()).map(({ reason }) => reason);
const timesReported = async ({ kube }: OperatorStory, wanted: string) =>
  (await kube.list(events)).items
    .filter(({ reason, message = '' }) => reason === wanted && message.includes('CSI'))
    .reduce((sum, { count = 1 }) => sum + count, 0);
const versions = async (story: OperatorStory) =>
  ((await story.drivers())?.status?.drivers ?? []).flatMap(({ kind, version }) => (kind === 'CNI' ? [] : version));
const controllerVersion = async ({ kube }: OperatorStory) =>
  (await kube.get(deployments, { namespace, name: 'vsphere-csi-controller' })).metadata.labels?.[versionLabel];
const nodeVersion = async ({ kube }: OperatorStory) =>
  (await kube.get(daemonSets, { namespace, name: 'vsphere-csi-node' })).metadata.labels?.[versionLabel];
const changed = (version: string, change: object) => both(version).map((release) => ({ ...release, ...change }));

// Issue 17, 7.
describe('under policy Manual a release', () => {
  it.each([
    ['is marked bad', [...changed('1.0.0', { bad: 'it loses data' }), ...both('1.0.1')]],
    ['is missing from a new matrix', both('1.0.1')],
    ['is out of range', [...changed('1.0.0', { kubernetes: { min: '1.20', max: '1.25' } }), ...both('1.0.1')]],
  ] as const)('that %s keeps running, and that is told', async (_why, releases) => {
    const story = await openOperatorStory();
    story.start();
    await story.publish(1, both('1.0.0'));
    await story.install({ updates: { ...fromConfigMap, policy: 'Manual' } });
    await story.publish(2, releases);
    await story.until('that to be told', async () =>
      (await story.drivers())?.status?.conditions?.some(({ reason }) => reason === 'NoCompatibleRelease'),
    );
    await story.advance(20 * 60_000);
    expect(await versions(story)).toEqual(['1.0.0', '1.0.0']);
    expect(await reasons(story)).not.toContain('UpgradeStarted');
  });
});

// Issue 17, 8: while a vCenter is away no upgrade begins.
describe('an upgrade that is under way when the gate closes', () => {
  const halfWay = async () => {
    const story = await openOperatorStory();
    story.start();
    await story.publish(1, both('1.0.0'));
    await story.install({ updates: fromConfigMap });
    // The agents of the nodes are what it waits for; the controller is replaced before them.
    story.stubs.behaveBy(({ metadata }, image) =>
      image.includes(':1.0.1') && metadata.name?.startsWith('vsphere-csi-node') ? 'unready' : undefined,
    );
    await story.publish(2, both('1.0.0', '1.0.1'));
    await story.until('the agents to be replaced', async () => (await nodeVersion(story)) === '1.0.1');
    story.network.up = false;
    await story.becomes('VCenterReachable', 'False', 'VCenterUnreachable', 6_000);
    return story;
  };

  it('goes on, whatever is published meanwhile', async () => {
    const story = await halfWay();
    await story.publish(3, both('1.0.1', '1.0.2'));
    await story.advance(2 * 60_000);
    expect(await controllerVersion(story)).toBe('1.0.1');
    expect(await reasons(story)).not.toContain('RollbackStarted');
  });

  const withdrawn = changed('1.0.1', { bad: 'it loses data' });
  it.each([
    ['marked bad', [...both('1.0.0'), ...withdrawn]],
    ['marked bad beside a newer one, which must wait', [...both('1.0.0', '1.0.2'), ...withdrawn]],
    ['marked bad like the one before it', [...changed('1.0.0', { bad: 'it is slow' }), ...withdrawn, ...both('1.0.2')]],
    ['marked bad, and there is no other', withdrawn],
    ['missing from a new matrix', both('1.0.0')],
  ] as const)('is taken back at once when its release is %s: that needs no vCenter', async (_why, releases) => {
    const story = await halfWay();
    await story.publish(3, releases);
    await story.until('storage to be back at 1.0.0', async () => {
      const driver = (await story.drivers())?.status?.drivers?.find(({ kind }) => kind === 'CSI');
      return driver?.version === '1.0.0' && driver.target === undefined && driver.nodes?.ready === 2;
    });
    expect([await controllerVersion(story), await nodeVersion(story)]).toEqual(['1.0.0', '1.0.0']);
    await story.advance(5 * 60_000);
    expect(await nodeVersion(story)).toBe('1.0.0');
    expect(await timesReported(story, 'RollbackStarted')).toBe(1);
    expect(await timesReported(story, 'RollbackCompleted')).toBe(1);
  });
});

// A release that runs everywhere was healthy here, and is withdrawn all the same.
describe('a release that is marked bad when it runs on every node', () => {
  const upgraded = async () => {
    const story = await openOperatorStory();
    story.start();
    await story.publish(1, both('1.0.0'));
    await story.install({ updates: fromConfigMap });
    await story.publish(2, both('1.0.0', '1.0.1'));
    await story.until('both drivers to run 1.0.1', async () => {
      const drivers = (await story.drivers())?.status?.drivers ?? [];
      return drivers.every(({ kind, version, target }) => kind === 'CNI' || (version === '1.0.1' && !target));
    });
    return story;
  };
  const isBack = async (story: OperatorStory) => {
    const drivers = (await story.drivers())?.status?.drivers ?? [];
    return drivers.every(({ kind, version, target }) => kind === 'CNI' || (version === '1.0.0' && !target));
  };

  it('goes back while vCenter is away, and one driver after the other', async () => {
    const story = await upgraded();
    story.network.up = false;
    await story.becomes('VCenterReachable', 'False', 'VCenterUnreachable', 6_000);
    await story.publish(3, [...both('1.0.0'), ...changed('1.0.1', { bad: 'it loses data' })]);
    const moving = new Set<string>();
    await story.until('both drivers to be back at 1.0.0', async () => {
      const targets = ((await story.drivers())?.status?.drivers ?? []).filter(({ target }) => target !== undefined);
      if (targets.length > 1) moving.add('both at once');
      return isBack(story);
    });
    expect([...moving]).toEqual([]);
    expect(await controllerVersion(story)).toBe('1.0.0');
    expect(await nodeVersion(story)).toBe('1.0.0');
    await story.advance(5 * 60_000);
    expect(await isBack(story)).toBe(true);
  });

  it('stays while vCenter is away if only a newer one is left, and says what it waits for', async () => {
    const story = await upgraded();
    story.network.up = false;
    await story.becomes('VCenterReachable', 'False', 'VCenterUnreachable', 6_000);
    await story.publish(3, [...changed('1.0.1', { bad: 'it loses data' }), ...both('1.0.2')]);
    await story.advance(5 * 60_000);
    expect(await versions(story)).toEqual(['1.0.1', '1.0.1']);
    expect(await story.condition('Progressing')).toMatchObject({ status: 'False', reason: 'VCenterUnreachable' });
    story.network.up = true;
    await story.until('both drivers to run 1.0.2', async () =>
      (await versions(story)).every((version) => version === '1.0.2'),
    );
  });
});
