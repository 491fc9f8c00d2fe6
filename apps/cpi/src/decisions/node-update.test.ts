import { describe, expect, test } from 'vitest';
import { node, uninitialized, waitingNode } from '../testing/node.ts';
import { nics, vmFacts } from '../testing/vm-facts.ts';
import type { AddressRules } from './discover-addresses.ts';
import { type NodeFacts, planNodeUpdate } from './node-update.ts';

const anySide = { subnets: [], excludedSubnets: [], networkName: undefined };
const addressRules: AddressRules = { families: ['ipv4'], internal: anySide, external: anySide };
const facts = (overrides: Partial<NodeFacts> = {}): NodeFacts => ({
  vm: vmFacts(),
  topology: {},
  addressRules,
  sharedAddresses: new Set(),
  extraLabels: {},
  ...overrides,
});

const uuid = vmFacts().uuid;
const addresses = ['Hostname node-1', 'InternalIP 10.0.0.1', 'ExternalIP 10.0.0.1'];
const seen = { 'vdo.vmware.com/vm': 'vc.example.com/vm-1/group-v1' };
const typeLabels = {
  'beta.kubernetes.io/instance-type': 'vsphere-vm.cpu-4.mem-8gb.os-ubuntu',
  'node.kubernetes.io/instance-type': 'vsphere-vm.cpu-4.mem-8gb.os-ubuntu',
};

describe('a waiting node', () => {
  test('gets providerID, labels and no taint in one write, then its addresses', () => {
    const dedicated = { key: 'dedicated', value: 'db', effect: 'NoExecute' } as const;
    const update = planNodeUpdate(
      waitingNode({ taints: [uninitialized, dedicated] }),
      facts({ topology: { zone: 'z1', region: 'r1' } }),
    );
    expect(update).toEqual({
      initializes: true,
      node: {
        providerID: `vsphere://${uuid}`,
        labels: {
          ...typeLabels,
          'failure-domain.beta.kubernetes.io/zone': 'z1',
          'topology.kubernetes.io/zone': 'z1',
          'failure-domain.beta.kubernetes.io/region': 'r1',
          'topology.kubernetes.io/region': 'r1',
        },
        annotations: seen,
        taints: [dedicated],
      },
      addresses: [
        { type: 'Hostname', address: 'node-1' },
        { type: 'InternalIP', address: '10.0.0.1' },
        { type: 'ExternalIP', address: '10.0.0.1' },
      ],
    });
  });

  test('keeps a providerID that is there', () => {
    const update = planNodeUpdate(waitingNode({ providerID: `vsphere://${uuid}` }), facts());
    expect(update.node).not.toHaveProperty('providerID');
  });

  test('is initialized with a zone or a region alone', () => {
    const update = planNodeUpdate(waitingNode(), facts({ topology: { zone: 'z1' } }));
    expect(update.node?.labels).toEqual({
      ...typeLabels,
      'failure-domain.beta.kubernetes.io/zone': 'z1',
      'topology.kubernetes.io/zone': 'z1',
    });
  });

  test('gets additional labels that it lacks, none of Kubernetes’ own', () => {
    const extraLabels = {
      team: 'a',
      rack: '7',
      'topology.kubernetes.io/zone': 'x',
      'foo.k8s.io/bar': 'x',
      'k8s.io/y': 'x',
    };
    const update = planNodeUpdate(waitingNode({ labels: { team: 'mine' } }), facts({ extraLabels }));
    expect(update.node?.labels).toEqual({ ...typeLabels, rack: '7' });
  });

  test('gets additional labels that it lacks also when it was initialized long ago', () => {
    const initialized = node({ providerID: `vsphere://${vmFacts().uuid}`, labels: { team: 'mine' } });
    const update = planNodeUpdate(initialized, facts({ extraLabels: { team: 'a', rack: '7', 'k8s.io/y': 'x' } }));
    expect(update.initializes).toBe(false);
    expect(update.node?.labels).toMatchObject({ rack: '7' });
    expect(update.node?.labels).not.toHaveProperty('team');
    expect(update.node?.labels).not.toHaveProperty(['k8s.io/y']);
  });

  test('falls back to the hostname kubelet wrote, then to the node name', () => {
    const noName = facts({ vm: vmFacts({ hostName: undefined }) });
    const first = (given: ReturnType<typeof node>) => planNodeUpdate(given, noName).addresses?.[0]?.address;
    expect(first(waitingNode({ addresses: ['Hostname host-a'] }))).toBe('host-a');
    expect(first(waitingNode())).toBe('node-1');
  });

  test('keeps waiting while its VM has no address', () => {
    expect(() => planNodeUpdate(waitingNode(), facts({ vm: vmFacts({ nics: [], toolsRunning: false }) }))).toThrow(
      expect.objectContaining({ code: 'NodeNoAddresses' }),
    );
  });

  test("keeps waiting while kubelet's --node-ip is not on the VM", () => {
    const given = waitingNode({ annotations: { 'alpha.kubernetes.io/provided-node-ip': '10.9.9.9' } });
    expect(() => planNodeUpdate(given, facts())).toThrow(expect.objectContaining({ code: 'NodeIpNotOnVm' }));
  });

  test('gets the address of --node-ip although the VM reports another one first', () => {
    const given = waitingNode({ annotations: { 'alpha.kubernetes.io/provided-node-ip': '10.0.0.2' } });
    const update = planNodeUpdate(given, facts({ vm: vmFacts({ nics: nics({ net: ['10.0.0.1', '10.0.0.2'] }) }) }));
    expect(update.addresses).toEqual([
      { type: 'InternalIP', address: '10.0.0.2' },
      { type: 'ExternalIP', address: '10.0.0.2' },
      { type: 'Hostname', address: 'node-1' },
    ]);
  });
});

