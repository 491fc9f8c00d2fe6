import { nodes, persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWalkTestbed } from '../testing/walk-testbed.ts';

type Testbed = Awaited<ReturnType<typeof startWalkTestbed>>;

/** Lists take what kubectl takes. */
describe('lists', () => {
  let testbed: Testbed;
  const list = async (line: string): Promise<string> => {
    const { out, err, exitCode } = await testbed.run([...line.split(' '), '--kubeconfig', testbed.kubeconfig]);
    expect([0, 3], err).toContain(exitCode);
    return out;
  };
  const refused = async (line: string): Promise<string> => {
    const { err, exitCode } = await testbed.run([...line.split(' '), '--kubeconfig', testbed.kubeconfig]);
    expect([2, 4]).toContain(exitCode);
    return err;
  };
  beforeAll(async () => {
    testbed = await startWalkTestbed();
    const labels = { zone: 'z1' };
    await testbed.kube.patch(nodes, { name: 'node-1' }, { type: 'merge', body: { metadata: { labels } } });
    await testbed.kube.create(persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default', labels: { app: 'shop' } },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeName: 'pv-1' },
    });
    const claimRef = { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'data' };
    await testbed.kube.patch(persistentVolumes, { name: 'pv-1' }, { type: 'merge', body: { spec: { claimRef } } });
  });
  afterAll(() => testbed?.stop());

  it('prints names and columns', async () => {
    expect(await list('nodes -o name')).toBe('node/node-1\nnode/node-2\n');
    expect(await list('volumes -o name')).toBe('persistentvolume/pv-1\n');
    expect(await list('events -o name')).toBe('event/upgraded\n');
    expect(await list('nodes -o custom-columns=NODE:.node,POWER:.power')).toMatch(/^NODE {5}POWER\nnode-1 {3}powered/);
    expect(await list('nodes -o jsonpath={.items[*].node}')).toBe('node-1 node-2\n');
  });

  it('chooses by name, with or without its kind, by label and by namespace', async () => {
    expect(await list('nodes node/node-2 -o name')).toBe('node/node-2\n');
    expect(await list('nodes -l zone=z1 -o name')).toBe('node/node-1\n');
    expect(await list('nodes -l zone=z9')).toBe('No node has the labels zone=z9.\n');
    for (const choice of ['pvc/data', 'default/data', 'pv/pv-1', '-n default', '-A', '-l app=shop'])
      expect(await list(`volumes ${choice} -o name`), choice).toBe('persistentvolume/pv-1\n');
    expect(await list('volumes -l app=web')).toBe('No claim with the labels app=web has a volume of this driver.\n');
    expect(await list('events vspheredrivers/cluster -o name')).toBe('event/upgraded\n');
    expect(await list('events node/cluster')).toBe('No events found about node/cluster in this period.\n');
  });

  it('refuses what is misspelt, and names what was meant', async () => {
    expect(await refused('nodes node1')).toContain('Did you mean node-1?');
    expect(await refused('volumes -n defualt')).toContain('Did you mean default?');
    expect(await refused('events -n nowhere')).toContain('namespace nowhere does not exist in the cluster');
    expect(await refused('volumes -A -n default')).toContain('cannot be used together');
    expect(await refused('volumes claenup')).toContain('Did you mean cleanup?');
  });
});
