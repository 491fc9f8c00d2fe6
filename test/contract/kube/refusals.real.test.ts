import { copyFile } from 'node:fs/promises';
import { httpResponse } from '@vdo/base/http';
import { silentLogger } from '@vdo/base/logger';
import { type ConnectedKubeClient, connectKube } from '@vdo/kube/connect-kube';
import { createInformer } from '@vdo/kube/create-informer';
import { createAuthorizedHandler } from '@vdo/kube/serving/authorized-handler';
import { sampleCelDefinition } from '@vdo/kube/testing/sample-crd';
import { clusterRoleBindings, clusterRoles, customResourceDefinitions } from '@vdo/kube/types/cluster';
import { namespaces, nodes, persistentVolumes, pods, serviceAccounts } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuthority } from '../../harness/certificates.ts';
import { createTempFolder, type TempFolder } from '../../harness/cleanup.ts';
import { type ControlPlane, startControlPlane } from '../../harness/control-plane.ts';
import { writeKubeconfig } from '../../harness/kubeconfig.ts';
import { clock, eventually, random } from './kube-target.ts';

let plane: ControlPlane;
let folder: TempFolder;
let admin: ConnectedKubeClient;
const clients: ConnectedKubeClient[] = [];

const connect = async (kubeconfigPath: string): Promise<ConnectedKubeClient> => {
  const client = await connectKube({ kubeconfigPath, env: {}, clock });
  clients.push(client);
  return client;
};

beforeAll(async () => {
  folder = await createTempFolder('refusals');
  plane = await startControlPlane({ controllers: ['serviceaccount-controller', 'serviceaccount-token-controller'] });
  admin = await connect(plane.kubeconfigPath);
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await plane?.stop();
  await folder?.remove();
});

const grant = async (user: string, rules: readonly unknown[]): Promise<void> => {
  const name = `grant-${random.uuid()}`;
  const api = 'rbac.authorization.k8s.io';
  const metadata = { name };
  await admin.create(clusterRoles, { apiVersion: `${api}/v1`, kind: 'ClusterRole', metadata, rules } as never);
  await admin.create(clusterRoleBindings, {
    apiVersion: `${api}/v1`,
    kind: 'ClusterRoleBinding',
    metadata,
    roleRef: { apiGroup: api, kind: 'ClusterRole', name },
    subjects: [{ kind: 'User', apiGroup: api, name: user }],
  });
};

describe('a user without rights', () => {
  test('is told the verb, the resource and the rule, and the rule is all it takes', async () => {
    const client = await connect(await plane.asUser('nobody'));
    const refused = await client.list(persistentVolumes).catch((error) => error);
    expect(refused).toMatchObject({
      code: 'KubeForbidden',
      message: expect.stringContaining('cannot list persistentvolumes'),
      remedy:
        'Add this rule to a ClusterRole that is bound to user "nobody":\n- apiGroups: [""]\n  resources: ["persistentvolumes"]\n  verbs: ["list"]',
    });
    await grant('nobody', [refused.details.rule]);
    await eventually(() =>
      client.list(persistentVolumes).then(
        () => true,
        () => false,
      ),
    );
  });

  test.each([
    [
      'patch',
      'nodes/status',
      (client: ConnectedKubeClient) =>
        client.patch(nodes, { name: 'n' }, { type: 'merge', body: {} }, { subresource: 'status' }),
    ],
    [
      'patch',
      'pods',
      (client: ConnectedKubeClient) =>
        client.apply(
          pods,
          { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'default', name: 'p' }, spec: { containers: [] } },
          { fieldManager: 'x' },
        ),
    ],
    [
      'deletecollection',
      'pods',
      (client: ConnectedKubeClient) => client.deleteCollection(pods, { namespace: 'default' }),
    ],
    [
      'create',
      'nodes',
      (client: ConnectedKubeClient) =>
        client.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, spec: {} }),
    ],
  ])('the rule for %s of %s is exact', async (verb, resource, call) => {
    const client = await connect(await plane.asUser('somebody'));
    await expect(call(client)).rejects.toMatchObject({
      code: 'KubeForbidden',
      details: { user: 'somebody', rule: { apiGroups: [''], resources: [resource], verbs: [verb] } },
    });
  });

  test('an informer says what it lacks, and goes on when it is granted', async () => {
    const client = await connect(await plane.asUser('watcher'));
    const informer = createInformer({ client, resource: nodes, clock, random, logger: silentLogger });
    const controller = new AbortController();
    const running = informer.run(controller.signal);
    await eventually(() => informer.lastError()?.code === 'KubeForbidden');
    await grant('watcher', [{ apiGroups: [''], resources: ['nodes'], verbs: ['list'] }]);
    await eventually(() => informer.lastError()?.remedy.includes('verbs: ["watch"]') ?? false);
    await grant('watcher', [{ apiGroups: [''], resources: ['nodes'], verbs: ['watch'] }]);
    await admin.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'seen' }, spec: {} });
    await eventually(() => informer.list().length === 1 && informer.lastError() === undefined);
    controller.abort();
    await running;
  });
});

