import {
  VolumeCapability_AccessMode_Mode as Mode,
  NodeServiceCapability_RPC_Type as Rpc,
} from '@vdo/csi-proto/gen/csi-pb';
import { nodes, type Pod, persistentVolumeClaims, persistentVolumes, pods } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { csiNodes, volumeAttachments } from '@vdo/kube/types/storage';
import { afterEach, describe, expect, it } from 'vitest';
import { createFakeDriver, fakeDriverName } from '../../testing/fake-driver.ts';
import { startKubeletTestbed } from '../../testing/kubelet-testbed.ts';

type Testbed = Awaited<ReturnType<typeof startKubeletTestbed>>;
const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const build = async (options: Parameters<typeof startKubeletTestbed>[0] = {}) => {
  const testbed = await startKubeletTestbed(options);
  endings.push(testbed.stop);
  const kubelet = testbed.startKubelet();
  endings.push(kubelet.stop);
  return { testbed, kubelet };
};

const claim = (name: string, spec: object = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'default' },
  spec: {
    storageClassName: 'fast',
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    ...spec,
  },
});
const userPod = (name: string, volume: object, container: object = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: {
    containers: [
      {
        name: 'main',
        image: 'app',
        command: ['app', '/data/file'],
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
        ...container,
      },
    ],
    volumes: [{ name: 'data', ...volume }],
  },
});
const claimed = (claimName: string) => ({ persistentVolumeClaim: { claimName } });
const methods = ({ driver }: Testbed): readonly string[] => driver.calls.map(({ method }) => method);
const volumeName = (claimName: string) => `kubernetes.io/csi/${fakeDriverName}^disk-${claimName}`;
const inUse = async ({ kube }: Testbed, name = 'n1') => (await kube.get(nodes, { name })).status?.volumesInUse ?? [];
const removed = ({ kube, until }: Testbed, name: string) =>
  until(`pod ${name} to go`, async () => (await kube.find(pods, { namespace: 'default', name })) === undefined);
const detached = ({ kube, until }: Testbed) =>
  until('the volume to be detached', async () => (await kube.list(volumeAttachments)).items.length === 0);

