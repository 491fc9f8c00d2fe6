import type { KubeObject } from '@vdo/kube/types/object';
import { renderOperatorGuard } from '@vdo/releases/render/operator/operator-guard';
import { renderAllSecretsRole } from '@vdo/releases/render/operator/render-all-secrets-role';
import { renderOperator } from '@vdo/releases/render/operator/render-operator';
import { newestOf, releasesOf, renderWorld, worlds } from '@vdo/releases/testing/rendered-worlds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from '../harness/control-plane.ts';
import { waitFor } from '../harness/wait-for.ts';

const home = 'vmware-system-vdo';
const operator = `system:serviceaccount:${home}:vdo-operator`;
const dryRun = '--dry-run=server';
/** Of kube-system, and may write any role: whoever runs a pod under it is an administrator. */
const mighty = 'clusterrole-aggregation-controller';
let plane: ControlPlane;

const asList = (items: readonly unknown[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
const apply = (items: readonly unknown[], ...more: readonly string[]) =>
  plane.kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-', ...more], { stdin: asList(items) });
const as = (user: string) => [
  '--as',
  user,
  '--as-group',
  'system:serviceaccounts',
  '--as-group',
  'system:authenticated',
];

/** What the API server says against it; undefined if it lets it pass. */
const refusalOf = (args: readonly string[], stdin?: unknown): Promise<string | undefined> =>
  plane.kubectl(args, stdin === undefined ? {} : { stdin: JSON.stringify(stdin) }).then(
    () => undefined,
    (error: Error) => error.message,
  );
const attempt = (user: string, object: KubeObject) =>
  refusalOf(['apply', '--server-side', '--force-conflicts', dryRun, '-f', '-', ...as(user)], object);

const rbac = 'rbac.authorization.k8s.io';
const clusterRole = (name: string, ...rules: readonly object[]): KubeObject =>
  ({ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name }, rules }) as KubeObject;
const role = (namespace: string, name: string, ...rules: readonly object[]): KubeObject =>
  ({ apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name, namespace }, rules }) as KubeObject;
const binding = (name: string, roleName: string, subject: object, namespace?: string): KubeObject =>
  ({
    apiVersion: `${rbac}/v1`,
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: roleName },
    subjects: [subject],
  }) as KubeObject;
const anybody = { kind: 'Group', apiGroup: rbac, name: 'system:authenticated' };
const itself = { kind: 'ServiceAccount', namespace: home, name: 'vdo-operator' };
const podSpec = (serviceAccountName: string) => ({
  serviceAccountName,
  containers: [{ name: 'x', image: 'attacker.example.com/x' }],
});
const pod = (namespace: string, account: string): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', namespace }, spec: podSpec(account) }) as KubeObject;
const daemonSet = (namespace: string, name: string, account: string): KubeObject => {
  const labels = name === 'vsphere-csi-node' ? { app: name } : { name };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace },
    spec: {
      // As those of the drivers, which may be there already and cannot be changed.
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec(account) },
    },
  } as KubeObject;
};
const everything = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
const rights = (resource: string, verb: string, group = '') => ({
  apiGroups: [group],
  resources: [resource],
  verbs: [verb],
});