describe('wrong credentials', () => {
  const url = () => plane.url;
  const caCert = () => plane.caCert;

  test('an unknown or expired token is a KubeUnauthorized', async () => {
    const path = folder.file('token');
    const user = { token: 'obviously-fake' };
    const client = await connect(await writeKubeconfig(path, { url: url(), caCert: caCert(), user }));
    await expect(client.list(nodes)).rejects.toMatchObject({ code: 'KubeUnauthorized', retry: 'on-change' });
  });

  test('a server of another CA is a KubeTlsUntrusted', async () => {
    const other = await createAuthority(folder.path, 'other');
    const user = { token: 'obviously-fake' };
    const client = await connect(await writeKubeconfig(folder.file('ca'), { url: url(), caCert: other.cert, user }));
    await expect(client.list(nodes)).rejects.toMatchObject({
      code: 'KubeTlsUntrusted',
      remedy: expect.stringContaining('certificate-authority-data'),
    });
  });

  test('plain HTTP towards a TLS port is a named error', async () => {
    const user = { token: 'obviously-fake' };
    const plain = url().replace('https:', 'http:');
    const client = await connect(await writeKubeconfig(folder.file('plain'), { url: plain, caCert: caCert(), user }));
    await expect(client.list(nodes)).rejects.toMatchObject({ code: expect.stringMatching(/^Kube/) });
  });

  test('credentials that were renewed in the file are used without a restart', async () => {
    const path = folder.file('renewed');
    const user = { token: 'obviously-fake' };
    const client = await connect(await writeKubeconfig(path, { url: url(), caCert: caCert(), user }));
    await copyFile(plane.kubeconfigPath, path);
    expect(await client.serverVersion()).toBe('v1.34.4');
    expect((await client.list(namespaces)).items.length).toBeGreaterThan(0);
  });
});

describe('what only a real server does', () => {
  test('CEL rules of a definition refuse with their message', async () => {
    const { resource, crd, thing } = sampleCelDefinition('cel.contract.test');
    await admin.create(customResourceDefinitions, crd);
    await eventually(() =>
      admin.list(resource).then(
        () => true,
        () => false,
      ),
    );
    await expect(admin.create(resource, thing('only', { low: 2, high: 1 }))).rejects.toMatchObject({
      code: 'KubeInvalid',
      message: expect.stringContaining('low must not exceed high'),
      remedy: 'Correct spec.low of the object.',
    });
    const another = admin.create(resource, thing('another', { low: 1, high: 1 }));
    await expect(another).rejects.toMatchObject({ code: 'KubeInvalid' });
    await admin.create(resource, thing('only', { low: 1, high: 2 }));
  });

  test('pod security refuses without naming an RBAC rule', async () => {
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    await admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'strict', labels } });
    const metadata = { namespace: 'strict', name: 'p' };
    await eventually(async () => !!(await admin.find(serviceAccounts, { namespace: 'strict', name: 'default' })));
    const spec = { hostNetwork: true, containers: [{ name: 'c', image: 'none.test/none' }] };
    const refused = admin.create(pods, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
    await expect(refused).rejects.toMatchObject({
      code: 'KubeForbidden',
      remedy: expect.stringContaining('admission'),
    });
  });

  test('metrics are served to tokens with the right, and to no others', async () => {
    const metadata = { namespace: 'default', name: 'reader' };
    await admin.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, spec: {} };
    const reply = await admin.create(serviceAccounts, request, { subresource: 'token' });
    const { token } = (reply as unknown as { status: { token: string } }).status;
    const ask = async (authorization: string) => {
      // A new one each time: it remembers what it was told for a minute.
      const handler = createAuthorizedHandler({
        handler: async () => httpResponse(200, 'served'),
        client: admin,
        clock,
        logger: silentLogger,
      });
      return (await handler({ method: 'GET', path: '/metrics', headers: { authorization } })).status;
    };
    expect(await ask('Bearer obviously-fake')).toBe(401);
    expect(await ask(`Bearer ${token}`)).toBe(403);
    await grant('system:serviceaccount:default:reader', [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]);
    await eventually(async () => (await ask(`Bearer ${token}`)) === 200);
  });

  test('a fieldSelector that it does not know is a KubeInvalid', async () => {
    const unknown = admin.list(nodes, { fieldSelector: 'spec.nonsense=1' });
    await expect(unknown).rejects.toMatchObject({ code: 'KubeInvalid' });
  });
});
