import { getEventListeners } from 'node:events';
import { aborted } from '@vdo/base/async/aborted';
import type { AnyObject } from '@vdo/kube/types/object';
import { afterEach, describe, expect, test } from 'vitest';
import { getIn } from '../json.ts';
import type { KubeSimOptions } from '../kube-sim.ts';
import { configMap, deployment, node, pod, thing, thingDefinition } from '../testing/builders.ts';
import { createTestServer } from '../testing/raw-client.ts';
import type { Workload } from './workload-runner.ts';

const pods = '/api/v1/namespaces/default/pods';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const daemonSets = '/apis/apps/v1/namespaces/default/daemonsets';
const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const volumes = '/api/v1/persistentvolumes';
const classes = '/apis/storage.k8s.io/v1/storageclasses';
const maps = '/api/v1/namespaces/default/configmaps';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const healthy: Workload = async (_, { signal, ready, log }) => {
  log('started');
  ready();
  await aborted(signal);
};

const running = (options: Partial<KubeSimOptions> = {}) => {
  const server = createTestServer({
    workloadOf: (image) => (image.includes('broken') ? undefined : healthy),
    ...options,
  });
  const stopping = new AbortController();
  const done = server.sim.run(stopping.signal);
  stops.push(async () => {
    stopping.abort();
    await done;
  });
  const items = async (path: string) => (await server.get(path)).body.items;
  return { ...server, items, settle: () => server.clock.advance(1_000) };
};

const statusOf = (object: AnyObject | undefined) => getIn(object, ['status']) as Record<string, unknown>;
const image = (name: string) => ({
  template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: name }] } },
});

describe('namespaces', () => {
  test('new ones get a service account; deleted ones are emptied first', async () => {
    const { post, get, delete: remove, settle, patch } = running();
    await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });
    await settle();
    expect((await get('/api/v1/namespaces/n/serviceaccounts/default')).status).toBe(200);
    await post('/api/v1/namespaces/n/configmaps', configMap('held', {}, { finalizers: ['example.com/x'] }));
    expect((await remove('/api/v1/namespaces/n')).body).toMatchObject({ status: { phase: 'Terminating' } });
    await settle();
    expect((await get('/api/v1/namespaces/n')).status).toBe(200);
    expect((await post('/api/v1/namespaces/n/configmaps', configMap('late'))).body).toMatchObject({ code: 403 });
    await patch('/api/v1/namespaces/n/configmaps/held', 'merge', { metadata: { finalizers: null } });
    await settle();
    expect((await get('/api/v1/namespaces/n')).status).toBe(404);
  });
});

describe('garbage collection', () => {
  const owned = (name: string, owner: AnyObject, block = true) =>
    configMap(
      name,
      {},
      {
        ownerReferences: [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            name: owner.metadata.name,
            uid: owner.metadata.uid,
            blockOwnerDeletion: block,
          },
        ],
      },
    );
  const family = async () => {
    const server = running();
    const owner = (await server.post(maps, configMap('owner'))).body;
    await server.post(maps, owned('child', owner));
    await server.settle();
    return server;
  };

  test('dependents follow their owner', async () => {
    const { delete: remove, settle, get } = await family();
    await remove(`${maps}/owner`);
    await settle();
    expect((await get(`${maps}/child`)).status).toBe(404);
  });

  test('an orphaning deletion keeps them, without the owner', async () => {
    const { delete: remove, settle, get } = await family();
    await remove(`${maps}/owner`, { propagationPolicy: 'Orphan' });
    await settle();
    expect((await get(`${maps}/owner`)).status).toBe(404);
    expect((await get(`${maps}/child`)).body.metadata.ownerReferences).toBeUndefined();
  });

  test('a foreground deletion waits for them', async () => {
    const { delete: remove, settle, get, patch } = await family();
    await patch(`${maps}/child`, 'merge', { metadata: { finalizers: ['example.com/x'] } });
    await remove(`${maps}/owner`, { propagationPolicy: 'Foreground' });
    await settle();
    expect((await get(`${maps}/owner`)).body.metadata.deletionTimestamp).toBeDefined();
    await patch(`${maps}/child`, 'merge', { metadata: { finalizers: null } });
    await settle();
    expect((await get(`${maps}/owner`)).status).toBe(404);
  });

  test('an object whose owner never existed is deleted too, and so are custom resources', async () => {
    const { post, get, settle } = running();
    await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', thingDefinition({ type: 'object' }));
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'nobody' }];
    await post('/apis/example.com/v1/namespaces/default/things', {
      ...thing('t'),
      metadata: { name: 't', ownerReferences },
    });
    await settle();
    expect((await get('/apis/example.com/v1/namespaces/default/things/t')).status).toBe(404);
  });
});

