import { nodes, secrets } from '@vdo/kube/types/core';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { seedResource } from '../../testing/seed-resource.ts';
import { type SimTestbed, startSimTestbed, testbedNamespace } from '../../testing/sim-testbed.ts';
import { administrator } from '../../testing/sim-vcenter.ts';

describe('vdoctl nodes', () => {
  let testbed: SimTestbed;
  beforeAll(async () => {
    testbed = await startSimTestbed();
    const { kube } = testbed.cluster;
    const [, server = '', , port, , , , thumbprint = ''] = testbed.vcenter.flags;
    const vcenters = [{ server, port: Number(port), credentialsSecret: 'vcenter', tls: { thumbprints: [thumbprint] } }];
    await seedResource(kube, { distribution: 'Native', vcenters, csi: {} });
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    await kube.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'vcenter', namespace: testbedNamespace },
      data: { username: base64(administrator.username), password: base64(administrator.password) },
    });
    for (const index of [1, 2, 3, 4, 5]) {
      const systemUUID = demoUuid(index);
      const addresses = [{ type: 'InternalIP', address: `10.10.0.${10 + index}` }];
      await kube.patch(
        nodes,
        { name: `node-${index}` },
        { type: 'merge', body: { status: { addresses, nodeInfo: { systemUUID } } } },
        { subresource: 'status' },
      );
    }
    await kube.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'physical' }, spec: {} });
    const { control } = testbed.vcenter.sim;
    control.setExtraConfig('node-2', { 'disk.EnableUUID': '' });
    control.powerOff('node-5');
  });
  afterAll(() => testbed?.stop());
  const list = (...flags: readonly string[]) =>
    runVdoctl(['nodes', '--kubeconfig', testbed.cluster.kubeconfig, ...flags]);

  it.each([
    ['nodes', []],
    ['nodes-wide', ['-o', 'wide']],
  ])('shows each node with its VM and what is wrong (%s)', async (name, flags) => {
    const { exitCode, out } = await list(...flags);
    expect(exitCode).toBe(3);
    await expect(
      out.replaceAll(testbed.cluster.server, 'CLUSTER').replaceAll(testbed.server, 'VCENTER'),
    ).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  it('shows the nodes that are named alone, and suggests a name for a misspelt one', async () => {
    const one = await list('node-1', 'node-3');
    expect(one.exitCode).toBe(0);
    expect(one.out).toMatch(/node-1 [\s\S]*node-3 /);
    expect(one.out).not.toContain('node-2');
    const wrong = await list('physicla');
    expect(wrong.exitCode).not.toBe(0);
    expect(wrong.err).toContain('Did you mean physical?');
  });

  it('gives programs the same', async () => {
    const rows = JSON.parse((await list('-o', 'json')).out) as {
      node: string;
      vm: string | null;
      problems: { id: string }[];
    }[];
    expect(rows).toHaveLength(6);
    const second = rows.find(({ node }) => node === 'node-2');
    expect(second?.vm).toBe('node-2');
    expect(second?.problems.map(({ id }) => id)).toContain('node/disk-enable-uuid');
    expect(rows.find(({ node }) => node === 'physical')?.vm).toBeNull();
  });
});