describe('a pod with a claim', { timeout: 60_000 }, () => {
  it('gets its volume attached, staged and published, and gives it back in the reverse order', async () => {
    const { testbed } = await build();
    const { kube, driver, until } = testbed;
    await testbed.setUp(['n1'], { podInfoOnMount: true });
    await testbed.apply(claim('c'));
    await testbed.apply(userPod('p', claimed('c')));
    await until('the pod to be ready', () => testbed.isReady('p'));

    expect((await kube.get(csiNodes, { name: 'n1' })).spec.drivers).toMatchObject([
      { name: fakeDriverName, nodeID: 'id-of-n1' },
    ]);
    expect(methods(testbed)).toEqual(['stage', 'publish']);
    const [stage, publish] = driver.calls.map(({ request }) => request);
    const { uid } = (await kube.get(pods, { namespace: 'default', name: 'p' })).metadata;
    expect(stage).toMatchObject({
      volumeId: 'disk-c',
      publishContext: { disk: 'device-of-pv-c' },
      volumeContext: { kind: 'fast' },
      volumeCapability: {
        accessType: { case: 'mount', value: { fsType: 'xfs', mountFlags: ['noatime'] } },
        accessMode: { mode: Mode.SINGLE_NODE_WRITER },
      },
    });
    expect(stage?.['volumeContext']).not.toHaveProperty(['csi.storage.k8s.io/pod.uid']);
    expect(publish).toMatchObject({
      volumeId: 'disk-c',
      publishContext: { disk: 'device-of-pv-c' },
      stagingTargetPath: stage?.['stagingTargetPath'],
      readonly: false,
      volumeContext: { kind: 'fast', 'csi.storage.k8s.io/pod.name': 'p', 'csi.storage.k8s.io/pod.uid': uid },
    });
    const main = testbed.started.find(({ pod }) => pod.metadata.name === 'p');
    expect(main?.env['VDO_MOUNT_DATA']).toBe(publish?.['targetPath']);
    expect(await inUse(testbed)).toEqual([volumeName('c')]);
    expect((await kube.get(nodes, { name: 'n1' })).status?.volumesAttached).toEqual([
      { name: volumeName('c'), devicePath: '' },
    ]);

    await kube.delete(pods, { namespace: 'default', name: 'p' });
    await removed(testbed, 'p');
    await detached(testbed);
    expect(methods(testbed)).toEqual(['stage', 'publish', 'unpublish', 'unstage']);
    expect(await inUse(testbed)).toEqual([]);
  });

  it('is staged once for two pods, and unstaged after the second', async () => {
    const { testbed } = await build();
    const { kube, until } = testbed;
    await testbed.setUp(['n1']);
    await testbed.apply(claim('c'));
    for (const name of ['a', 'b']) await testbed.apply(userPod(name, claimed('c')));
    for (const name of ['a', 'b']) await until(`${name} to be ready`, () => testbed.isReady(name));
    await kube.delete(pods, { namespace: 'default', name: 'a' });
    await removed(testbed, 'a');
    expect(methods(testbed)).not.toContain('unstage');
    expect(await inUse(testbed)).toEqual([volumeName('c')]);
    await kube.delete(pods, { namespace: 'default', name: 'b' });
    await detached(testbed);
    expect(methods(testbed).slice(-2)).toEqual(['unpublish', 'unstage']);
  });

  it('may take it as a device, read-only, without staging or attaching', async () => {
    const { testbed } = await build({ driver: createFakeDriver({ capabilities: [Rpc.SINGLE_NODE_MULTI_WRITER] }) });
    await testbed.setUp(['n1'], { mode: 'Immediate', attachRequired: false });
    await testbed.apply(claim('c', { volumeMode: 'Block' }));
    const device = { volumeMounts: [], volumeDevices: [{ name: 'data', devicePath: '/dev/xvda' }] };
    await testbed.apply(userPod('p', { persistentVolumeClaim: { claimName: 'c', readOnly: true } }, device));
    await testbed.until('the pod to be ready', () => testbed.isReady('p'));
    expect(methods(testbed)).toEqual(['publish']);
    expect(testbed.driver.calls[0]?.request).toMatchObject({
      readonly: true,
      stagingTargetPath: '',
      volumeCapability: { accessType: { case: 'block' }, accessMode: { mode: Mode.SINGLE_NODE_MULTI_WRITER } },
    });
    expect((await testbed.kube.list(volumeAttachments)).items).toEqual([]);
    expect(await inUse(testbed)).toEqual([]);
    await testbed.kube.delete(pods, { namespace: 'default', name: 'p' });
    await removed(testbed, 'p');
    expect(methods(testbed)).toEqual(['publish', 'unpublish']);
  });

  it('waits and says why while a driver fails, then goes on', async () => {
    const { testbed } = await build();
    testbed.driver.failOnce('stage', new Error('no such disk'));
    await testbed.setUp(['n1']);
    await testbed.apply(claim('c'));
    await testbed.apply(userPod('p', claimed('c')));
    const message = await testbed.until('the failure to be told', async () => {
      const pod = await testbed.kube.find(pods, { namespace: 'default', name: 'p' });
      const text = JSON.stringify(pod?.status?.containerStatuses?.[0]?.state ?? {});
      return text.includes('no such disk') && pod?.status?.phase === 'Pending' ? text : undefined;
    });
    expect(message).toContain('ContainerCreating');
    await testbed.until('the pod to be ready', () => testbed.isReady('p'));
    expect(methods(testbed)).toEqual(['stage', 'stage', 'publish']);
  });

  it('has its file system grown when the claim asks for it', async () => {
    const { testbed } = await build();
    const { kube, until } = testbed;
    await testbed.setUp(['n1']);
    await testbed.apply(claim('c'));
    await testbed.apply(userPod('p', claimed('c')));
    await until('the pod to be ready', () => testbed.isReady('p'));
    const key = { namespace: 'default', name: 'c' };
    // As a resizer does it: the disk first, then the claim says that the node has to follow.
    await kube.patch(
      persistentVolumes,
      { name: 'pv-c' },
      { type: 'merge', body: { spec: { capacity: { storage: '3Gi' } } } },
    );
    const status = {
      conditions: [{ type: 'FileSystemResizePending', status: 'True' }],
      allocatedResourceStatuses: { storage: 'NodeResizePending' },
    };
    await kube.patch(persistentVolumeClaims, key, { type: 'merge', body: { status } }, { subresource: 'status' });
    const grown = await until('the claim to show it', async () => {
      const found = await kube.get(persistentVolumeClaims, key);
      return found.status?.capacity?.storage === '3Gi' ? found : undefined;
    });
    expect(grown.status?.conditions ?? []).toEqual([]);
    expect(grown.status?.allocatedResourceStatuses).toBeUndefined();
    expect(methods(testbed)).toEqual(['stage', 'publish', 'expand']);
    const [, publish, expand] = testbed.driver.calls.map(({ request }) => request);
    expect(expand).toMatchObject({
      volumePath: publish?.['targetPath'],
      stagingTargetPath: publish?.['stagingTargetPath'],
      capacityRange: { requiredBytes: 3n * 1024n ** 3n },
    });
  });

  it.each([
    ['exit', 'OnFailure', 'Succeeded'],
    ['fail', 'Never', 'Failed'],
  ])('gives its volume back when it ends: %s with %s is %s', async (command, restartPolicy, phase) => {
    const { testbed } = await build();
    await testbed.setUp(['n1']);
    await testbed.apply(claim('c'));
    const { spec, ...job } = userPod('job', claimed('c'), { command: [command] }) as unknown as Pod;
    await testbed.apply({ ...job, spec: { ...spec, restartPolicy } });
    await testbed.until(`the pod to be ${phase}`, async () => {
      const found = await testbed.kube.find(pods, { namespace: 'default', name: 'job' });
      return found?.status?.phase === phase;
    });
    await detached(testbed);
    expect(methods(testbed)).toEqual(['stage', 'publish', 'unpublish', 'unstage']);
    expect(testbed.started.filter(({ pod }) => pod.metadata.name === 'job')).toHaveLength(1);
  });

  it('may bring its own claim', async () => {
    const { testbed } = await build();
    await testbed.setUp(['n1']);
    const { spec } = claim('x') as unknown as { readonly spec: unknown };
    await testbed.apply(userPod('p', { ephemeral: { volumeClaimTemplate: { spec } } }));
    await testbed.until('the pod to be ready', () => testbed.isReady('p'));
    expect(testbed.driver.calls.map(({ method, request }) => [method, request.volumeId])).toEqual([
      ['stage', 'disk-p-data'],
      ['publish', 'disk-p-data'],
    ]);
    await testbed.kube.delete(pods, { namespace: 'default', name: 'p' });
    await detached(testbed);
    await testbed.until('the claim to go', async () => {
      const { items } = await testbed.kube.list(persistentVolumeClaims);
      return items.length === 0;
    });
  });
});

