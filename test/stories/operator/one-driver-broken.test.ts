import { configMaps } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { both, fromConfigMap } from './matrices.ts';
import { namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

type Workload = readonly [resource: Resource<KubeObject>, key: { readonly namespace: string; readonly name: string }];
const native: Readonly<Record<'cpi' | 'csi', Workload>> = {
  cpi: [deployments as Resource<KubeObject>, { namespace, name: 'vsphere-cloud-controller-manager' }],
  csi: [deployments as Resource<KubeObject>, { namespace, name: 'vsphere-csi-controller' }],
};
const upstream: typeof native = {
  cpi: [daemonSets as Resource<KubeObject>, { namespace: 'kube-system', name: 'vsphere-cloud-controller-manager' }],
  csi: [deployments as Resource<KubeObject>, { namespace: 'vmware-system-csi', name: 'vsphere-csi-controller' }],
};

const comesBack = async ({ kube, until }: OperatorStory, [resource, key]: Workload) => {
  const before = await kube.get(resource, key);
  await kube.delete(resource, key);
  await until(`${key.name} to be back`, async () => {
    const found = await kube.find(resource, key);
    return found && found.metadata.uid !== before.metadata.uid;
  });
};
const uidOf = async ({ kube }: OperatorStory, [resource, key]: Workload) =>
  (await kube.get(resource, key)).metadata.uid;
const warned = async (story: OperatorStory, text: string) =>
  (await story.warnings()).some(({ message }) => message.includes(text));

// Issue 17, 9.
describe('a driver that cannot be built', () => {
  it.each([
    { broken: 'cpi', other: 'csi', change: { cpi: { nodeLabels: { 'example.com/x': 'y' } } } },
    {
      broken: 'csi',
      other: 'cpi',
      change: { csi: { fileVolumes: { datastoreUrls: ['ds:///vmfs/volumes/vsan:1/'] } } },
    },
  ] as const)('does not keep $other from being repaired: $broken', async ({ broken, other, change }) => {
    const story = await openOperatorStory();
    story.start();
    const spec = { distribution: 'Upstream', images: { registry: 'registry.example.com' } };
    await story.install(spec);
    const untouched = await uidOf(story, upstream[broken]);
    await story.describe({ ...spec, ...change });
    await story.becomes('Ready', 'False', 'ConfigInvalid');
    await comesBack(story, upstream[other]);
    await story.advance(10 * 60_000);
    expect(await uidOf(story, upstream[broken])).toBe(untouched);
    expect(await story.condition('Ready')).toMatchObject({ status: 'False', reason: 'ConfigInvalid' });
    await story.describe(spec);
    await story.becomes('Ready', 'True', 'AllReady');
  });
});

// Issue 17, 9.
describe('a driver for which there is no release', () => {
  it.each([
    { broken: 'cpi', other: 'csi' },
    { broken: 'csi', other: 'cpi' },
  ] as const)('does not keep $other from being repaired: $broken', async ({ broken, other }) => {
    const story = await openOperatorStory();
    const first = story.start();
    await story.publish(1, both('1.0.0'));
    await story.install({ updates: fromConfigMap });
    const untouched = await uidOf(story, native[broken]);
    const config = await story.kube.get(configMaps, { namespace, name: 'vsphere-config' });
    first.kill();
    await story.advance(30_000);
    // Nobody remembers what ran, and the matrix knows it no more.
    await story.kube.delete(configMaps, { namespace, name: 'vdo-releases' });
    const kept = both('1.0.0').filter(({ driver }) => driver === other);
    const unfit = both('2.0.0').map((release) => ({ ...release, kubernetes: { min: '1.20', max: '1.21' } }));
    await story.publish(2, [...kept, ...unfit]);
    story.start('operator-2');
    await story.becomes('Ready', 'False', 'NoCompatibleRelease');
    await comesBack(story, native[other]);
    await story.advance(10 * 60_000);
    expect(await uidOf(story, native[broken])).toBe(untouched);
    // What both share is as it was.
    expect((await story.kube.get(configMaps, { namespace, name: 'vsphere-config' })).data).toEqual(config.data);
    expect(await story.condition('Available')).toMatchObject({ status: 'True' });
  });

  it('is still a reason not to begin a first installation', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.publish(
      1,
      both('1.0.0').map((release) =>
        release.driver === 'csi' ? { ...release, kubernetes: { min: '1.20', max: '1.21' } } : release,
      ),
    );
    await story.putSecret({ username: 'administrator@vsphere.local', password: 'obviously-fake' });
    await story.describe({ updates: fromConfigMap });
    await story.becomes('Ready', 'False', 'NoCompatibleRelease');
    await story.advance(5 * 60_000);
    expect((await story.kube.list(deployments, { namespace })).items).toEqual([]);
  });
});

// Issue 17, 9; design decision 22.
describe('a note', () => {
  it.each([
    ['that nobody can read', { state: 'nonsense' }],
    ['of a later release', { state: '{"cpi":{"bad":[]},"later":true}', 'state-version': '7' }],
  ])('%s is begun anew, with a warning', async (_what, data) => {
    const story = await openOperatorStory();
    const first = story.start();
    await story.publish(1, both('1.0.0'));
    await story.install({ updates: fromConfigMap });
    first.kill();
    await story.advance(30_000);
    const key = { namespace, name: 'vdo-releases' };
    await story.kube.delete(configMaps, key);
    await story.kube.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data });
    story.start('operator-2');
    await story.until('the warning', () => warned(story, 'vmware-system-vdo/vdo-releases'));
    await comesBack(story, native.csi);
    await story.becomes('Ready', 'True', 'AllReady');
    const { data: written } = await story.kube.get(configMaps, key);
    expect(JSON.parse(written?.['state'] ?? '')).toMatchObject({ cpi: { good: { version: '1.0.0' } } });
    expect(written?.['state-version']).toBe('1');
  });

  it('of the first release, which said no version, is read', async () => {
    const story = await openOperatorStory();
    const first = story.start();
    await story.publish(1, both('1.0.0'));
    await story.install({ updates: fromConfigMap });
    first.kill();
    await story.advance(30_000);
    const key = { namespace, name: 'vdo-releases' };
    const { data } = await story.kube.get(configMaps, key);
    await story.kube.delete(configMaps, key);
    const state = data?.['state'] ?? '';
    await story.kube.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data: { state } });
    // The matrix has forgotten what runs: only the note knows how to build it.
    await story.publish(
      2,
      both('2.0.0').map((release) => ({ ...release, kubernetes: { min: '1.20', max: '1.21' } })),
    );
    story.start('operator-2');
    await comesBack(story, native.csi);
    expect(await warned(story, 'vdo-releases')).toBe(false);
  });
});
