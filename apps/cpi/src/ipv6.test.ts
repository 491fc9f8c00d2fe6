import { type NodeAddress, namespaces } from '@vdo/kube/types/core';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { describe, expect, it } from 'vitest';
import { createSimTestbed } from './testing/sim-testbed.ts';

const guest = ['fe80::1', '10.10.0.11', 'fd00:10::11', '2001:db8::11', '172.16.0.9'];

/** What a node whose VM has all these addresses gets from a configuration. */
const addressesWith = async (version: string, ipFamily: string, nodes = ''): Promise<readonly NodeAddress[]> => {
  const testbed = createSimTestbed({ models: { 'vc.example.com': { ...demoModel(), version } } });
  const metadata = { name: 'vmware-system-vdo' };
  await testbed.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
  await testbed.putSecret(testbed.account);
  testbed.conf.text = `${testbed.conf.text.replace('    port:', `    ipFamily: ${ipFamily}\n    port:`)}${nodes}`;
  testbed.vc().control.setIps('node-1', 0, guest);
  await testbed.join(1);
  void testbed.start();
  const addresses = async () => (await testbed.node(1)).status?.addresses ?? [];
  await testbed.until('node-1 has its addresses', async () => (await addresses()).length > 0);
  const found = await addresses();
  await testbed.stop();
  return found.filter(({ type }) => type !== 'Hostname');
};

describe.each(['6.7.3', '8.0.3', '9.1.0'])('nodes on vCenter %s', (version) => {
  it('have addresses of one family or of both, the preferred one first', async () => {
    const both = (address: string) => [
      { type: 'InternalIP', address },
      { type: 'ExternalIP', address },
    ];
    expect(await addressesWith(version, '[ipv6]')).toEqual(both('fd00:10::11'));
    expect(await addressesWith(version, '[ipv6, ipv4]')).toEqual([...both('fd00:10::11'), ...both('10.10.0.11')]);
    expect(await addressesWith(version, '[ipv4, ipv6]')).toEqual([...both('10.10.0.11'), ...both('fd00:10::11')]);
  });

  it('never have one of an excluded subnet, in either family', async () => {
    const nodes = [
      'nodes:',
      '  internalNetworkSubnetCidr: fd00:10::/64,10.10.0.0/16',
      '  externalNetworkSubnetCidr: 2001:db8::/32,172.16.0.0/12',
      '  excludeExternalNetworkSubnetCidr: 172.16.0.0/24',
      '',
    ].join('\n');
    expect(await addressesWith(version, '[ipv6, ipv4]', nodes)).toEqual([
      { type: 'InternalIP', address: 'fd00:10::11' },
      { type: 'ExternalIP', address: '2001:db8::11' },
      { type: 'InternalIP', address: '10.10.0.11' },
    ]);
  });
});
