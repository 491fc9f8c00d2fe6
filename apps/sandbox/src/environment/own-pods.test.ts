import { configMaps, type Pod, pods } from '@vdo/kube/types/core';
import type { AnyObject, OwnerReference } from '@vdo/kube/types/object';
import { createSimWorld } from '@vdo/sim-world/create-sim-world';
import { describe, expect, it } from 'vitest';
import { demo, demoObjects } from './demo-objects.ts';
import { createOwnPods } from './own-pods.ts';

const namespace = 'vmware-system-vdo';
const program = {
  name: 'csi',
  image: 'vdo/vdo:1',
  command: ['node', '--max-semi-space-size=4', '/app/csi.js'],
  args: ['controller'],
  env: [{ name: 'MALLOC_ARENA_MAX', value: '1' }],
};
type Spec = Pod['spec'];

const build = async () => {
  const { client: kube } = createSimWorld({ controllers: false });
  const create = async (object: AnyObject) =>
    kube.create(await kube.resourceFor(object.apiVersion, object.kind), object) as Promise<AnyObject>;
  const workload = (kind: string, name: string, spec: Spec, more: object = {}) => {
    const labels = { app: name };
    const template = { metadata: { labels }, spec };
    const metadata = { name, namespace };
    return create({
      apiVersion: 'apps/v1',
      kind,
      metadata,
      spec: { selector: { matchLabels: labels }, template },
      ...more,
    });
  };
  await create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const diary = await create(demoObjects().find(({ kind }) => kind === 'StatefulSet') as AnyObject);
  const controller = await workload('DaemonSet', 'vsphere-csi-node', {
    containers: [program],
    serviceAccountName: 'csi',
  });
  const stranger = await workload('DaemonSet', 'stranger', { containers: [program], serviceAccountName: 'csi' });
  await kube.create(configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'inventory', namespace },
    data: { objects: JSON.stringify([{ kind: 'DaemonSet', name: 'x', uid: controller.metadata.uid }]) },
  });
  const own = createOwnPods({ kube, namespace, made: new Set([diary.metadata.uid ?? '']), inventory: 'inventory' });
  const ownedBy = ({ apiVersion, kind, metadata }: AnyObject): OwnerReference[] => [
    { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '', controller: true },
  ];
  let count = 0;
  /** As the API server keeps it. */
  const judge = async (home: string, spec: Spec, owner?: AnyObject): Promise<boolean> => {
    const name = `pod-${count++}`;
    const labels = { app: demo.name };
    const ownerReferences = owner ? ownedBy(owner) : [];
    const metadata = { name, namespace: home, labels, ownerReferences };
    await kube.create(pods, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
    return own.isOurs(await kube.get(pods, { namespace: home, name }));
  };
  return { kube, diary, controller, stranger, judge };
};

const data = { name: 'data', persistentVolumeClaim: { claimName: 'data-diary-0' } };
const token = { name: 'kube-api-access-x', projected: { sources: [] } };
const mounts = [
  { name: 'data', mountPath: '/data' },
  { name: token.name, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true },
];
const page: Spec = { containers: [{ name: 'diary', image: demo.image, volumeMounts: mounts }], volumes: [data, token] };
const evil = { name: 'csi', image: 'x', command: ['sh', '-c', 'touch /tmp/owned'] };

describe('pods of a cluster of somebody else', () => {
  it('run here if their workload is one that this sandbox or its operator made', async () => {
    const { diary, controller, judge } = await build();
    expect(await judge(demo.namespace, page, diary)).toBe(true);
    expect(await judge(namespace, { containers: [program], serviceAccountName: 'csi' }, controller)).toBe(true);
    // On the network of the host an API server writes the port of the host into the pod, not into its template.
    const ports = [{ name: 'health', containerPort: 9809, hostPort: 9809, protocol: 'TCP' }];
    const onHost: Spec = { hostNetwork: true, containers: [{ ...program, ports }], serviceAccountName: 'csi' };
    expect(await judge(namespace, onHost, controller)).toBe(true);
  });

  it('do not run here otherwise, whatever they claim', async () => {
    const { diary, controller, stranger, judge } = await build();
    const driver: Spec = { containers: [program], serviceAccountName: 'csi' };
    const like = (change: object): Spec => ({ ...driver, containers: [{ ...program, ...change }] });
    const cases: Readonly<Record<string, Promise<boolean>>> = {
      'the label alone': judge(demo.namespace, { containers: [evil] }),
      'the image alone': judge(demo.namespace, page),
      'a forged owner': judge(demo.namespace, { containers: [evil] }, diary),
      'a second container': judge(demo.namespace, { ...page, containers: [...page.containers, evil] }, diary),
      'an owner of another incarnation': judge(demo.namespace, page, {
        ...diary,
        metadata: { ...diary.metadata, uid: 'x' },
      }),
      'a workload of somebody else': judge(namespace, driver, stranger),
      'other arguments than its workload': judge(namespace, like({ args: ['controller', '--x'] }), controller),
      'other files than its workload': judge(
        namespace,
        { ...driver, volumes: [{ name: 'config', configMap: { name: 'theirs' } }] },
        controller,
      ),
      'another account than its workload': judge(
        namespace,
        { ...driver, serviceAccountName: 'vdo-operator' },
        controller,
      ),
      'no workload': judge(namespace, driver),
    };
    for (const [what, verdict] of Object.entries(cases)) expect(await verdict, what).toBe(false);
  });

  it.each([
    ['a shell', { command: ['sh', '-c', 'touch /tmp/owned'] }],
    ['a module that Node loads first', { command: ['node', '--require=/tmp/x.js', '/app/csi.js'] }],
    ['a script', { command: ['node', '-e', 'process.exit()', '/app/csi.js'] }],
    ['a program elsewhere', { command: ['node', '/app/../tmp/csi.js'] }],
    ['options of Node', { env: [{ name: 'NODE_OPTIONS', value: '--require=/tmp/x.js' }] }],
    ['a library', { env: [{ name: 'LD_PRELOAD', value: '/tmp/x.so' }] }],
  ])('do not run here even if their workload, which was ours, was made to run %s', async (_, change) => {
    const { kube, controller, judge } = await build();
    const spec: Spec = { containers: [{ ...program, ...change }], serviceAccountName: 'csi' };
    const daemonSets = await kube.resourceFor('apps/v1', 'DaemonSet');
    const body = { spec: { template: { spec: { containers: spec.containers } } } };
    await kube.patch(daemonSets, { namespace, name: controller.metadata.name ?? '' }, { type: 'merge', body });
    expect(await judge(namespace, spec, controller)).toBe(false);
  });
});
