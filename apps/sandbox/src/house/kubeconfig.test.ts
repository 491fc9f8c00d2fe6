import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { createKubeClient } from '@vdo/kube/create-client';
import { loadKubeConfig } from '@vdo/kube/kube-config';
import { namespaces, serviceAccounts } from '@vdo/kube/types/core';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
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
    const clock = createVirtualClock();
    const sim = createKubeSim({ clock, random: createSeededRandom(1), logger: silentLogger });
    const kube = createKubeClient({ transport: sim.handler, clock, qps: 0 });
    const metadata = { name: 'vdo-operator', namespace };
    await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await kube.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
    const address = { url: 'https://cluster.example.com:6443', insecure: true };
    const accounts = createAccountConfigs({ kube, address, folder, clock, random: createSeededRandom(2) });
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
