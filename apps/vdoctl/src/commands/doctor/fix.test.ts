import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { decodeSecretData } from '@vdo/config/credentials';
import { names } from '@vdo/config/names';
import { configMaps, pods, secrets } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { seedResource } from '../../testing/seed-resource.ts';
import { type SimTestbed, startSimTestbed, testbedNamespace } from '../../testing/sim-testbed.ts';
import { administrator } from '../../testing/sim-vcenter.ts';
import { applyFix } from './apply-fix.ts';

const namespace = testbedNamespace;

describe('vdoctl doctor --fix', () => {
  let testbed: SimTestbed;
  beforeAll(async () => {
    testbed = await startSimTestbed();
    const { kube } = testbed.cluster;
    const [, server = '', , port, , , , thumbprint = ''] = testbed.vcenter.flags;
    const vcenters = [{ server, port: Number(port), credentialsSecret: 'vcenter', tls: { thumbprints: [thumbprint] } }];
    await seedResource(kube, { distribution: 'Native', vcenters, csi: { clusterId: 'changed' } });
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    await kube.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'vcenter', namespace },
      data: {
        username: base64(administrator.username),
        password: base64(`${administrator.password}\n`),
        other: base64('stays\n'),
      },
    });
    await kube.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: names.csiClusterId, namespace },
      data: { clusterID: 'first' },
    });
  });
  afterAll(() => testbed?.stop());

  const doctor = (...argv: readonly string[]) =>
    runVdoctl([
      'doctor',
      '--kubeconfig',
      testbed.cluster.kubeconfig,
      '--only',
      'credentials,storage',
      '--fix',
      ...argv,
    ]);
  const secret = async () =>
    decodeSecretData((await testbed.cluster.kube.get(secrets, { namespace, name: 'vcenter' })).data);
  const spec = async (): Promise<VSphereDrivers['spec']> =>
    (await testbed.cluster.kube.get(vsphereDrivers, { name: 'cluster' })).spec;
  const tidy = (text: string) => text.replaceAll(testbed.server, 'VCENTER');

  it('lists what it would do and what is left, and changes nothing with --dry-run', async () => {
    const { exitCode, out } = await doctor('--dry-run');
    expect(exitCode).toBe(3);
    const plan = tidy(out).slice(tidy(out).indexOf('Automatic fixes:'));
    await expect(plan).toMatchFileSnapshot('golden/fix-plan.txt');
    const json = JSON.parse((await doctor('--dry-run', '-o', 'json')).out) as unknown;
    expect(json).toMatchObject({ applied: false, fixes: [{ kind: 'trim-secret' }, { kind: 'restore-cluster-id' }] });
    expect((await secret())['password']).toBe(`${administrator.password}\n`);
    expect((await spec()).csi?.clusterId).toBe('changed');
  });

  it('leaves the resource to the person who has it in a file', async () => {
    await testbed.writeResource({ csi: { clusterId: 'changed' } });
    const json = JSON.parse((await doctor('--dry-run', '-o', 'json', '--file', testbed.file)).out) as {
      fixes: { kind: string }[];
      byHand: { reason: string }[];
    };
    expect(json.fixes.map(({ kind }) => kind)).toEqual(['trim-secret']);
    expect(json.byHand.map(({ reason }) => reason)).toContain('ClusterIdChanged');
  });

  it('asks, fixes, and checks again', async () => {
    expect((await doctor()).exitCode).toBe(2);
    const { out, err } = await doctor('--yes');
    expect(err).toContain('Done: remove the line break at the end of password');
    expect(await secret()).toEqual({ ...administrator, other: 'stays\n' });
    expect((await spec()).csi?.clusterId).toBe('first');
    const again = out.slice(out.lastIndexOf(' passed, '));
    expect(again).not.toContain('credentials/secret-keys');
    expect(again).not.toContain('storage/cluster-id-unique');
    expect(out + err).not.toContain(administrator.password);
  });

  it('restarts the pod of that node alone', async () => {
    const { kube } = testbed.cluster;
    for (const node of ['node-1', 'node-2'])
      await kube.create(pods, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `csi-${node}`, namespace, labels: { app: 'vsphere-csi-node' } },
        spec: { nodeName: node, containers: [{ name: 'driver', image: 'driver' }] },
      });
    const fix = {
      check: 'csi/node-registered',
      kind: 'restart-node-driver',
      namespace,
      node: 'node-1',
      what: '',
    } as const;
    await applyFix(kube, fix, new AbortController().signal);
    const seen = async (name: string) => {
      const pod = await kube.find(pods, { namespace, name });
      return pod !== undefined && pod.metadata.deletionTimestamp === undefined;
    };
    expect([await seen('csi-node-1'), await seen('csi-node-2')]).toEqual([false, true]);
  });
});
