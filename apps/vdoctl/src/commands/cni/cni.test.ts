import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { namespaces, nodes } from '@vdo/kube/types/core';
import { daemonSets } from '@vdo/kube/types/workloads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { seedResource } from '../../testing/seed-resource.ts';
import { type SimCluster, startSimCluster } from '../../testing/sim-cluster.ts';

const agent = (namespace: string, name: string, tag: string): string => `
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      serviceAccountName: ${name}
      tolerations: [{operator: Exists}]
      containers: [{name: agent, image: 'registry.example.com/${name}:${tag}'}]
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: ${name}, namespace: ${namespace}}
---
apiVersion: v1
kind: Namespace
metadata: {name: ${namespace}}
`;

describe('vdoctl cni apply', () => {
  let cluster: SimCluster;
  let folder: string;
  const at = (name: string) => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vdoctl-cni-'));
    // The agent is ready a moment before its node has the network.
    const network = (name: string, unavailable: 'True' | 'False') =>
      cluster.kube.patch(
        nodes,
        { name },
        { type: 'merge', body: { status: { conditions: [{ type: 'NetworkUnavailable', status: unavailable }] } } },
        { subresource: 'status' },
      );
    cluster = await startSimCluster({
      workloadOf:
        () =>
        async ({ spec }, { signal, ready }) => {
          ready();
          await network(spec.nodeName ?? '', 'False');
          await new Promise((done) => signal.addEventListener('abort', done));
        },
    });
    for (const name of ['node-1', 'node-2']) {
      await cluster.kube.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: {} });
      await network(name, 'True');
    }
    await writeFile(at('flannel.yaml'), agent('kube-flannel', 'kube-flannel-ds', 'v0.26.1'));
    await writeFile(at('calico.yaml'), agent('calico-system', 'calico-node', 'v3.30.0'));
  });
  afterAll(async () => {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const apply = (file: string, ...flags: readonly string[]) =>
    runVdoctl(['cni', 'apply', '--file', file, '--kubeconfig', cluster.kubeconfig, ...flags]);

  it('shows the objects in the order in which they are applied, and changes nothing with --dry-run', async () => {
    const { exitCode, out } = await apply(at('flannel.yaml'), '--dry-run');
    expect(exitCode).toBe(0);
    await expect(out).toMatchFileSnapshot('golden/plan.txt');
    expect(await cluster.kube.find(namespaces, { name: 'kube-flannel' })).toBeUndefined();
    expect((await apply(at('flannel.yaml'))).exitCode).toBe(2);
  });

  it('applies them, waits for the agents and names the network', async () => {
    const { exitCode, out, err } = await apply(at('flannel.yaml'), '--yes', '--timeout', '60s');
    expect(exitCode, err).toBe(0);
    await expect(out).toMatchFileSnapshot('golden/applied.txt');
    const set = await cluster.kube.get(daemonSets, { namespace: 'kube-flannel', name: 'kube-flannel-ds' });
    expect(set.status?.numberReady).toBe(2);
    const again = await apply(at('flannel.yaml'), '--dry-run');
    expect(again.out).toBe('No changes.\n');
  });

  it('refuses a second network beside it, unless told', async () => {
    const { exitCode, err } = await apply(at('calico.yaml'), '--yes');
    expect(exitCode).toBe(2);
    expect(err).toContain('Flannel already runs in the cluster, and the manifest installs Calico');
    const json = await apply(at('calico.yaml'), '--beside-other', '--dry-run', '-o', 'json');
    expect(JSON.parse(json.out)).toMatchObject({ network: 'Calico', changes: [{ kind: 'Namespace' }, {}, {}] });
  });

  it('names the line that is wrong, and the file that is missing', async () => {
    await writeFile(at('bad.yaml'), 'kind: Namespace\n---\nfoo: [\n');
    expect(await apply(at('bad.yaml'))).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/is not valid YAML: .*at\s+line 4/s),
    });
    expect(await apply('/nonexistent.yaml')).toMatchObject({ exitCode: 2, err: expect.stringContaining('--file') });
  });

  it('leaves the network to the operator where the resource says so', async () => {
    await seedResource(cluster.kube, {
      distribution: 'Native',
      vcenters: [{ server: 'vc1.example.com', credentialsSecret: 'vc' }],
      cni: { manifest: { url: 'https://example.com/cni.yaml' } },
    });
    expect((await cluster.kube.get(vsphereDrivers, { name: 'cluster' })).spec.cni?.manifest).toBeDefined();
    const { exitCode, err } = await apply(at('flannel.yaml'), '--yes');
    expect(exitCode).toBe(2);
    expect(err).toContain('spec.cni.manifest');
  });
});
