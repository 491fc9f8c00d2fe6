import type { KubeClient } from '@vdo/kube/client';
import { type Node, nodes, type Pod, pods, secrets } from '@vdo/kube/types/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { podsToEvict } from '../../shared/nodes/drain.ts';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { seedResource } from '../../testing/seed-resource.ts';
import { type SimTestbed, startSimTestbed, testbedNamespace } from '../../testing/sim-testbed.ts';
import { administrator } from '../../testing/sim-vcenter.ts';

const conditions = (ready: boolean) => ({ conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] });
const setReady = (kube: KubeClient, name: string, ready: boolean) =>
  kube.patch(nodes, { name }, { type: 'merge', body: { status: conditions(ready) } }, { subresource: 'status' });

const pod = (name: string, change: Partial<Pod> & { readonly owner?: string } = {}): Pod => {
  const { owner, ...rest } = change;
  const ownerReferences =
    owner === undefined ? [] : [{ apiVersion: 'apps/v1', kind: owner, name, uid: name, controller: true }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', ownerReferences },
    spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'main' }] },
    ...rest,
  } as Pod;
};

describe('what a drain evicts', () => {
  it('leaves pods of DaemonSets, of the kubelet, of other nodes, and finished ones', () => {
    const mirror = { name: 'static', namespace: 'default', annotations: { 'kubernetes.io/config.mirror': 'x' } };
    const all = [
      pod('app', { owner: 'ReplicaSet' }),
      pod('agent', { owner: 'DaemonSet' }),
      pod('static', { metadata: mirror }),
      pod('done', { owner: 'Job', status: { phase: 'Succeeded' } }),
      pod('elsewhere', { owner: 'ReplicaSet', spec: { nodeName: 'node-2', containers: [] } as unknown as Pod['spec'] }),
      pod('bare'),
    ];
    expect(podsToEvict(all, 'node-1').map(({ metadata }) => metadata.name)).toEqual(['app', 'bare']);
  });
});

describe('vdoctl doctor --fix --power-cycle', () => {
  let testbed: SimTestbed;
  beforeEach(async () => {
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
    for (const index of [1, 2, 3, 4, 5]) await setReady(kube, `node-${index}`, true);
    const labels = { 'node-role.kubernetes.io/control-plane': '' };
    for (const name of ['node-1', 'node-2'])
      await kube.patch(nodes, { name }, { type: 'merge', body: { metadata: { labels } } });
    const { control } = testbed.vcenter.sim;
    control.setExtraConfig('node-1', { 'disk.EnableUUID': '' });
    control.write('node-4', { 'config.version': 'vmx-13' });
  });
  afterEach(() => testbed?.stop());

  const doctor = (...argv: readonly string[]) =>
    runVdoctl(
      [
        ...['doctor', '--kubeconfig', testbed.cluster.kubeconfig, '--only', 'node', '--user', administrator.username],
        ...argv,
      ],
      { env: testbed.vcenter.env },
    );
  const changes = () =>
    testbed.vcenter.sim.recorder
      .calls()
      .map(({ method }) => method)
      .filter((method) => /^(Power|Shutdown|Reconfig|Upgrade)/.test(method));
  const node = (name: string): Promise<Node> => testbed.cluster.kube.get(nodes, { name });

  it('powers nothing off unless told, and shows what it would do', async () => {
    const plain = await doctor('--fix', '--yes');
    expect(plain.exitCode).toBe(3);
    expect(plain.out).toContain('Fix manually:');
    expect((await doctor('--power-cycle')).exitCode).toBe(2);
    const { out } = await doctor('--fix', '--power-cycle', '--dry-run');
    await expect(out.slice(out.indexOf('Automatic fixes:'))).toMatchFileSnapshot('golden/power-cycle-plan.txt');
    expect(changes()).toEqual([]);
  });

  it('drains, shuts down, changes, starts and uncordons one node after the other', async () => {
    const { kube } = testbed.cluster;
    await kube.create(pods, pod('app', { owner: 'Job' }));
    await kube.create(pods, pod('agent', { owner: 'DaemonSet' }));
    // The kubelet, which stops what is to go.
    const kubelet = setInterval(async () => {
      const evicted = await kube.find(pods, { namespace: 'default', name: 'app' });
      if (evicted?.metadata.deletionTimestamp !== undefined)
        await kube.delete(pods, { namespace: 'default', name: 'app' }, { gracePeriodSeconds: 0 });
    }, 200);
    const { exitCode, out, err } = await doctor('--fix', '--power-cycle', '--yes', '--timeout', '20s');
    clearInterval(kubelet);
    expect(err).toContain('node-1: set disk.EnableUUID=TRUE');
    expect(changes()).toEqual([
      ...['ShutdownGuest', 'ReconfigVM_Task', 'PowerOnVM_Task'],
      ...['ShutdownGuest', 'UpgradeVM_Task', 'PowerOnVM_Task'],
    ]);
    expect(await kube.find(pods, { namespace: 'default', name: 'app' })).toBeUndefined();
    expect(await kube.find(pods, { namespace: 'default', name: 'agent' })).toBeDefined();
    expect((await node('node-1')).spec.unschedulable ?? false).toBe(false);
    const again = out.slice(out.lastIndexOf(' passed, '));
    expect(again).not.toContain('node/disk-enable-uuid');
    expect(again).not.toContain('node/hardware-version');
    expect(exitCode, again).not.toBe(2);
  });

  it('touches no node while another one of the control plane is down', async () => {
    await setReady(testbed.cluster.kube, 'node-2', false);
    const { exitCode, err } = await doctor('--fix', '--power-cycle', '--yes');
    expect(exitCode).toBe(2);
    expect(err).toContain('node-1 was not shut down');
    expect(changes()).toEqual([]);
    expect((await node('node-1')).spec.unschedulable ?? false).toBe(false);
  });

  it('puts a node back that it cannot drain', async () => {
    await testbed.cluster.kube.create(pods, pod('bare'));
    const { exitCode, err } = await doctor('--fix', '--power-cycle', '--yes');
    expect(exitCode).toBe(2);
    expect(err).toContain('default/bare');
    expect(changes()).toEqual([]);
    expect((await node('node-1')).spec.unschedulable ?? false).toBe(false);
  });
});