/** Known ways from the right to install something to the rights of an administrator, which RBAC alone closes. */
const closedByRights: readonly (readonly [string, KubeObject])[] = [
  ['a role of its own', clusterRole('anything', everything)],
  ['everything for a driver', clusterRole('vsphere-csi-controller', everything)],
  ['Secrets of all namespaces for a driver', clusterRole('vsphere-csi-controller', rights('secrets', 'get'))],
  ['escalation for a driver', clusterRole('vsphere-csi-node', rights('clusterroles', 'escalate', rbac))],
  ['impersonation for a driver', clusterRole('vsphere-csi-node', rights('users', 'impersonate'))],
  ['the kubelets for a driver', clusterRole('vsphere-csi-node', rights('nodes/proxy', 'create'))],
  ['pods for a driver', clusterRole('snapshot-controller', rights('pods', 'create'))],
  ['all paths for a driver', clusterRole('vsphere-csi-node', { nonResourceURLs: ['*'], verbs: ['*'] })],
  [
    'the sum of other roles for a driver',
    {
      ...clusterRole('vsphere-csi-node'),
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' } }] },
    } as KubeObject,
  ],
  [
    'Secrets of kube-system for a driver',
    role('kube-system', 'vsphere-cloud-controller-manager:leases', rights('secrets', 'get')),
  ],
  ['everything for a shipped role', clusterRole('vdo:native-csi-1:controller', everything)],
  ['one right more for a shipped role', clusterRole('vdo:native-csi-1:node', rights('secrets', 'get'))],
  ['less for a shipped role', clusterRole('vdo:native-csi-1:node')],
  ['a shipped role of the next layout', clusterRole('vdo:native-csi-9:node', everything)],
  ['cluster-admin for itself', binding('vdo:native-csi-1:controller', 'cluster-admin', itself)],
  ['cluster-admin in its namespace', binding('vdo:native-csi-1:state', 'cluster-admin', itself, home)],
  ['cluster-admin in kube-system', binding('vdo:native-cpi-1:leases', 'cluster-admin', itself, 'kube-system')],
  ['a binding of a name of its own', binding('mine', 'vdo:native-csi-1:node', itself)],
  [
    'the Secrets of kube-system in all namespaces',
    binding('vdo:native-csi-1:node', 'vdo:upstream-cpi-1:secrets', itself),
  ],
  [
    'the Secrets of kube-system in another namespace',
    binding('vdo:native-csi-1:leases', 'vdo:upstream-cpi-1:secrets', itself, 'vmware-system-csi'),
  ],
  [
    'the Secrets of all namespaces for an old release',
    binding('vdo:upstream-cpi-1:all-secrets', 'vdo:upstream-cpi-1:all-secrets', itself),
  ],
  [
    'privileged pods in kube-system',
    binding(
      'vdo:openshift-1:scc-hostnetwork:cloud-controller-manager',
      'vdo:openshift-1:scc-privileged',
      itself,
      'kube-system',
    ),
  ],
  ['a pod in kube-system', pod('kube-system', mighty)],
];

/** Those that RBAC cannot tell from the operator's work: to whom a role is given, and under which account a workload runs. */
const closedByGuard: readonly (readonly [string, KubeObject])[] = [
  ['a driver’s rights for everybody', binding('vdo:snapshots-1:controller', 'vdo:snapshots-1:controller', anybody)],
  ['a driver’s rights for itself', binding('vdo:snapshots-1:controller', 'vdo:snapshots-1:controller', itself)],
  [
    'the Secrets of kube-system for itself',
    binding('vdo:upstream-cpi-1:secrets', 'vdo:upstream-cpi-1:secrets', itself, 'kube-system'),
  ],
  [
    'the role of one driver for another',
    binding('vdo:native-csi-1:node', 'vdo:upstream-csi-1:controller', {
      kind: 'ServiceAccount',
      namespace: home,
      name: 'vsphere-csi-node',
    }),
  ],
  ['a mighty account of kube-system', daemonSet('kube-system', 'vsphere-cloud-controller-manager', mighty)],
  ['its own account for a driver', daemonSet(home, 'vsphere-csi-node', 'vdo-operator')],
  ['the default account for a driver', daemonSet('kube-system', 'vsphere-cloud-controller-manager', 'default')],
];
const escalations = [...closedByRights, ...closedByGuard];

const commands: readonly (readonly [string, readonly string[]])[] = [
  ['a token of another account', ['create', 'token', mighty, '-n', 'kube-system']],
  ['Secrets of kube-system', ['get', 'secrets', '-n', 'kube-system']],
  ['Secrets of all namespaces', ['get', 'secrets', '-A']],
  ['nodes', ['delete', 'node', 'n1', dryRun]],
  ['the end of its guard', ['delete', 'validatingadmissionpolicy', 'vdo-operator-workloads', dryRun]],
  ['the end of a role', ['delete', 'clusterrole', 'vdo:native-csi-1:node', dryRun]],
  ['the end of its guard’s binding', ['delete', 'validatingadmissionpolicybinding', 'vdo-operator-pods', dryRun]],
  ['pods of others', ['delete', 'pod', 'etcd', '-n', 'kube-system', dryRun]],
];

