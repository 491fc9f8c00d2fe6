import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadKubeConfig } from './kube-config.ts';

const pem = (what: string) => `-----BEGIN ${what}-----\nZmFrZQ==\n-----END ${what}-----\n`;
const base64 = (text: string) => Buffer.from(text).toString('base64');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vdo-kubeconfig-'));
});
afterAll(() => rm(folder, { recursive: true }));

const write = async (name: string, content: unknown): Promise<string> => {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

const kubeconfig = (settings: { server?: string; cluster?: object; user?: object | null; context?: object } = {}) => ({
  'current-context': 'it',
  contexts: [{ name: 'it', context: { cluster: 'c', user: 'u', ...settings.context } }],
  clusters: [{ name: 'c', cluster: { server: settings.server ?? 'https://k8s.test:6443', ...settings.cluster } }],
  users: [{ name: 'u', user: settings.user === undefined ? { token: 'fake-token' } : settings.user }],
});

const load = (kubeconfigPath: string, context?: string) =>
  loadKubeConfig({ kubeconfigPath, env: {}, clock: createVirtualClock(), ...(context && { context }) });

describe('a kubeconfig file', () => {
  test('gives the server, its CA, the client certificate and the namespace', async () => {
    const user = { 'client-certificate-data': base64(pem('CERTIFICATE')), 'client-key': 'keys/client.key' };
    await write('full/keys/client.key', pem('PRIVATE KEY'));
    const cluster = { 'certificate-authority-data': base64(pem('CERTIFICATE')), 'tls-server-name': 'kubernetes' };
    const path = await write('full/config', kubeconfig({ cluster, user, context: { namespace: 'shop' } }));
    const connection = await load(path);
    expect(connection).toMatchObject({
      origin: 'https://k8s.test:6443',
      basePath: '',
      namespace: 'shop',
      proxy: undefined,
    });
    expect(connection.tls).toEqual({
      caBundle: pem('CERTIFICATE'),
      cert: pem('CERTIFICATE'),
      key: pem('PRIVATE KEY'),
      serverName: 'kubernetes',
    });
    expect(await connection.authHeaders()).toEqual({});
  });

  test('may have a path in its server, a proxy, and a user who skips verification', async () => {
    const cluster = { 'insecure-skip-tls-verify': true, 'proxy-url': 'http://proxy.test:3128' };
    const path = await write('rancher', kubeconfig({ server: 'https://rancher.test/k8s/clusters/c-1/', cluster }));
    const connection = await load(path);
    expect(connection).toMatchObject({
      origin: 'https://rancher.test',
      basePath: '/k8s/clusters/c-1',
      proxy: 'http://proxy.test:3128',
      tls: { insecure: true },
    });
    expect(await connection.authHeaders()).toEqual({ authorization: 'Bearer fake-token' });
  });

  test('may use plain HTTP, basic authentication and impersonation', async () => {
    const user = { username: 'ann', password: 'fake', as: 'bob' };
    const connection = await load(await write('plain', kubeconfig({ server: 'http://127.0.0.1:8001', user })));
    expect(connection.origin).toBe('http://127.0.0.1:8001');
    expect(await connection.authHeaders()).toEqual({
      authorization: `Basic ${base64('ann:fake')}`,
      'impersonate-user': 'bob',
    });
  });

  test('may impersonate groups, a uid and what else identifies a user, through a SOCKS proxy', async () => {
    const extra = { 'example.com/Project': ['a', 'b'], scopes: ['view'] };
    const user = { token: 't', as: 'bob', 'as-uid': '7', 'as-groups': ['dev', 'ops'], 'as-user-extra': extra };
    const cluster = { 'proxy-url': 'socks5://proxy.test:1080' };
    const connection = await load(await write('as', kubeconfig({ cluster, user })));
    expect(connection.proxy).toBe('socks5://proxy.test:1080');
    expect(await connection.authHeaders()).toEqual({
      authorization: 'Bearer t',
      'impersonate-user': 'bob',
      'impersonate-uid': '7',
      'impersonate-group': 'dev\nops',
      'impersonate-extra-example.com%2fproject': 'a\nb',
      'impersonate-extra-scopes': 'view',
    });
  });

  test('reads a token file, without its last newline, and reads it again when the token is renewed', async () => {
    await write('rotating/token', 'first\n');
    const path = await write('rotating/config', kubeconfig({ user: { tokenFile: 'token' } }));
    expect(await (await load(path)).authHeaders()).toEqual({ authorization: 'Bearer first' });
    await write('rotating/token', 'second\n');
    expect(await (await load(path)).authHeaders()).toEqual({ authorization: 'Bearer second' });
  });

  test('runs a credential plugin in the folder of the file', async () => {
    const credential = { kind: 'ExecCredential', status: { token: 'from-plugin' } };
    const plugin = await write('plugin/credential', `#!/bin/sh\necho '${JSON.stringify(credential)}'\n`);
    await chmod(plugin, 0o755);
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: './credential' };
    const connection = await load(await write('plugin/config', kubeconfig({ user: { exec } })));
    expect(await connection.authHeaders()).toEqual({ authorization: 'Bearer from-plugin' });
  });
});

