import { readdirSync, readFileSync } from 'node:fs';
import type { AnyObject } from '@vdo/kube/types/object';
import type { PodTemplate } from '@vdo/kube/types/workloads';
import { renderWorld, worlds } from '@vdo/releases/testing/rendered-worlds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type ControlPlane, startControlPlane } from '../harness/control-plane.ts';
import { operatorNamespace, repositoryFile } from './operator-testbed.ts';

let controlPlane: ControlPlane;
let operator: string;

// OpenShift has the constraints that its roles name; a role may name what does not exist.
const all: readonly AnyObject[] = worlds.flatMap(([, objects]) => objects);
const unique = (objects: readonly AnyObject[]): readonly AnyObject[] => [
  ...new Map(objects.map((object) => [keyOf(object).join(' '), object])).values(),
];
const asOperator = (args: readonly string[], object?: unknown) =>
  controlPlane.kubectl(args, {
    kubeconfigPath: operator,
    ...(object === undefined ? {} : { stdin: JSON.stringify(object) }),
  });
// Strict validation makes a misspelt field of any manifest an error.
const apply = ['apply', '--server-side', '--field-manager=vdo-operator', '--validate=strict', '-f', '-'];
const keyOf = ({ kind, metadata }: AnyObject) => [
  kind,
  metadata.name ?? '',
  ...(metadata.namespace ? ['-n', metadata.namespace] : []),
];

/** The pod that a workload would make. */
const podOf = ({ kind, metadata, spec }: AnyObject) => {
  if (kind !== 'Deployment' && kind !== 'DaemonSet') return [];
  const { template } = spec as { readonly template: PodTemplate };
  return [
    { apiVersion: 'v1', kind: 'Pod', metadata: { ...template.metadata, name: metadata.name }, spec: template.spec },
  ];
};
const samples = readdirSync(repositoryFile('deploy/samples'));
const isCrd = ({ kind }: AnyObject): boolean => kind === 'CustomResourceDefinition';
/** What a CustomResourceDefinition brings can be applied after it only. */
const batches = (objects: readonly AnyObject[]) => [objects.filter(isCrd), objects.filter((object) => !isCrd(object))];
const applyAll = async (objects: readonly AnyObject[]) => {
  if (objects.length === 0) return;
  await asOperator(apply, { apiVersion: 'v1', kind: 'List', items: objects });
  if (objects.some(isCrd))
    await controlPlane.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
};

