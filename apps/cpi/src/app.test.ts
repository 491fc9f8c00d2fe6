import { createSelfSigned } from '@vdo/base/self-signed';
import { leases } from '@vdo/kube/types/cluster';
import { namespaces, secrets } from '@vdo/kube/types/core';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import { afterEach, describe, expect, test } from 'vitest';
import { isUninitialized } from './decisions/taints.ts';
import { confFor } from './testing/cpi-program.ts';
import { createSimTestbed, type SimTestbedOptions } from './testing/sim-testbed.ts';

type Testbed = ReturnType<typeof createSimTestbed>;
const testbeds: Testbed[] = [];
const open = async (options: SimTestbedOptions & { readonly secret?: boolean } = {}): Promise<Testbed> => {
  const testbed = createSimTestbed(options);
  testbeds.push(testbed);
  const metadata = { name: 'vmware-system-vdo' };
  await testbed.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
  if (options.secret !== false) await testbed.putSecret(testbed.account);
  return testbed;
};
afterEach(async () => {
  for (const testbed of testbeds.splice(0)) await testbed.stop();
});

const initialized = (testbed: Testbed, index: number) =>
  testbed.until(`node-${index} is initialized with addresses`, async () => {
    const node = await testbed.node(index);
    return isUninitialized(node) || !node.status?.addresses ? undefined : node;
  });
const addressed = (testbed: Testbed, index: number, address: string) =>
  testbed.until(`node-${index} has ${address}`, async () =>
    (await testbed.node(index)).status?.addresses?.some((given) => given.address === address),
  );
const reported = (testbed: Testbed, name: string, reason: string) =>
  testbed.until(`event ${reason} of ${name}`, async () =>
    (await testbed.eventsOf(name)).find((event) => event.reason === reason),
  );

describe('initialisation', () => {
  test('takes everything from the VM and holds the Lease of the Go program', async () => {
    const testbed = await open();
    await testbed.join(1);
    void testbed.start();
    const node = await initialized(testbed, 1);
    expect(node.spec.providerID).toBe(`vsphere://${demoUuid(1)}`);
    expect(node.metadata.labels).toMatchObject({
      'node.kubernetes.io/instance-type': 'vsphere-vm.cpu-4.mem-8gb.os-ubuntu',
      'topology.kubernetes.io/region': 'region-1',
      'topology.kubernetes.io/zone': 'zone-a',
    });
    expect(node.status?.addresses).toEqual([
      { type: 'Hostname', address: 'node-1.demo.example' },
      { type: 'InternalIP', address: '10.10.0.11' },
      { type: 'ExternalIP', address: '10.10.0.11' },
    ]);
    expect(await reported(testbed, 'node-1', 'Synced')).toMatchObject({ type: 'Normal' });
    const lease = await testbed.client.get(leases, { namespace: 'kube-system', name: 'cloud-controller-manager' });
    expect(lease.spec?.holderIdentity).toBe('replica-1');
  });

  test('costs few calls for all nodes together, and none afterwards but the long poll', async () => {
    const testbed = await open();
    for (const index of [1, 2, 3, 4, 5]) await testbed.join(index);
    void testbed.start();
    for (const index of [1, 2, 3, 4, 5]) await initialized(testbed, index);
    const { recorder } = testbed.vc();
    expect(recorder.count('Login')).toBe(1);
    await testbed.clock.advance(5_000);
    recorder.clear();
    await testbed.clock.advance(300_000);
    const allowed = ['WaitForUpdatesEx', 'CurrentTime', 'SessionIsActive'];
    const others = recorder
      .calls()
      .filter(({ method }) => !allowed.includes(method) && !method.startsWith('GET /rest'));
    expect(others.map(({ method }) => method)).toEqual([]);
  });

  test('finds the VM in the right one of two vCenters', async () => {
    const second = demoModel();
    const [datacenter] = second.datacenters;
    const nics = [{ network: 'Kubernetes', ips: ['10.77.0.7'] }];
    const vms = [{ name: 'elsewhere', folder: 'kubernetes', uuid: demoUuid(7), nics }];
    const models = {
      'vc-a.example.com': demoModel(),
      'vc-b.example.com': { ...second, datacenters: datacenter ? [{ ...datacenter, vms }] : [] },
    };
    const testbed = await open({ models });
    await testbed.join(1);
    await testbed.join(7);
    void testbed.start();
    expect((await initialized(testbed, 7)).metadata.annotations?.['vdo.vmware.com/vm']).toMatch(
      /^vc-b\.example\.com\//,
    );
    expect((await initialized(testbed, 1)).metadata.annotations?.['vdo.vmware.com/vm']).toMatch(
      /^vc-a\.example\.com\//,
    );
  });
});