describe('where a kubeconfig is searched', () => {
  test('several files of KUBECONFIG count as one, the first has precedence, missing ones are skipped', async () => {
    const first = await write('many/a', {
      'current-context': 'it',
      contexts: [{ name: 'it', context: { cluster: 'c', user: 'u' } }],
    });
    const second = await write('many/b', {
      ...kubeconfig({ server: 'https://second.test' }),
      'current-context': 'other',
    });
    const third = await write('many/c', kubeconfig({ server: 'https://third.test' }));
    const env = { KUBECONFIG: [join(folder, 'none'), first, second, third].join(':') };
    expect((await loadKubeConfig({ env, clock: createVirtualClock() })).origin).toBe('https://second.test');
  });

  test('a pod uses its ServiceAccount', async () => {
    await write('pod/token', 'pod-token');
    await write('pod/ca.crt', pem('CERTIFICATE'));
    await write('pod/namespace', 'vmware-system-vdo');
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443', HOME: folder };
    const options = { env, clock: createVirtualClock(), serviceAccountFolder: join(folder, 'pod') };
    const connection = await loadKubeConfig(options);
    expect(connection).toMatchObject({ origin: 'https://[fd00::1]', namespace: 'vmware-system-vdo' });
    expect(connection.tls).toEqual({ caBundle: pem('CERTIFICATE') });
    expect(await connection.authHeaders()).toEqual({ authorization: 'Bearer pod-token' });
  });

  test('the home folder is the last choice', async () => {
    await write('home/.kube/config', kubeconfig({ server: 'https://home.test' }));
    const connection = await loadKubeConfig({ env: { HOME: join(folder, 'home') }, clock: createVirtualClock() });
    expect(connection.origin).toBe('https://home.test');
  });
});

describe('a broken kubeconfig is a KubeConfigInvalid that says what to correct', () => {
  const unreadable = { 'certificate-authority': '/does/not/exist.crt' };
  test.each([
    ['no YAML', 'a: [', 'is not YAML'],
    ['a list', [], 'is not a valid kubeconfig'],
    ['an empty file', '', 'has no current-context'],
    ['no server', { clusters: [{ name: 'c', cluster: {} }] }, 'clusters[0].cluster.server is missing'],
    ['an unknown current-context', { ...kubeconfig(), 'current-context': 'gone' }, 'has no context "gone"'],
    ['a context without its cluster', kubeconfig({ context: { cluster: 'gone' } }), 'has no cluster "gone"'],
    ['a context without its user', kubeconfig({ context: { user: 'gone' } }), 'has no user "gone"'],
    ['a server that is no URL', kubeconfig({ server: 'k8s.test:6443' }), 'has the server "k8s.test:6443"'],
    ['an odd proxy', kubeconfig({ cluster: { 'proxy-url': 'socks4://p:1' } }), 'has the proxy-url'],
    ['a CA file that is not there', kubeconfig({ cluster: unreadable }), '/does/not/exist.crt'],
    [
      'a CA that is no PEM',
      kubeconfig({ cluster: { 'certificate-authority-data': base64('x') } }),
      'certificate-authority',
    ],
    ['a plugin that is not there', kubeconfig({ user: { exec: { command: 'no-such-plugin' } } }), 'no-such-plugin'],
    ['a plugin that fails', kubeconfig({ user: { exec: { command: 'false' } } }), '"false"'],
    ['groups of nobody', kubeconfig({ user: { 'as-groups': ['g'] } }), 'impersonates groups'],
  ])('%s', async (name, content, expected) => {
    const path = await write(`broken/${name}`, content);
    const failure = await load(path).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'KubeConfigInvalid', message: expect.stringContaining(expected) });
    expect(failure).toMatchObject({ message: expect.stringContaining(path), remedy: expect.stringMatching(/\.$/) });
  });

  test('a missing file', async () => {
    await expect(load(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'KubeConfigInvalid' });
  });

  test('the error lists all searched locations', async () => {
    const nothing = loadKubeConfig({ env: { HOME: join(folder, 'empty') }, clock: createVirtualClock() });
    await expect(nothing).rejects.toMatchObject({
      code: 'KubeConfigInvalid',
      message: expect.stringContaining('KUBECONFIG'),
    });
  });

  test('a requested context that the file does not have', async () => {
    const path = await write('contexts', kubeconfig());
    await expect(load(path, 'prod')).rejects.toMatchObject({ remedy: 'Use one of its contexts: "it".' });
  });
});
