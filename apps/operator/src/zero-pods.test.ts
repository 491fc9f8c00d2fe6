import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimHouse, namespace, type SimHouse } from './testing/sim-house.ts';

describe('a workload without pods', { timeout: 60_000 }, () => {
  let house: SimHouse;
  beforeEach(async () => {
    house = await createSimHouse();
    await house.joinNode('node-1');
    await house.putSecret(account);
  });
  afterEach(() => house.stop());

  it('is no installed driver: a selector that matches no node is told with the command that helps', async () => {
    await house.describe({ advanced: { csiNode: { nodeSelector: { disk: 'none' } } } });
    const shown = await house.becomes('Ready', 'False', 'WorkloadsNotReady');
    expect(shown.message).toMatch(
      /DaemonSet \S+vsphere-csi-node runs: no node matches it.*kubectl get nodes --show-labels/,
    );
    expect(await house.condition('StorageReady')).toMatchObject({ status: 'False' });
    expect((await house.kube.get(daemonSets, { name: 'vsphere-csi-node', namespace })).status).toMatchObject({
      desiredNumberScheduled: 0,
    });
    await house.describe({});
    await house.becomes('Ready', 'True', 'AllReady');
  });

  it('is no controller either: replicas that somebody holds at zero are told, whoever holds them', async () => {
    await house.describe({});
    await house.becomes('Ready', 'True', 'AllReady');
    const key = { name: 'vsphere-csi-controller', namespace };
    const stop = house.kubeSim.faults.add({
      match: { resource: 'deployments', verb: 'patch' },
      effect: { kind: 'deny' },
    });
    const found = await house.kube.get(deployments, key);
    await house.kube.update(deployments, { ...found, spec: { ...found.spec, replicas: 0 } });
    await house.until('storage to be shown as it is', async () => {
      const shown = await house.condition('StorageReady');
      return shown?.status === 'False' && shown.message.includes('0/0 controller pods ready');
    });
    expect(await house.condition('Ready')).toMatchObject({ status: 'False' });
    // For a minute it may be the way of a rollout.
    await house.until('an outage', async () => (await house.condition('Available'))?.status === 'False');
    stop();
    await house.becomes('Ready', 'True', 'AllReady', 12_000);
    expect((await house.kube.get(deployments, key)).spec.replicas).toBe(1);
  });
});