test('two vCenters on one host are told apart by their ports', async () => {
  const second = demoModel();
  const [datacenter] = second.datacenters;
  const nics = [{ network: 'Kubernetes', ips: ['10.77.0.7'] }];
  const vms = [{ name: 'elsewhere', folder: 'kubernetes', uuid: demoUuid(7), nics }];
  const models = {
    'vc.example.com': demoModel(),
    'vc.example.com:8443': { ...second, datacenters: datacenter ? [{ ...datacenter, vms }] : [] },
  };
  const testbed = await open({ models });
  await testbed.join(1);
  await testbed.join(7);
  void testbed.start();
  const placeOf = async (index: number) =>
    (await initialized(testbed, index)).metadata.annotations?.['vdo.vmware.com/vm'];
  expect(await placeOf(1)).toMatch(/^vc\.example\.com\//);
  expect(await placeOf(7)).toMatch(/^vc\.example\.com:8443\//);
});

describe('special VMs and nodes', () => {
  test('a dual-stack node gets an address of each family', async () => {
    const testbed = await open();
    testbed.conf.text = confFor('vc.example.com').replace('labels:', '    ipFamily: [ipv6, ipv4]\nlabels:');
    await testbed.join(3);
    void testbed.start();
    expect((await initialized(testbed, 3)).status?.addresses?.slice(1)).toEqual([
      { type: 'InternalIP', address: 'fd00:10:10::13' },
      { type: 'ExternalIP', address: 'fd00:10:10::13' },
      { type: 'InternalIP', address: '10.10.0.13' },
      { type: 'ExternalIP', address: '10.10.0.13' },
    ]);
  });

  test('two VMs with one UUID are refused by name', async () => {
    const model = demoModel();
    const [datacenter] = model.datacenters;
    const original = datacenter?.vms?.[0];
    const vms = original ? [...(datacenter.vms ?? []), { ...original, name: 'clone' }] : [];
    const testbed = await open({
      models: { 'vc.example.com': { ...model, datacenters: datacenter ? [{ ...datacenter, vms }] : [] } },
    });
    await testbed.join(1);
    void testbed.start();
    const { message } = await reported(testbed, 'node-1', 'NodeVmAmbiguous');
    expect(message).toMatch(/node-1.*clone|clone.*node-1/);
    expect(isUninitialized(await testbed.node(1))).toBe(true);
  });

  test('a waiting node of another provider is left as it is', async () => {
    const testbed = await open();
    await testbed.join(1, { providerID: 'k3s://node-1' });
    void testbed.start();
    await reported(testbed, 'node-1', 'NodeForeignProviderId');
    expect(isUninitialized(await testbed.node(1))).toBe(true);
  });

  test('static addresses of the metadata are preferred', async () => {
    const testbed = await open();
    const metadata = 'network: { ethernets: { id0: { addresses: [10.10.0.50/24] } } }';
    testbed.vc().control.setExtraConfig('node-2', {
      'guestinfo.metadata': Buffer.from(metadata).toString('base64'),
      'guestinfo.metadata.encoding': 'base64',
    });
    testbed.vc().control.setIps('node-2', 0, ['10.10.0.12', '10.10.0.50']);
    await testbed.join(2);
    void testbed.start();
    expect((await initialized(testbed, 2)).status?.addresses?.[1]).toEqual({
      type: 'InternalIP',
      address: '10.10.0.50',
    });
  });
});

describe('changes are followed', () => {
  test('of addresses, as soon as vCenter knows them', async () => {
    const testbed = await open();
    await testbed.join(2);
    void testbed.start();
    await initialized(testbed, 2);
    testbed.vc().control.setIps('node-2', 0, ['10.10.0.99']);
    await addressed(testbed, 2, '10.10.0.99');
  });

  test('of a virtual address: it wanders and no node takes it', async () => {
    const testbed = await open();
    await testbed.join(1);
    await testbed.join(2);
    void testbed.start();
    await initialized(testbed, 1);
    await initialized(testbed, 2);
    const { control } = testbed.vc();
    control.setIps('node-1', 0, ['10.10.0.100', '10.10.0.11']);
    await testbed.clock.advance(5_000);
    control.setIps('node-1', 0, ['10.10.0.11']);
    control.setIps('node-2', 0, ['10.10.0.100', '10.10.0.12']);
    await testbed.clock.advance(5_000);
    const internal = async (index: number) =>
      (await testbed.node(index)).status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
    expect([await internal(1), await internal(2)]).toEqual(['10.10.0.11', '10.10.0.12']);
  });

  test('of the configuration, without a restart and without losing the Lease', async () => {
    const testbed = await open();
    await testbed.join(1);
    void testbed.start();
    await initialized(testbed, 1);
    testbed.conf.text = `${confFor('vc.example.com')}nodes:\n  internalNetworkSubnetCidr: 192.168.0.0/16\n  excludeInternalNetworkSubnetCidr: 10.10.0.11/32\n`;
    testbed.vc().control.setIps('node-1', 0, ['10.10.0.11', '192.168.7.7']);
    await addressed(testbed, 1, '192.168.7.7');
    const lease = await testbed.client.get(leases, { namespace: 'kube-system', name: 'cloud-controller-manager' });
    expect(lease.spec?.leaseTransitions ?? 0).toBe(0);
  });

  test('but not of a configuration that is broken', async () => {
    const testbed = await open();
    await testbed.join(1);
    void testbed.start();
    await initialized(testbed, 1);
    testbed.conf.text = 'vcenter: {}\n';
    await testbed.clock.advance(60_000);
    await testbed.join(2);
    await initialized(testbed, 2);
  });

  test('of the zone: the node of a VM that moved to another cluster keeps its labels and says so', async () => {
    const testbed = await open();
    await testbed.join(1);
    void testbed.start();
    await initialized(testbed, 1);
    testbed.vc().control.migrate('node-1', 'esx-b3.demo.example');
    expect((await reported(testbed, 'node-1', 'NodeTopologyChanged')).message).toContain('zone zone-a → zone-b');
    expect((await testbed.node(1)).metadata.labels?.['topology.kubernetes.io/zone']).toBe('zone-a');
  });
});

describe('failures are told on the node with their remedy', () => {
  test('a missing Secret', async () => {
    const testbed = await open({ secret: false });
    await testbed.join(1);
    void testbed.start();
    const event = await reported(testbed, 'node-1', 'SecretMissing');
    expect(event.message).toContain('kubectl create secret generic vsphere-credentials --namespace vmware-system-vdo');
    await testbed.putSecret(testbed.account);
    await initialized(testbed, 1);
  });

  test('a wrong password: one attempt, then only a new Secret is tried', async () => {
    const testbed = await open({ account: { username: 'cpi@vsphere.local', password: 'obviously-wrong' } });
    await testbed.join(1);
    void testbed.start();
    await reported(testbed, 'node-1', 'VCenterLoginRejected');
    await reported(testbed, 'node-1', 'VCenterLoginSuspended');
    await testbed.clock.advance(600_000);
    expect(testbed.vc().recorder.count('Login')).toBe(1);
    await testbed.putSecret({ username: 'cpi@vsphere.local', password: 'obviously-fake-cpi' });
    await initialized(testbed, 1);
    expect(testbed.vc().recorder.count('Login')).toBe(2);
  });

  test('a vCenter that is down: the node is initialized when it is back', async () => {
    const testbed = await open();
    const { control } = testbed.vc();
    control.addFault({ method: '*', effect: { kind: 'drop', when: 'before' } });
    await testbed.join(1);
    void testbed.start();
    await reported(testbed, 'node-1', 'VCenterUnreachable');
    control.clearFaults();
    await initialized(testbed, 1);
  });

  test('no permission to patch nodes', async () => {
    const testbed = await open();
    const allow = testbed.kubeSim.faults.add({ match: { verb: 'patch', resource: 'nodes' }, effect: { kind: 'deny' } });
    await testbed.join(1);
    void testbed.start();
    expect((await reported(testbed, 'node-1', 'KubeForbidden')).message).toContain('nodes');
    allow();
    await initialized(testbed, 1);
  });

  test('a VM that is not there: by which keys it was looked for, and where', async () => {
    const testbed = await open();
    await testbed.join(8);
    void testbed.start();
    const { message } = await reported(testbed, 'node-8', 'NodeVmNotFound');
    expect(message).toContain(demoUuid(8));
    expect(message).toContain('vc.example.com (all datacenters)');
  });
});

test('a certificate and its key, in place of a name and a password, log in with a token', async () => {
  const { cert, key, der } = createSelfSigned({ commonName: 'cpi', hosts: [], nowMs: Date.now(), keyType: 'rsa' });
  const model = demoModel();
  const solution = {
    username: 'cpi-solution@vsphere.local',
    password: '',
    certificate: Buffer.from(der).toString('base64'),
  };
  const testbed = await open({
    models: { 'vc.example.com': { ...model, users: [...(model.users ?? []), solution] } },
    account: { username: cert, password: key },
  });
  testbed.vc().control.grant('cpi-solution@vsphere.local', 'ReadOnly', '/');
  await testbed.join(1);
  void testbed.start();
  await initialized(testbed, 1);
  expect(testbed.vc().recorder.count('LoginByToken')).toBe(1);
  expect(testbed.vc().recorder.count('Login')).toBe(0);
});

describe('safety', () => {
  test.each(['before', 'after'])(
    'a Secret is rotated %s the password changes, without a failed login',
    async (when) => {
      const testbed = await open();
      await testbed.join(1);
      void testbed.start();
      await initialized(testbed, 1);
      const { control, recorder } = testbed.vc();
      const next = { username: 'cpi@vsphere.local', password: 'obviously-fake-2' };
      const steps = [() => testbed.putSecret(next), async () => control.setAccount(next)];
      for (const step of when === 'before' ? steps : steps.reverse()) {
        await step();
        await testbed.clock.advance(60_000);
      }
      control.expireSessions();
      control.setIps('node-1', 0, ['10.10.0.42']);
      await addressed(testbed, 1, '10.10.0.42');
      expect(recorder.calls().filter(({ method, result }) => method === 'Login' && result !== 'ok')).toEqual([]);
    },
  );

  test('an expired session is renewed without anybody noticing', async () => {
    const testbed = await open();
    await testbed.join(1);
    void testbed.start();
    await initialized(testbed, 1);
    testbed.vc().control.expireSessions();
    await testbed.join(2);
    await initialized(testbed, 2);
    expect((await testbed.eventsOf('node-2')).map(({ reason }) => reason)).toEqual(['Synced']);
  });

  test('stopped Tools take no address away', async () => {
    const testbed = await open();
    await testbed.join(1);
    void testbed.start();
    const before = await initialized(testbed, 1);
    testbed.vc().control.setTools('node-1', false);
    await reported(testbed, 'node-1', 'NodeNoAddresses');
    expect((await testbed.node(1)).status?.addresses).toEqual(before.status?.addresses);
  });

  test('a second replica waits and takes over', async () => {
    const testbed = await open();
    const first = new AbortController();
    let ended = false;
    void testbed.start('replica-1', first).then(() => {
      ended = true;
    });
    await testbed.join(1);
    await initialized(testbed, 1);
    void testbed.start('replica-2');
    await testbed.clock.advance(30_000);
    expect(testbed.vc().recorder.count('Login')).toBe(1);
    first.abort();
    await testbed.until('replica-1 ended', () => ended || undefined);
    await testbed.join(2);
    await initialized(testbed, 2);
    const lease = await testbed.client.get(leases, { namespace: 'kube-system', name: 'cloud-controller-manager' });
    expect(lease.spec?.holderIdentity).toBe('replica-2');
  });

  test('a node without its Secret keeps everything', async () => {
    const testbed = await open();
    await testbed.join(1);
    void testbed.start();
    await initialized(testbed, 1);
    await testbed.client.delete(secrets, { namespace: 'vmware-system-vdo', name: 'vsphere-credentials' });
    testbed.vc().control.expireSessions();
    const before = await testbed.node(1);
    await testbed.clock.advance(600_000);
    expect((await testbed.node(1)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });
});
