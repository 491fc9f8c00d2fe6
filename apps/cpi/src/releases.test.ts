import { namespaces, nodes } from '@vdo/kube/types/core';
import { simReleases } from '@vdo/sim-world/sim-release';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import { describe, expect, test } from 'vitest';
import { isUninitialized } from './decisions/taints.ts';
import { createSimHouse } from './testing/sim-house.ts';

describe.each(simReleases)('on vCenter %s', (version) => {
  test('nodes are initialised, followed, and deleted when their VM is; one login, and no session is left', async () => {
    const house = createSimHouse({ models: { 'vc.example.com': { ...demoModel(), version } } });
    const metadata = { name: 'vmware-system-vdo' };
    await house.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
    await house.putSecret(house.account);
    for (const index of [1, 2, 3]) await house.join(index);
    void house.start();
    const addresses = async (index: number) =>
      (await house.node(index)).status?.addresses?.map(({ address }) => address) ?? [];
    for (const index of [1, 2, 3])
      await house.until(
        `node-${index} is initialised`,
        async () => !isUninitialized(await house.node(index)) && (await addresses(index)).length > 0,
      );
    const { spec, metadata: labelled } = await house.node(1);
    expect(spec.providerID).toBe(`vsphere://${demoUuid(1)}`);
    expect(labelled.labels).toMatchObject({ 'topology.kubernetes.io/zone': 'zone-a' });

    const { control, recorder } = house.vc();
    control.setIps('node-2', 0, ['10.10.0.99']);
    await house.until('node-2 has its new address', async () => (await addresses(2)).includes('10.10.0.99'));
    control.deleteVm('node-3');
    const unready = { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } };
    await house.client.patch(nodes, { name: 'node-3' }, { type: 'merge', body: unready }, { subresource: 'status' });
    await house.until('node-3 is gone', async () => !(await house.nodeNames()).includes('node-3'));
    expect(await house.nodeNames()).toEqual(['node-1', 'node-2']);

    await house.stop();
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
