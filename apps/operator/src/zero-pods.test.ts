import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimTestbed, namespace, type SimTestbed } from './testing/sim-testbed.ts';

describe('a workload without pods', { timeout: 60_000 }, () => {
  let testbed: SimTestbed;
  beforeEach(async () => {
    testbed = await createSimTestbed();
    await testbed.joinNode('node-1');
    await testbed.putSecret(account);
  });
  afterEach(() => testbed.stop());

  it('is no installed driver: a selector that matches no node is told with the command that helps', async () => {
    await testbed.describe({ advanced: { csiNode: { nodeSelector: { disk: 'none' } } } });
    const shown = await testbed.becomes('Ready', 'False', 'WorkloadsNotReady');
    expect(shown.message).toMatch(
      /DaemonSet \S+vsphere-csi-node runs no pods: its selector matches no node.*kubectl get nodes --show-labels/,
    );
    expect(await testbed.condition('StorageReady')).toMatchObject({ status: 'False' });
    expect((await testbed.kube.get(daemonSets, { name: 'vsphere-csi-node', namespace })).status).toMatchObject({
      desiredNumberScheduled: 0,
    });
    await testbed.describe({});
    await testbed.becomes('Ready', 'True', 'AllReady');
  });

  it('is no controller either: replicas that somebody holds at zero are told, whoever holds them', async () => {
    await testbed.describe({});
    await testbed.becomes('Ready', 'True', 'AllReady');
    const key = { name: 'vsphere-csi-controller', namespace };
    const stop = testbed.kubeSim.faults.add({
      match: { resource: 'deployments', verb: 'patch' },
      effect: { kind: 'deny' },
    });
    const found = await testbed.kube.get(deployments, key);
    await testbed.kube.update(deployments, { ...found, spec: { ...found.spec, replicas: 0 } });
    await testbed.until('storage to be shown as it is', async () => {
      const shown = await testbed.condition('StorageReady');
      return shown?.status === 'False' && shown.message.includes('0/0 controller pods ready');
    });
    expect(await testbed.condition('Ready')).toMatchObject({ status: 'False' });
    // For a minute it may be the way of a rollout.
    await testbed.until('an outage', async () => (await testbed.condition('Available'))?.status === 'False');
    stop();
    await testbed.becomes('Ready', 'True', 'AllReady', 12_000);
    expect((await testbed.kube.get(deployments, key)).spec.replicas).toBe(1);
  });
});