describe('workloads', () => {
  test('a Deployment becomes available and reports it', async () => {
    const { post, get, settle, items } = running();
    await post('/api/v1/nodes', node('n1'));
    await post(deployments, deployment('web', { replicas: 2 }));
    await settle();
    const { body } = await get(`${deployments}/web`);
    expect(statusOf(body)).toMatchObject({
      observedGeneration: 1,
      replicas: 2,
      updatedReplicas: 2,
      availableReplicas: 2,
    });
    expect(getIn(body, ['status', 'conditions'])).toMatchObject([
      { type: 'Available', status: 'True' },
      { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
    ]);
    const [first] = await items(pods);
    expect((await get(`${pods}/${first?.metadata.name}/log`)).text).toBe('started\n');
  });

  test('a rolling update never goes below the required number of available pods', async () => {
    const { post, patch, clock, sim, items } = running();
    await post('/api/v1/nodes', node('n1'));
    await post(
      deployments,
      deployment('web', { replicas: 4, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } }),
    );
    await clock.advance(1_000);
    const counts: number[] = [];
    sim.store.onChange(({ bucket, object }) => {
      if (bucket === 'apps/deployments') counts.push(Number(getIn(object, ['status', 'availableReplicas'])));
    });
    await patch(`${deployments}/web`, 'merge', { spec: image('example/app:2') });
    await clock.advance(5_000);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
    const images = (await items(pods)).map((item) => getIn(item, ['spec', 'containers', '0'] as never) ?? item['spec']);
    expect(JSON.stringify(images)).not.toContain('app:1');
    expect(await items('/apis/apps/v1/namespaces/default/replicasets')).toHaveLength(2);
  });

  test('an update that never gets ready exceeds its deadline and keeps the old pods', async () => {
    const { post, patch, get, clock } = running();
    await post('/api/v1/nodes', node('n1'));
    await post(deployments, deployment('web', { replicas: 1, progressDeadlineSeconds: 60 }));
    await clock.advance(1_000);
    await patch(`${deployments}/web`, 'merge', { spec: image('example/broken:2') });
    await clock.advance(90_000);
    const { body } = await get(`${deployments}/web`);
    expect(statusOf(body)).toMatchObject({ availableReplicas: 1, updatedReplicas: 1 });
    expect(JSON.stringify(statusOf(body))).toContain('ProgressDeadlineExceeded');
  });

  test('deleting a Deployment deletes its pods', async () => {
    const { post, delete: remove, settle, items } = running();
    await post('/api/v1/nodes', node('n1'));
    await post(deployments, deployment('web'));
    await settle();
    await remove(`${deployments}/web`);
    await settle();
    expect(await items(pods)).toEqual([]);
    expect(await items('/apis/apps/v1/namespaces/default/replicasets')).toEqual([]);
  });

  test('a DaemonSet runs on every node that accepts it', async () => {
    const { post, get, settle, patch, items } = running();
    await post('/api/v1/nodes', node('plain'));
    await post('/api/v1/nodes', node('tainted', { taints: [{ key: 'special', effect: 'NoSchedule' }] }));
    const { spec } = deployment('agent');
    await post(daemonSets, { ...deployment('agent'), kind: 'DaemonSet', spec });
    await settle();
    expect(statusOf((await get(`${daemonSets}/agent`)).body)).toMatchObject({
      desiredNumberScheduled: 1,
      numberReady: 1,
      updatedNumberScheduled: 1,
    });
    await patch('/api/v1/nodes/tainted', 'merge', { spec: { taints: null } });
    await settle();
    expect(statusOf((await get(`${daemonSets}/agent`)).body)).toMatchObject({
      desiredNumberScheduled: 2,
      numberReady: 2,
    });
    expect((await items(pods)).map((item) => getIn(item, ['spec', 'nodeName'])).sort()).toEqual(['plain', 'tainted']);
    const { template } = image('example/app:2');
    await patch(`${daemonSets}/agent`, 'merge', { spec: { template: { spec: template.spec } } });
    await settle();
    expect(statusOf((await get(`${daemonSets}/agent`)).body)).toMatchObject({
      numberReady: 2,
      updatedNumberScheduled: 2,
      observedGeneration: 2,
    });
  });

  test('a host port is used by one pod at a time', async () => {
    const { post, get, settle, delete: remove } = running();
    await post('/api/v1/nodes', node('n1'));
    const with9808 = (port: object, spec: object = {}) => ({
      ...spec,
      containers: [{ name: 'main', image: 'example/app:1', ports: [{ containerPort: 9808, ...port }] }],
    });
    await post(pods, pod('first', with9808({}, { hostNetwork: true })));
    await settle();
    await post(pods, pod('second', with9808({ hostPort: 9808, hostIP: '10.0.0.1' })));
    await post(pods, pod('other', with9808({ hostPort: 9808, protocol: 'UDP' })));
    await post(pods, pod('inside', with9808({})));
    await settle();
    const nodeOf = async (name: string) => getIn((await get(`${pods}/${name}`)).body, ['spec', 'nodeName']);
    expect(await Promise.all(['first', 'second', 'other', 'inside'].map(nodeOf))).toEqual([
      'n1',
      undefined,
      'n1',
      'n1',
    ]);
    await remove(`${pods}/first`);
    await settle();
    await settle();
    expect(await nodeOf('second')).toBe('n1');
  });

  test('a workload that ends is restarted and counted', async () => {
    let runs = 0;
    const flaky: Workload = async (_, { ready, signal }) => {
      runs += 1;
      if (runs === 1) throw new Error('first try');
      ready();
      await aborted(signal);
    };
    const { post, get, clock } = running({ workloadOf: () => flaky });
    await post('/api/v1/nodes', node('n1'));
    await post(pods, pod('p'));
    await clock.advance(3_000);
    expect(statusOf((await get(`${pods}/p`)).body)).toMatchObject({
      phase: 'Running',
      containerStatuses: [{ ready: true, restartCount: 1 }],
    });
  });

  test('a workload that crashes forever is restarted less and less often, and leaves nothing behind each time', async () => {
    const listeners: number[] = [];
    const hopeless: Workload = async (_, { signal }) => {
      listeners.push(getEventListeners(signal, 'abort').length);
      throw new Error('as ever');
    };
    const { post, clock } = running({ workloadOf: () => hopeless });
    await post('/api/v1/nodes', node('n1'));
    await post(pods, pod('p'));
    await clock.advance(10_000);
    expect(listeners).toHaveLength(4);
    await clock.advance(3_600_000);
    expect(listeners).toHaveLength(20);
    expect(Math.max(...listeners)).toBe(0);
  });
});

