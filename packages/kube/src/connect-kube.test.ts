import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '@vdo/base/clock';
import { httpResponse } from '@vdo/base/http';
import { type HttpServer, serveHttp } from '@vdo/base/http-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConnectKubeOptions, connectKube } from './connect-kube.ts';
import { nodes } from './types/core.ts';

let folder = '';
let server: HttpServer;
let validToken = 'first';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vdo-connect-'));
  server = await serveHttp({
    port: 0,
    handler: async ({ headers, path }) =>
      headers['authorization'] === `Bearer ${validToken}`
        ? httpResponse(200, JSON.stringify({ gitVersion: 'v1.34.4', path }))
        : httpResponse(401, JSON.stringify({ kind: 'Status', status: 'Failure', code: 401, message: 'Unauthorized' })),
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const connect = async (url: string, options: Partial<ConnectKubeOptions> = {}) => {
  const kubeconfigPath = join(folder, 'config');
  await writeFile(
    kubeconfigPath,
    JSON.stringify({
      'current-context': 'it',
      contexts: [{ name: 'it', context: { cluster: 'c', user: 'u', namespace: 'shop' } }],
      clusters: [{ name: 'c', cluster: { server: url } }],
      users: [{ name: 'u', user: { tokenFile: 'token' } }],
    }),
  );
  return connectKube({ kubeconfigPath, env: {}, clock: createSystemClock(), ...options });
};

describe('connectKube', () => {
  test('reads the token again when the server refuses it', async () => {
    await writeFile(join(folder, 'token'), 'first');
    const client = await connect(server.url);
    expect(client).toMatchObject({ server: server.url, namespace: 'shop' });
    expect(await client.serverVersion()).toBe('v1.34.4');
    validToken = 'second';
    await writeFile(join(folder, 'token'), 'second');
    expect(await client.serverVersion()).toBe('v1.34.4');
    await client.close();
  });

  test('an expired token is a KubeUnauthorized', async () => {
    await writeFile(join(folder, 'token'), 'expired');
    const client = await connect(server.url);
    await expect(client.serverVersion()).rejects.toMatchObject({ code: 'KubeUnauthorized' });
    await client.close();
  });

  test('reports an API server that does not listen as KubeUnreachable', async () => {
    const client = await connect('http://127.0.0.1:1');
    const message = expect.stringContaining('no server listens on its port');
    await expect(client.list(nodes)).rejects.toMatchObject({ code: 'KubeUnreachable', message });
    await client.close();
  });
});