describe('the accounts of the programs on a real API server', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    plane = await startControlPlane({ controllers: [] });
    const image = { repository: 'vdo/vdo', tag: '0.1.0' };
    await apply(renderOperator({ version: '0.1.0', image }));
    await apply([
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: mighty, namespace: 'kube-system' } },
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } },
    ]);
  });
  afterAll(() => plane?.stop());

  describe('without the guard', () => {
    it.each(closedByRights)('refuses the operator %s, by its rights alone', async (_name, object) => {
      expect(await attempt(operator, object)).toMatch(/forbidden/i);
    });

    it.each(commands)('refuses the operator %s', async (_name, args) => {
      expect(await refusalOf([...args, ...as(operator)])).toMatch(/forbidden/i);
    });

    it('cannot tell the rest from its work', async () => {
      const passed = await Promise.all(closedByGuard.map(([, object]) => attempt(operator, object)));
      expect(passed.filter((text) => text === undefined)).toHaveLength(closedByGuard.length);
    });
  });

  describe('with the guard', () => {
    beforeAll(async () => {
      await apply(renderOperatorGuard());
      const followed = async () => {
        const answers = await Promise.all([
          attempt(operator, binding('vdo:snapshots-1:controller', 'vdo:snapshots-1:controller', anybody)),
          attempt(operator, daemonSet(home, 'vsphere-csi-node', 'default')),
        ]);
        return answers.every((text) => text?.includes('ValidatingAdmissionPolicy'));
      };
      await waitFor(followed, { what: 'the API server to follow the guard', timeoutMs: 60_000 });
    });

    const kinds = [
      'ServiceAccount',
      'ClusterRole',
      'Role',
      'ClusterRoleBinding',
      'RoleBinding',
      'Deployment',
      'DaemonSet',
    ];
    const old = releasesOf('cpi', 'Upstream').at(-1) ?? newestOf('cpi', 'Upstream');
    const oldest = renderWorld('Upstream', {}, { releases: { cpi: old, csi: newestOf('csi', 'Upstream') } });

    it.each([...worlds, ['the oldest upstream release', oldest] as const])(
      'lets the operator install %s, rights and workloads',
      async (name, objects) => {
        if (name === 'the oldest upstream release') await apply(renderAllSecretsRole());
        const installed = objects.filter(({ kind }) => kinds.includes(kind));
        expect(installed.length).toBeGreaterThan(5);
        await apply(installed, ...as(operator));
      },
    );

    it.each(escalations)('refuses the operator %s', async (_name, object) => {
      // A binding that is there keeps its role, whoever asks.
      expect(await attempt(operator, object)).toMatch(/forbidden|denied request|cannot change roleRef/i);
    });

    it('refuses the operator a pod, and lets it propose one', async () => {
      const create = ['create', '-f', '-', ...as(operator)];
      expect(await refusalOf([...create, dryRun], pod(home, 'vsphere-csi-node'))).toBeUndefined();
      expect(await refusalOf(create, pod(home, 'vsphere-csi-node'))).toContain('only as a dry run');
      expect(await refusalOf(create, pod('kube-system', mighty))).toContain('cannot create resource "pods"');
    });

    it.each(commands)('refuses the operator %s', async (_name, args) => {
      expect(await refusalOf([...args, ...as(operator)])).toMatch(/forbidden/i);
    });

    const drivers = [
      'vsphere-cloud-controller-manager',
      'vsphere-csi-controller',
      'vsphere-csi-node',
      'snapshot-controller',
    ];
    it.each(drivers)('refuses %s what only an administrator may', async (name) => {
      const user = `system:serviceaccount:${home}:${name}`;
      for (const [, object] of escalations) expect(await attempt(user, object), object.kind).toMatch(/forbidden/i);
      for (const object of [pod(home, 'vsphere-csi-node'), pod('kube-system', mighty)])
        expect(await attempt(user, object)).toMatch(/forbidden/i);
      for (const [what, args] of commands) {
        // The cloud controller manager removes the nodes of VMs that are gone.
        if (what === 'nodes' && name === 'vsphere-cloud-controller-manager') continue;
        expect(await refusalOf([...args, ...as(user)]), what).toMatch(/forbidden/i);
      }
    });
  });
});