describe('volumes', () => {
  const claim = (name: string, spec: object = {}): AnyObject => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: 'fast',
      ...spec,
    },
  });
  const volume = (name: string, spec: object = {}): AnyObject => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '2Gi' },
      storageClassName: 'fast',
      csi: { driver: 'd', volumeHandle: name },
      ...spec,
    },
  });
  const storageClass = (mode: string): AnyObject => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner: 'csi.example.com',
    volumeBindingMode: mode,
  });

  test('a claim is assigned to its provisioner, bound to the volume that it creates, and protected', async () => {
    const { post, get, settle, delete: remove } = running();
    await post(classes, storageClass('Immediate'));
    const { uid } = (await post(claims, claim('c'))).body.metadata;
    await settle();
    const waiting = (await get(`${claims}/c`)).body;
    expect(waiting.metadata.annotations).toMatchObject({
      'volume.kubernetes.io/storage-provisioner': 'csi.example.com',
    });
    await post(
      volumes,
      volume('pv', { claimRef: { namespace: 'default', name: 'c', uid }, persistentVolumeReclaimPolicy: 'Delete' }),
    );
    await settle();
    expect((await get(`${claims}/c`)).body).toMatchObject({
      spec: { volumeName: 'pv' },
      status: { phase: 'Bound', capacity: { storage: '2Gi' } },
    });
    expect(statusOf((await get(`${volumes}/pv`)).body)).toEqual({ phase: 'Bound' });
    await post(pods, pod('user', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }));
    await remove(`${claims}/c`);
    await settle();
    expect((await get(`${claims}/c`)).body.metadata.deletionTimestamp).toBeDefined();
    await remove(`${pods}/user`);
    await settle();
    expect((await get(`${claims}/c`)).status).toBe(404);
    expect(statusOf((await get(`${volumes}/pv`)).body)).toEqual({ phase: 'Released' });
    await remove(`${volumes}/pv`);
    await settle();
    expect((await get(`${volumes}/pv`)).status).toBe(404);
  });

  test('a claim that waits for its first consumer is assigned when a node is selected', async () => {
    const { post, get, settle, patch } = running();
    await post(classes, storageClass('WaitForFirstConsumer'));
    await post(claims, claim('c'));
    await settle();
    expect((await get(`${claims}/c`)).body.metadata.annotations).toBeUndefined();
    await patch(`${claims}/c`, 'merge', { metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'n1' } } });
    await settle();
    expect((await get(`${claims}/c`)).body.metadata.annotations).toHaveProperty([
      'volume.kubernetes.io/storage-provisioner',
    ]);
  });

  test('the smallest existing volume that fits is used', async () => {
    const { post, get, settle } = running();
    await post(volumes, volume('large', { capacity: { storage: '1Ti' } }));
    await post(volumes, volume('small', { capacity: { storage: '500M' } }));
    await post(volumes, volume('right'));
    await post(volumes, volume('other-class', { storageClassName: 'slow' }));
    await post(claims, claim('c'));
    await settle();
    expect((await get(`${claims}/c`)).body).toMatchObject({ spec: { volumeName: 'right' } });
    expect(statusOf((await get(`${volumes}/large`)).body)).toEqual({ phase: 'Available' });
  });

  test('a pod decides where a waiting claim is provisioned, and its volume is attached there until the pod is deleted', async () => {
    const { post, get, settle, items, delete: remove, patch } = running();
    await post('/api/v1/nodes', node('far', { taints: [{ key: 'k', effect: 'NoSchedule' }] }));
    await post('/api/v1/nodes', node('near'));
    await post(classes, storageClass('WaitForFirstConsumer'));
    const { uid } = (await post(claims, claim('c'))).body.metadata;
    await post(pods, pod('p', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }));
    await settle();
    expect((await get(`${claims}/c`)).body.metadata.annotations).toMatchObject({
      'volume.kubernetes.io/selected-node': 'near',
    });
    expect(getIn((await get(`${pods}/p`)).body, ['spec', 'nodeName'])).toBeUndefined();
    await post(volumes, volume('pv', { claimRef: { namespace: 'default', name: 'c', uid } }));
    await settle();
    expect(getIn((await get(`${pods}/p`)).body, ['spec', 'nodeName'])).toBe('near');
    const [attachment] = await items('/apis/storage.k8s.io/v1/volumeattachments');
    expect(attachment).toMatchObject({
      spec: { attacher: 'd', nodeName: 'near', source: { persistentVolumeName: 'pv' } },
      status: { attached: false },
    });
    await patch(`/apis/storage.k8s.io/v1/volumeattachments/${attachment?.metadata.name}/status`, 'merge', {
      status: { attached: true },
    });
    await remove(`${pods}/p`);
    await settle();
    expect(await items('/apis/storage.k8s.io/v1/volumeattachments')).toEqual([]);
  });

  describe('when the last pod is deleted', () => {
    const attachments = '/apis/storage.k8s.io/v1/volumeattachments';
    const inUse = { status: { volumesInUse: ['kubernetes.io/csi/d^pv'] } };
    /** A volume that was attached to a node whose kubelet has it mounted; its pod is deleted already. */
    const leftBehind = async () => {
      const server = running();
      await server.post('/api/v1/nodes', node('n1'));
      const { uid } = (await server.post(claims, claim('c'))).body.metadata;
      await server.post(volumes, volume('pv', { claimRef: { namespace: 'default', name: 'c', uid } }));
      await server.post(pods, pod('p', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }));
      await server.clock.advance(3_000);
      const [attachment] = await server.items(attachments);
      await server.patch(`${attachments}/${attachment?.metadata.name}/status`, 'merge', { status: { attached: true } });
      await server.patch('/api/v1/nodes/n1/status', 'merge', inUse);
      await server.settle();
      expect(statusOf((await server.get('/api/v1/nodes/n1')).body)).toMatchObject({
        volumesAttached: [{ name: 'kubernetes.io/csi/d^pv', devicePath: '' }],
      });
      await server.delete(`${pods}/p`);
      await server.settle();
      expect(await server.items(attachments)).toHaveLength(1);
      return server;
    };

    test('a volume is detached as soon as the kubelet has unmounted it', async () => {
      const { patch, settle, items, get, clock } = await leftBehind();
      await clock.advance(600_000);
      expect(await items(attachments)).toHaveLength(1);
      await patch('/api/v1/nodes/n1/status', 'merge', { status: { volumesInUse: null } });
      await settle();
      expect(await items(attachments)).toEqual([]);
      expect(statusOf((await get('/api/v1/nodes/n1')).body)).not.toHaveProperty('volumesAttached');
    });

    test('a dead node loses it after six minutes', async () => {
      const { patch, items, clock } = await leftBehind();
      await patch('/api/v1/nodes/n1/status', 'merge', {
        status: { conditions: [{ type: 'Ready', status: 'Unknown' }] },
      });
      await clock.advance(350_000);
      expect(await items(attachments)).toHaveLength(1);
      await clock.advance(15_000);
      expect(await items(attachments)).toEqual([]);
    });

    test('a node that is out of service loses it at once', async () => {
      const { patch, settle, items } = await leftBehind();
      const taint = { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' };
      await patch('/api/v1/nodes/n1', 'merge', { spec: { taints: [taint] } });
      await settle();
      expect(await items(attachments)).toEqual([]);
    });
  });

  test('a volume for one node waits until the other node releases it', async () => {
    const { post, settle, items, delete: remove, clock } = running();
    for (const name of ['n1', 'n2']) await post('/api/v1/nodes', node(name));
    await post(volumes, volume('pv'));
    await post(claims, claim('c'));
    const mounts = { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] };
    await post(pods, pod('first', { ...mounts, nodeSelector: { 'kubernetes.io/hostname': 'n1' } }));
    await post(pods, pod('second', { ...mounts, nodeSelector: { 'kubernetes.io/hostname': 'n2' } }));
    await clock.advance(3_000);
    const where = async () =>
      (await items('/apis/storage.k8s.io/v1/volumeattachments')).map((item) => getIn(item, ['spec', 'nodeName']));
    const [first] = await where();
    expect(await where()).toHaveLength(1);
    await remove(`${pods}/${first === 'n1' ? 'first' : 'second'}`);
    await settle();
    expect(await where()).toEqual([first === 'n1' ? 'n2' : 'n1']);
  });

  test('an ephemeral volume gets a claim that is deleted with its pod', async () => {
    const { post, settle, items, delete: remove } = running();
    await post('/api/v1/nodes', node('n1'));
    await post(volumes, volume('pv'));
    const volumeClaimTemplate = { metadata: { labels: { a: 'b' } }, spec: claim('x')['spec'] };
    await post(pods, pod('p', { volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate } }] }));
    await settle();
    expect(await items(claims)).toMatchObject([
      { metadata: { name: 'p-scratch', labels: { a: 'b' }, ownerReferences: [{ kind: 'Pod', name: 'p' }] } },
    ]);
    await remove(`${pods}/p`);
    await settle();
    expect(await items(claims)).toEqual([]);
  });

  test('a pod that is being deleted on a node out of service is removed in place of the kubelet', async () => {
    const { post, get, patch, settle, delete: remove } = running({ workloadOf: () => () => new Promise(() => {}) });
    await post('/api/v1/nodes', node('n1', {}, { conditions: [{ type: 'Ready', status: 'False' }] }));
    await post(pods, pod('p'));
    await settle();
    await remove(`${pods}/p`);
    await settle();
    expect((await get(`${pods}/p`)).status).toBe(200);
    const taint = { key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' };
    await patch('/api/v1/nodes/n1', 'merge', { spec: { taints: [taint] } });
    await settle();
    expect((await get(`${pods}/p`)).status).toBe(404);
    // Nobody waits for a workload that never ends.
    stops.length = 0;
  });

  test('a StatefulSet numbers its pods, creates a claim for each and keeps the claims', async () => {
    const { post, patch, get, settle, items } = running();
    await post('/api/v1/nodes', node('n1'));
    const template = { metadata: { name: 'data' }, spec: claim('x', { storageClassName: '' })['spec'] };
    for (const name of ['a', 'b', 'c']) await post(volumes, volume(name, { storageClassName: '' }));
    const path = '/apis/apps/v1/namespaces/default/statefulsets';
    await post(path, {
      ...deployment('db', { replicas: 2, serviceName: 'db', volumeClaimTemplates: [template] }),
      kind: 'StatefulSet',
    });
    await settle();
    expect((await items(pods)).map(({ metadata }) => metadata.name)).toEqual(['db-0', 'db-1']);
    expect((await items(claims)).map(({ metadata }) => metadata.name)).toEqual(['data-db-0', 'data-db-1']);
    expect(statusOf((await get(`${path}/db`)).body)).toMatchObject({ readyReplicas: 2, updatedReplicas: 2 });
    await patch(`${path}/db`, 'merge', { spec: { replicas: 1 } });
    await settle();
    expect((await items(pods)).map(({ metadata }) => metadata.name)).toEqual(['db-0']);
    expect(await items(claims)).toHaveLength(2);
  });
});