describe('the rendered manifests on a real API server', () => {
  beforeAll(async () => {
    controlPlane = await startControlPlane({ controllers: [] });
    await controlPlane.kubectl(['apply', '--server-side', '-f', repositoryFile('deploy/crds')]);
    await controlPlane.kubectl([
      'apply',
      '--server-side',
      '--validate=strict',
      '-f',
      repositoryFile('deploy/operator.yaml'),
    ]);
    operator = await controlPlane.asServiceAccount(operatorNamespace, 'vdo-operator');
  });
  afterAll(async () => {
    await controlPlane?.stop();
  });

  it.each(worlds)('%s can be applied with the rights of the operator, again and again', async (_, objects) => {
    for (const batch of batches(objects)) for (const _round of [1, 2]) await applyAll(batch);
  });

  it('can be removed with the rights of the operator, except what outlives the drivers', async () => {
    const outlives = ({ kind }: AnyObject) => kind === 'Namespace' || kind === 'CustomResourceDefinition';
    const removable = unique(all).filter((object) => !outlives(object));
    for (const object of [...removable].reverse()) await asOperator(['delete', ...keyOf(object), '--wait=false']);
    for (const object of unique(all).filter(outlives)) {
      await expect(asOperator(['delete', ...keyOf(object), '--wait=false'])).rejects.toThrow(/forbidden/i);
    }
  });

  const sampled = samples.flatMap((file) => (['Native', 'Upstream'] as const).map((one) => [file, one] as const));
  it.each(sampled)('%s can be applied as %s', async (file, distribution) => {
    const { spec } = parse(readFileSync(repositoryFile(`deploy/samples/${file}`), 'utf8'));
    const images = { registry: 'registry.example.com', ...spec.images };
    // Samples have classes of the same name with other parameters, which never change.
    await controlPlane.kubectl(['delete', 'storageclass', '--all']);
    for (const batch of batches(renderWorld(distribution, { ...spec, images, distribution }))) await applyAll(batch);
  });

  it('run all pods that are not on the host under the restricted level of pod security', async () => {
    const enforce = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    const strict = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'strict', labels: enforce } };
    await controlPlane.kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(strict) });
    const pods = worlds.flatMap(([, objects]) => objects.flatMap(podOf));
    const accounts = new Set(pods.map(({ spec }) => String(spec.serviceAccountName)));
    for (const account of accounts) await controlPlane.kubectl(['-n', 'strict', 'create', 'serviceaccount', account]);
    const create = ['-n', 'strict', 'create', '--dry-run=server', '-f', '-'];
    const propose = (pod: unknown) => controlPlane.kubectl(create, { stdin: JSON.stringify(pod) });
    const [onHost, inside] = [true, false].map((host) =>
      pods.filter(({ spec }) => (spec.hostNetwork ?? false) === host),
    );
    expect(inside?.length).toBeGreaterThan(10);
    for (const pod of inside ?? []) await propose(pod);
    await expect(propose(onHost?.[0])).rejects.toThrow(/violates PodSecurity "restricted/);
  });

  const forbidden: readonly [string, unknown][] = [
    [
      'a ClusterRole of another name',
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'mine' }, rules: [] },
    ],
    [
      'a binding of its account to cluster-admin',
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'vsphere-csi-node' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'ServiceAccount', name: 'vdo-operator', namespace: operatorNamespace }],
      },
    ],
    [
      'a role that it binds',
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'vdo:native-csi-1:node' },
        rules: [],
      },
    ],
    [
      'a binding of a role where it is not meant to count',
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'vdo:native-csi-1:node' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'vdo:upstream-cpi-1:secrets' },
        subjects: [{ kind: 'ServiceAccount', name: 'vdo-operator', namespace: operatorNamespace }],
      },
    ],
    [
      'a Secret of another name',
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'other', namespace: operatorNamespace } },
    ],
    [
      'a Deployment in another namespace',
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'vsphere-csi-controller', namespace: 'default' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
        },
      },
    ],
  ];
  it.each(forbidden)('do not let the operator write %s', async (_, object) => {
    await expect(asOperator(apply, object)).rejects.toThrow(/forbidden/i);
  });

  it('let the operator manage a pod network only where deploy/cni-role.yaml was applied', async () => {
    const name = 'kube-flannel';
    const network = [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'flannel', namespace: name } },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'flannel' },
        rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch'] }],
      },
      {
        apiVersion: 'apps/v1',
        kind: 'DaemonSet',
        metadata: { name: 'kube-flannel-ds', namespace: name },
        spec: {
          selector: { matchLabels: { app: 'flannel' } },
          template: {
            metadata: { labels: { app: 'flannel' } },
            spec: { serviceAccountName: 'flannel', containers: [{ name: 'flannel', image: 'flannel' }] },
          },
        },
      },
    ];
    for (const object of network) await expect(asOperator(apply, object)).rejects.toThrow(/forbidden/i);
    const file = repositoryFile('deploy/cni-role.yaml');
    await controlPlane.kubectl(['apply', '--server-side', '--validate=strict', '-f', file]);
    for (const object of network) await asOperator(apply, object);
    await controlPlane.kubectl(['delete', '-f', file]);
    await expect(asOperator(apply, network[3])).rejects.toThrow(/forbidden/i);
  });

  it('do not let the operator read Secrets of other namespaces', async () => {
    await expect(asOperator(['-n', 'kube-system', 'get', 'secrets'])).rejects.toThrow(/forbidden/i);
  });

  it.each(samples)('go with deploy/samples/%s, which is accepted', async (file) => {
    const args = ['create', '--dry-run=server', '--validate=strict', '-f', repositoryFile(`deploy/samples/${file}`)];
    await controlPlane.kubectl(args);
  });
});
