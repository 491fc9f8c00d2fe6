import { sameUuid } from '@vdo/base/uuid';
import { names } from '@vdo/config/names';
import { type Check, pass, skipped, unknown, type Verdict } from '../check.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';
import type { ClusterFacts, NodeFacts } from '../facts.ts';
import { isTainted, nodeObject, uninitializedTaint } from '../node-object.ts';
import { driversObject, notRead } from '../not-read.ts';
import { vcenterObject } from '../vcenter/reachability.ts';

const prefix = names.providerIdPrefix;
const stuckAfterMs = 5 * 60_000;

/** A wrong datacenter in the spec, or a missing privilege: the vCenter as a whole could not be searched. */
const judgeSearch = (facts: VCenterFacts): readonly Verdict[] => {
  if (!facts.searchError) return [];
  const { code: reason, message, remedy } = facts.searchError;
  return [{ result: 'Fail', reason, message, remedy, object: vcenterObject(facts) }];
};

const judgeVmFound = (facts: NodeFacts): Verdict => {
  const object = nodeObject(facts);
  const { resolution } = facts;
  if (!resolution)
    return unknown(object, 'not every vCenter could be searched', 'vcenter/answers and credentials/login');
  switch (resolution.state) {
    case 'found':
      return pass(object, `it is VM ${resolution.vm.name} on vCenter ${resolution.vm.server}`);
    case 'not-found':
      return {
        result: 'Fail',
        reason: 'NodeVmNotFound',
        message: `no VM was found for the node; searched: ${resolution.searched}`,
        remedy: `Check that the VM is in one of spec.vcenters[].datacenters and that the account can read it; its BIOS UUID must be ${facts.node.status?.nodeInfo?.systemUUID ?? 'that of the node'}. If the VM no longer exists, the cloud controller manager deletes the Node once vCenter has confirmed it. To see the node and what was searched:`,
        commands: [`vdoctl nodes ${object.name}`],
        object,
      };
    case 'ambiguous':
      return {
        result: 'Fail',
        reason: 'NodeVmAmbiguous',
        message: `several VMs match by ${resolution.by}: ${resolution.candidates.join(', ')}`,
        remedy:
          'Give each VM its own BIOS UUID (govc vm.change -uuid) and host name, or limit spec.vcenters[].datacenters.',
        object,
      };
  }
};

const judgeProviderId = (facts: NodeFacts, hasCpi: boolean): Verdict => {
  const object = nodeObject(facts);
  const providerId = facts.node.spec.providerID ?? '';
  if (providerId !== '' && !providerId.startsWith(prefix)) {
    return {
      result: 'Fail',
      reason: 'NodeForeignProviderId',
      message: `its provider ID ${providerId} was set by another cloud provider; expected ${prefix}<uuid>`,
      remedy: `Disable the other cloud provider in the node's distribution, then drain the node, kubectl delete node ${object.name} and restart its kubelet.`,
      object,
    };
  }
  if (providerId === '' && !hasCpi) return skipped(object, 'spec.cpi is not set');
  if (providerId === '' && isTainted(facts))
    return unknown(object, 'the node is not initialized yet', 'node/taint-stuck');
  if (providerId === '') {
    return {
      result: 'Fail',
      reason: 'ProviderIdMissing',
      message:
        'the node has no provider ID and no uninitialized taint, so that no cloud controller manager initializes it',
      remedy: `Start its kubelet with --cloud-provider=external, then kubectl delete node ${object.name} and restart the kubelet.`,
      object,
    };
  }
  const { resolution } = facts;
  if (resolution?.state !== 'found') return unknown(object, 'the VM of the node is unknown', 'node/vm-found');
  const uuid = providerId.slice(prefix.length);
  if (sameUuid(uuid, resolution.vm.uuid)) return pass(object, 'its provider ID is the UUID of its VM');
  return {
    result: 'Fail',
    reason: 'ProviderIdMismatch',
    message: `its provider ID refers to VM ${uuid}, but its VM ${resolution.vm.name} has the UUID ${resolution.vm.uuid}`,
    remedy: `The VM was recreated: drain the node, kubectl delete node ${object.name} and restart its kubelet.`,
    object,
  };
};

const judgeTaint = (facts: NodeFacts, { nowMs, spec }: ClusterFacts): Verdict => {
  const object = nodeObject(facts);
  if (!isTainted(facts)) return pass(object, 'the node is initialized');
  const created = Date.parse(facts.node.metadata.creationTimestamp ?? '');
  const waitedMs = Number.isNaN(created) ? 0 : nowMs - created;
  if (waitedMs < stuckAfterMs) return pass(object, 'the node is being initialized');
  return {
    result: 'Fail',
    reason: 'UninitializedTaintStuck',
    message: `the taint ${uninitializedTaint} has been set for ${Math.floor(waitedMs / 60_000)} minutes, so that no pods are scheduled on the node`,
    ...(spec.cpi
      ? {
          remedy: 'See the result of node/vm-found, and the events of the node:',
          commands: [`kubectl describe node ${object.name}`],
        }
      : {
          remedy:
            'Start the kubelets without --cloud-provider=external, or install a cloud controller manager to initialize the nodes:',
          commands: [`kubectl patch vspheredrivers cluster --type merge -p '{"spec":{"cpi":{}}}'`],
        }),
    object,
  };
};

export const vmFoundCheck: Check = {
  id: 'node/vm-found',
  title: 'Each node matches exactly one VM in the configured vCenters.',
  meaning:
    'A node whose VM is unknown is not initialized and gets no volumes. The Node is deleted only when it is proven that its VM no longer exists.',
  remedy:
    'Add the datacenter of the VM to `spec.vcenters[].datacenters`, let the account read the VM, and make sure that its BIOS UUID is the one that the node reports.',
  action: 'BlockUpgrade',
  judge: ({ nodes, vcenters, kube: { nodeCount } }) => [
    ...(nodeCount && 'error' in nodeCount ? [notRead(driversObject, nodeCount, 'the nodes', '')] : []),
    ...vcenters.flatMap(judgeSearch),
    ...nodes.map(judgeVmFound),
  ],
};

export const providerIdCheck: Check = {
  id: 'node/provider-id',
  title: 'The provider ID of each node refers to its VM.',
  meaning: 'Volumes would be attached to the wrong VM, and the Node could be deleted when another VM is deleted.',
  remedy:
    'Drain the node, then `kubectl delete node NAME` and restart its kubelet with `--cloud-provider=external`: it registers again.',
  action: 'BlockUpgrade',
  judge: ({ nodes, spec }) => nodes.map((facts) => judgeProviderId(facts, spec.cpi !== undefined)),
};

export const taintStuckCheck: Check = {
  id: 'node/taint-stuck',
  title: 'No node waits longer than five minutes to be initialized.',
  meaning: 'Only a few system pods are scheduled on the node.',
  remedy: '`kubectl describe node NAME` shows the errors of the cloud controller manager; see also `node/vm-found`.',
  // It must not block an installation: on a new cluster every node waits, and the installation is the solution.
  action: 'BlockUpgrade',
  judge: (cluster) => cluster.nodes.map((facts) => judgeTaint(facts, cluster)),
};
