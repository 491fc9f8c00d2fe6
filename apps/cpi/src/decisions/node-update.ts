import { toVdoError, type VdoError } from '@vdo/base/vdo-error';
import type { Node, NodeAddress, Taint } from '@vdo/kube/types/core';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import { type AddressRules, discoverAddresses } from './discover-addresses.ts';
import { instanceTypeOf } from './instance-type.ts';
import { parseIp } from './ip.ts';
import { additionalLabels, cloudLabels, type Labels, labelledTopology, reconciledLabels } from './node-labels.ts';
import { enforceProvidedIps, providedNodeIps } from './provided-node-ip.ts';
import { providerIdOf } from './provider-id.ts';
import { staticAddresses } from './static-addresses.ts';
import { isUninitialized, uninitializedTaintKey, withoutTaintKey } from './taints.ts';
import { vmAnnotation } from './vm-annotation.ts';

/** Everything that a decision about one node depends on. */
export interface NodeFacts {
  readonly vm: VmFacts;
  /** instanceUuid of the vCenter that has the VM. */
  readonly vcenter?: string;
  /** Tags found for the VM; a missing one is absent. */
  readonly topology: { readonly zone?: string; readonly region?: string };
  readonly addressRules: AddressRules;
  /** Addresses reported by several VMs. */
  readonly sharedAddresses: ReadonlySet<string>;
  /** `--node-labels`. */
  readonly extraLabels: Labels;
}

/** What to write: first the Node (in one request), then its status. Undefined if nothing changes. */
export interface NodeUpdate {
  readonly initializes: boolean;
  readonly node:
    | {
        readonly providerID?: string;
        readonly labels?: Labels;
        readonly annotations?: Labels;
        readonly taints?: readonly Taint[];
      }
    | undefined;
  readonly addresses: readonly NodeAddress[] | undefined;
  /** Why an initialized node keeps its addresses although they may be outdated. */
  readonly addressProblem?: VdoError;
}

const currentIps = (node: Node): readonly string[] =>
  (node.status?.addresses ?? []).flatMap(({ address }) => parseIp(address)?.text ?? []);

const hostnameOf = (node: Node, vm: VmFacts): NodeAddress => ({
  type: 'Hostname',
  address:
    vm.hostName ||
    (node.status?.addresses ?? []).find(({ type }) => type === 'Hostname')?.address ||
    (node.metadata.name ?? ''),
});

/** The addresses that the node should have. Throws VdoError NodeNoAddresses, NodeIpNotOnVm or NodeMetadataInvalid. */
const nodeAddresses = (node: Node, facts: NodeFacts): readonly NodeAddress[] => {
  const { vm } = facts;
  const discovered = discoverAddresses(vm, facts.addressRules, {
    provided: providedNodeIps(node),
    static: staticAddresses(vm.extraConfig, { vmName: vm.name }),
    current: currentIps(node),
    shared: facts.sharedAddresses,
  });
  return enforceProvidedIps(node, [hostnameOf(node, vm), ...discovered], { vmName: vm.name });
};

const sameAddresses = (a: readonly NodeAddress[], b: readonly NodeAddress[]): boolean =>
  a.length === b.length && a.every(({ type, address }, i) => b[i]?.type === type && b[i]?.address === address);

const changedAddresses = (node: Node, facts: NodeFacts): readonly NodeAddress[] | undefined => {
  const wanted = nodeAddresses(node, facts);
  return sameAddresses(node.status?.addresses ?? [], wanted) ? undefined : wanted;
};

const missing = (wanted: Labels, present: Labels): Labels =>
  Object.fromEntries(Object.entries(wanted).filter(([key, value]) => present[key] !== value));

const nonEmpty = <K extends string>(key: K, labels: Labels): Partial<Record<K, Labels>> =>
  Object.keys(labels).length === 0 ? {} : ({ [key]: labels } as Partial<Record<K, Labels>>);

const initialize = (node: Node, facts: NodeFacts): NodeUpdate => {
  const present = node.metadata.labels ?? {};
  const labels = cloudLabels({ instanceType: instanceTypeOf(facts.vm), ...facts.topology });
  return {
    initializes: true,
    node: {
      ...(node.spec.providerID ? {} : { providerID: providerIdOf(facts.vm.uuid) }),
      ...nonEmpty('labels', { ...missing(labels, present), ...additionalLabels(facts.extraLabels, present) }),
      ...nonEmpty('annotations', missing(vmAnnotation(node, facts.vm, facts.vcenter), node.metadata.annotations ?? {})),
      taints: withoutTaintKey(node.spec.taints ?? [], uninitializedTaintKey),
    },
    addresses: changedAddresses(node, facts),
  };
};

const refreshedAddresses = (node: Node, facts: NodeFacts): Pick<NodeUpdate, 'addresses' | 'addressProblem'> => {
  // A VM that is powered off reports no addresses. It gets them back when it is powered on.
  if (facts.vm.powerState !== 'poweredOn') return { addresses: undefined };
  try {
    return { addresses: changedAddresses(node, facts) };
  } catch (error) {
    return { addresses: undefined, addressProblem: toVdoError(error) };
  }
};

// An existing label is never changed: volumes and workloads are bound to it.
const absentTopology = (node: Node, facts: NodeFacts): Labels => {
  const present = labelledTopology(node);
  const { zone, region } = facts.topology;
  return cloudLabels({
    ...(zone !== undefined && present.zone === undefined ? { zone } : {}),
    ...(region !== undefined && present.region === undefined ? { region } : {}),
  });
};

const refresh = (node: Node, facts: NodeFacts): NodeUpdate => {
  const present = node.metadata.labels ?? {};
  const labels = {
    ...absentTopology(node, facts),
    ...reconciledLabels(present),
    ...additionalLabels(facts.extraLabels, present),
  };
  const change = {
    ...nonEmpty('labels', labels),
    ...nonEmpty('annotations', missing(vmAnnotation(node, facts.vm, facts.vcenter), node.metadata.annotations ?? {})),
  };
  return {
    initializes: false,
    node: Object.keys(change).length === 0 ? undefined : change,
    ...refreshedAddresses(node, facts),
  };
};

/**
 * Decides what to write to a node whose VM is known. For a node that waits, one request sets providerID and labels and removes
 * the taint; if that is not possible, the error is thrown. An initialized node gets current addresses and missing labels. If its
 * VM has no usable address, it keeps its present ones.
 */
export const planNodeUpdate = (node: Node, facts: NodeFacts): NodeUpdate =>
  isUninitialized(node) ? initialize(node, facts) : refresh(node, facts);
