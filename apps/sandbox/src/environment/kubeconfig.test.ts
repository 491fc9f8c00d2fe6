import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadKubeConfig } from '@vdo/kube/kube-config';
import { serviceAccounts } from '@vdo/kube/types/core';
import { createSimWorld } from '@vdo/sim-world/create-sim-world';
import { seedNamespaces } from '@vdo/sim-world/seed';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccountConfigs } from './kubeconfig.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'accounts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const namespace = 'vmware-system-vdo';

describe('the kubeconfig of a ServiceAccount', () => {
  it('is for its owner alone, and has its token renewed for as long as the sandbox runs', async () => {
    const { client: kube, clock, random } = createSimWorld({ controllers: false });
    const metadata = { name: 'vdo-operator', namespace };
    await seedNamespaces(kube, namespace);
    await kube.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
    const address = { url: 'https://cluster.example.com:6443', insecure: true };
    const accounts = createAccountConfigs({ kube, address, folder, clock, random });
    const stopping = new AbortController();
    const running = accounts.run(stopping.signal);
    const path = await accounts.config(namespace, 'vdo-operator');
    const tokenFile = join(folder, `${namespace}-vdo-operator.token`);
    expect([path, tokenFile].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(readdirSync(folder)).toHaveLength(2);
    const first = readFileSync(tokenFile, 'utf8');
    const { origin, tls, authHeaders } = await loadKubeConfig({ kubeconfigPath: path, env: {}, clock });
    expect({ origin, tls }).toMatchObject({ origin: address.url, tls: { insecure: true } });
    expect(await authHeaders()).toEqual({ authorization: `Bearer ${first}` });

    await clock.advance(20 * 60_000);
    await expect.poll(() => readFileSync(tokenFile, 'utf8')).not.toBe(first);
    expect(await authHeaders()).toEqual({ authorization: `Bearer ${readFileSync(tokenFile, 'utf8')}` });
    stopping.abort();
    await running;
  });
});