describe('an initialized node', () => {
  const initialized = { providerID: `vsphere://${uuid}`, labels: typeLabels, annotations: seen, addresses };

  test('is not written when nothing changed', () => {
    expect(planNodeUpdate(node(initialized), facts())).toEqual({
      initializes: false,
      node: undefined,
      addresses: undefined,
    });
  });

  test('gets fresh addresses when the VM reports others', () => {
    const update = planNodeUpdate(node(initialized), facts({ vm: vmFacts({ nics: nics({ net: ['10.0.0.7'] }) }) }));
    expect(update.addresses?.[1]).toEqual({ type: 'InternalIP', address: '10.0.0.7' });
  });

  test('keeps its address when a virtual one appears before it', () => {
    const vm = vmFacts({ nics: nics({ net: ['10.0.0.200', '10.0.0.1'] }) });
    expect(planNodeUpdate(node(initialized), facts({ vm })).addresses).toBeUndefined();
  });

  test('keeps its zone label though the VM moved', () => {
    const labels = {
      ...typeLabels,
      'failure-domain.beta.kubernetes.io/zone': 'z1',
      'topology.kubernetes.io/zone': 'z1',
    };
    expect(planNodeUpdate(node({ ...initialized, labels }), facts({ topology: { zone: 'z2' } })).node).toBeUndefined();
  });

  test.each([
    ['is missing', {}],
    ['differs', { 'topology.kubernetes.io/zone': 'old' }],
  ])('gets the present zone label from the older one when it %s', (_name, present) => {
    const labels = { ...typeLabels, 'failure-domain.beta.kubernetes.io/zone': 'z1', ...present };
    expect(planNodeUpdate(node({ ...initialized, labels }), facts()).node).toEqual({
      labels: { 'topology.kubernetes.io/zone': 'z1' },
    });
  });

  test('is marked with the place of its VM', () => {
    const update = planNodeUpdate(node({ ...initialized, annotations: {} }), facts());
    expect(update.node).toEqual({ annotations: seen });
  });

  test('gets a zone label that it lacks as soon as a tag is there', () => {
    expect(planNodeUpdate(node(initialized), facts({ topology: { zone: 'z2' } })).node).toEqual({
      labels: { 'failure-domain.beta.kubernetes.io/zone': 'z2', 'topology.kubernetes.io/zone': 'z2' },
    });
  });

  test('keeps its addresses when Tools stop, and the reason is told', () => {
    const update = planNodeUpdate(node(initialized), facts({ vm: vmFacts({ nics: [], toolsRunning: false }) }));
    expect(update.addresses).toBeUndefined();
    expect(update.addressProblem).toMatchObject({ code: 'NodeNoAddresses' });
  });

  test('keeps its addresses without complaint while its VM is off', () => {
    const vm = vmFacts({ nics: [], toolsRunning: false, powerState: 'poweredOff' });
    expect(planNodeUpdate(node(initialized), facts({ vm }))).toEqual({
      initializes: false,
      node: undefined,
      addresses: undefined,
    });
  });

  test('keeps the folder of its VM in mind when that is hidden, unless the VM is another one', () => {
    const hidden = vmFacts({ folder: undefined });
    expect(planNodeUpdate(node(initialized), facts({ vm: hidden })).node).toBeUndefined();
    const other = { ...hidden, ref: { type: 'VirtualMachine', value: 'vm-2' } };
    expect(planNodeUpdate(node(initialized), facts({ vm: other })).node).toEqual({
      annotations: { 'vdo.vmware.com/vm': 'vc.example.com/vm-2' },
    });
  });
});