describe('a kubelet that starts again', { timeout: 60_000 }, () => {
  it('unmounts what belonged to pods that are gone, and keeps what belongs to others', async () => {
    const { testbed, kubelet } = await build();
    const { kube, until } = testbed;
    await testbed.setUp(['n1']);
    for (const name of ['kept', 'lost']) {
      await testbed.apply(claim(name));
      await testbed.apply(userPod(name, claimed(name)));
    }
    for (const name of ['kept', 'lost']) await until(`${name} to be ready`, () => testbed.isReady(name));
    await kubelet.stop();
    await kube.delete(pods, { namespace: 'default', name: 'lost' }, { gracePeriodSeconds: 0 });
    const before = testbed.driver.calls.length;
    endings.push(testbed.startKubelet().stop);
    await until('the lost volume to be unstaged', async () => methods(testbed).includes('unstage'));
    await until('one volume to stay in use', async () => (await inUse(testbed)).length === 1);
    await until(
      'the kept pod to run again',
      async () => testbed.started.filter(({ pod }) => pod.metadata.name === 'kept').length === 2,
    );
    const after = testbed.driver.calls.slice(before).map(({ method, request }) => `${method} ${request.volumeId}`);
    expect(after.filter((call) => call.endsWith('lost'))).toEqual(['unpublish disk-lost', 'unstage disk-lost']);
    expect(after.filter((call) => call.endsWith('kept'))).toEqual(['stage disk-kept', 'publish disk-kept']);
  });
});

describe('a StatefulSet of three with claims of their own', { timeout: 60_000 }, () => {
  it('gets a volume for each pod, on the pod’s node, and keeps the claims when it is scaled down', async () => {
    const { testbed } = await build();
    const { kube, driver, until } = testbed;
    await testbed.setUp(['n1', 'n2', 'n3']);
    const { spec } = userPod('x', {}) as unknown as Pod;
    const { volumes: _, ...template } = spec;
    const set = (replicas: number): AnyObject => ({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db', namespace: 'default' },
      spec: {
        replicas,
        serviceName: 'db',
        selector: { matchLabels: { app: 'db' } },
        template: { metadata: { labels: { app: 'db' } }, spec: template },
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim('x')['spec'] }],
      },
    });
    await testbed.apply(set(3));
    await until('the third pod to be ready', () => testbed.isReady('db-2'));
    const places = new Map(
      (await kube.list(pods, { namespace: 'default' })).items.map(({ metadata, spec: { nodeName } }) => [
        `disk-data-${metadata.name}`,
        nodeName,
      ]),
    );
    expect(new Set(places.values())).toEqual(new Set(['n1', 'n2', 'n3']));
    const published = driver.calls.filter(({ method }) => method === 'publish');
    expect(published.map(({ nodeName, request }) => [request.volumeId, nodeName])).toEqual(
      ['disk-data-db-0', 'disk-data-db-1', 'disk-data-db-2'].map((disk) => [disk, places.get(disk)]),
    );
    await testbed.apply(set(1));
    await until('two volumes to be detached', async () => (await kube.list(volumeAttachments)).items.length === 1);
    const ended = driver.calls.slice(6).map(({ method, request }) => `${method} ${request.volumeId}`);
    expect(ended).toEqual(
      ['db-2', 'db-1'].flatMap((name) => [`unpublish disk-data-${name}`, `unstage disk-data-${name}`]),
    );
    expect((await kube.list(persistentVolumeClaims)).items).toHaveLength(3);
  });
});
