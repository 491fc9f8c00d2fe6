import { readdirSync } from 'node:fs';
import { vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { AnyObject } from '@vdo/kube/types/object';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import type { Release } from '@vdo/releases/matrix';
import { renderDrivers } from '@vdo/releases/render/render-drivers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from '../harness/control-plane.ts';
import { operatorNamespace, repositoryFile } from './real-house.ts';

let controlPlane: ControlPlane;
let operator: string;

const native = (driver: 'cpi' | 'csi'): Release => {
  const found = loadEmbeddedMatrix().releases.find(
    (release) => release.driver === driver && release.distribution === 'Native',
  );
  if (!found) throw new Error(`the embedded matrix has no native ${driver}`);
  return found;
};
const rendered = (): readonly AnyObject[] =>
  renderDrivers({
    spec: vsphereDriversSpec.parse({
      distribution: 'Native',
      vcenters: [{ server: 'vc.example.com', credentialsSecret: 'vcenter', tls: { caBundle: 'PEM' } }],
      cpi: { nodeLabels: { 'example.com/rack': 'r1' } },
      csi: { storageClasses: [{ name: 'fast', default: true, storagePolicy: 'Gold' }] },
      images: { pullSecrets: ['pull'] },
      advanced: { csiNode: { resources: { limits: { memory: '256Mi' } }, tolerations: [{ operator: 'Exists' }] } },
    }),
    releases: { cpi: native('cpi'), csi: native('csi') },
    accounts: [{ server: 'vc.example.com', username: 'k8s@vsphere.local', password: 'obviously-fake' }],
  });
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

  it('can all be applied with the rights of the operator, again and again', async () => {
    for (const object of [...rendered(), ...rendered()]) await asOperator(apply, object);
  });

  it('can be removed with the rights of the operator, except the namespaces', async () => {
    const removable = rendered().filter(({ kind }) => kind !== 'Namespace');
    for (const object of [...removable].reverse()) await asOperator(['delete', ...keyOf(object), '--wait=false']);
    for (const object of rendered().filter(({ kind }) => kind === 'Namespace')) {
      await expect(asOperator(['delete', ...keyOf(object), '--wait=false'])).rejects.toThrow(/forbidden/i);
    }
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

  it('do not let the operator read Secrets of other namespaces', async () => {
    await expect(asOperator(['-n', 'kube-system', 'get', 'secrets'])).rejects.toThrow(/forbidden/i);
  });

  it.each(readdirSync(repositoryFile('deploy/samples')))(
    'go with deploy/samples/%s, which is accepted',
    async (file) => {
      const args = ['create', '--dry-run=server', '--validate=strict', '-f', repositoryFile(`deploy/samples/${file}`)];
      await controlPlane.kubectl(args);
    },
  );
});
