import { configMaps } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { startSimCluster } from '../../testing/sim-cluster.ts';

describe('vdoctl kubeadm config', () => {
  it.each(['1.30.2', '1.34.1'])('prints the file for %s', async (version) => {
    const { exitCode, out } = await runVdoctl(['kubeadm', 'config', '--kubernetes', version, '--cluster-name', 'prod']);
    expect(exitCode).toBe(0);
    await expect(out).toMatchFileSnapshot(`golden/kubeadm-${version}.yaml`);
  });

  it('refuses versions that are not supported', async () => {
    const { exitCode, err } = await runVdoctl(['kubeadm', 'config', '--kubernetes', '1.20.0']);
    expect(exitCode).toBe(2);
    expect(err).toContain('1.28');
  });

  it('refuses a version without its patch release, which kubeadm would not take', async () => {
    const { exitCode, err } = await runVdoctl(['kubeadm', 'config', '--kubernetes', '1.34']);
    expect(exitCode).toBe(2);
    expect(err).toContain('1.34.1');
  });

  it('names the first node, and no other one by the same name', async () => {
    const { out } = await runVdoctl(['kubeadm', 'config', '--kubernetes', '1.34.1', '--node-name', 'cp-1']);
    const named = parseAllDocuments(out).map((document) => document.toJS().nodeRegistration?.name);
    expect(named).toEqual(['cp-1', undefined, undefined]);
  });

  it('is for further nodes of the cluster that is there, by what kubeadm noted', async () => {
    const cluster = await startSimCluster();
    try {
      const ask = async (...argv: readonly string[]) => {
        const run = await runVdoctl(['kubeadm', 'config', '--kubeconfig', cluster.kubeconfig, ...argv]);
        return parseAllDocuments(run.out).map((document) => document.toJS())[1] as Record<string, unknown>;
      };
      const version = (await cluster.kube.serverVersion()).replace(/[+-].*$/, '');
      expect(await ask()).toMatchObject({ kubernetesVersion: version, networking: { podSubnet: '10.244.0.0/16' } });
      const noted =
        'clusterName: prod\ncontrolPlaneEndpoint: api.example.com:6443\nnetworking:\n  podSubnet: 10.9.0.0/16\n';
      await cluster.kube.create(configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'kubeadm-config', namespace: 'kube-system' },
        data: { ClusterConfiguration: noted },
      });
      expect(await ask('--cluster-name', 'other')).toMatchObject({
        clusterName: 'other',
        controlPlaneEndpoint: 'api.example.com:6443',
        networking: { podSubnet: '10.9.0.0/16' },
      });
    } finally {
      await cluster.stop();
    }
  });
});
