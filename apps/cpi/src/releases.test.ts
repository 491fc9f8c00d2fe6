import { namespaces, nodes } from '@vdo/kube/types/core';
import { simReleases } from '@vdo/sim-world/sim-release';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import { describe, expect, test } from 'vitest';
import { isUninitialized } from './decisions/taints.ts';
import { createSimTestbed } from './testing/sim-testbed.ts';

describe.each(simReleases)('on vCenter %s', (version) => {
  test('nodes are initialised, followed, and deleted when their VM is; one login, and no session is left', async () => {
    const testbed = createSimTestbed({ models: { 'vc.example.com': { ...demoModel(), version } } });
    const metadata = { name: 'vmware-system-vdo' };
    await testbed.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
    await testbed.putSecret(testbed.account);
    for (const index of [1, 2, 3]) await testbed.join(index);
    void testbed.start();
    const addresses = async (index: number) =>
      (await testbed.node(index)).status?.addresses?.map(({ address }) => address) ?? [];
    for (const index of [1, 2, 3])
      await testbed.until(
        `node-${index} is initialised`,
        async () => !isUninitialized(await testbed.node(index)) && (await addresses(index)).length > 0,
      );
    const { spec, metadata: labelled } = await testbed.node(1);
    expect(spec.providerID).toBe(`vsphere://${demoUuid(1)}`);
    expect(labelled.labels).toMatchObject({ 'topology.kubernetes.io/zone': 'zone-a' });

    const { control, recorder } = testbed.vc();
    control.setIps('node-2', 0, ['10.10.0.99']);
    await testbed.until('node-2 has its new address', async () => (await addresses(2)).includes('10.10.0.99'));
    control.deleteVm('node-3');
    const unready = { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } };
    await testbed.client.patch(nodes, { name: 'node-3' }, { type: 'merge', body: unready }, { subresource: 'status' });
    await testbed.until('node-3 is gone', async () => !(await testbed.nodeNames()).includes('node-3'));
    expect(await testbed.nodeNames()).toEqual(['node-1', 'node-2']);

    await testbed.stop();
    const ended = (start: string, path = '') =>
      recorder
        .calls()
        .filter(({ method, result }) => method.startsWith(start) && method.endsWith(path) && /^(ok|2)/.test(result))
        .length;
    expect(ended('Login')).toBe(1);
    expect(ended('Login') + ended('POST', '/session')).toBe(ended('Logout') + ended('DELETE', '/session'));
    expect(recorder.calls().filter(({ method }) => method === 'refused')).toEqual([]);
  });
});
