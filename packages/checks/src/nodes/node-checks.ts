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

/** A wrong datacenter in the spec, or a privilege that is missing: the vCenter as a whole could not be searched. */
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
        remedy: `Check that the VM is in one of spec.vcenters[].datacenters and that the account may read it; its BIOS UUID must be ${facts.node.status?.nodeInfo?.systemUUID ?? 'that of the node'}. If the VM is gone for good, the cloud controller manager deletes the Node by itself as soon as vCenter has confirmed it. This shows the node and what was searched:`,
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
      message: `its provider id ${providerId} belongs to another cloud provider, expected ${prefix}<uuid>`,
      remedy: `Switch the other provider off in the node's distribution, then kubectl delete node ${object.name} and restart its kubelet.`,
      object,
    };
  }
  if (providerId === '' && !hasCpi) return skipped(object, 'no cloud controller manager is asked for');
  if (providerId === '' && isTainted(facts))
    return unknown(object, 'the node is not initialized yet', 'node/taint-stuck');
  if (providerId === '') {
    return {
      result: 'Fail',
      reason: 'ProviderIdMissing',
      message:
        'the node has no provider id and no uninitialized taint, so that no cloud controller manager will touch it',
      remedy: `Start its kubelet with --cloud-provider=external, then kubectl delete node ${object.name} and restart the kubelet.`,
      object,
    };
  }
  const { resolution } = facts;
  if (resolution?.state !== 'found') return unknown(object, 'the VM of the node is not known', 'node/vm-found');
  const uuid = providerId.slice(prefix.length);
  if (sameUuid(uuid, resolution.vm.uuid)) return pass(object, 'its provider id is the UUID of its VM');
  return {
    result: 'Fail',
    reason: 'ProviderIdMismatch',
    message: `its provider id names VM ${uuid}, but its VM ${resolution.vm.name} has the UUID ${resolution.vm.uuid}`,
    remedy: `The VM was made anew: kubectl delete node ${object.name} and restart its kubelet.`,
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
    message: `the taint ${uninitializedTaint} has been there for ${Math.floor(waitedMs / 60_000)} minutes, so that nothing is scheduled on the node`,
    ...(spec.cpi
      ? {
          remedy: 'See the result of node/vm-found, and the events of the node:',
          commands: [`kubectl describe node ${object.name}`],
        }
      : {
          remedy:
            'Start the kubelets without --cloud-provider=external, or have a cloud controller manager initialise the nodes:',
          commands: [`kubectl patch vspheredrivers cluster --type merge -p '{"spec":{"cpi":{}}}'`],
        }),
    object,
  };
};

export const vmFoundCheck: Check = {
  id: 'node/vm-found',
  title: 'Each node is exactly one VM of the configured vCenters.',
  meaning: 'A node whose VM is not known is not initialized, gets no volumes, and is never taken for gone.',
  remedy:
    'Add the datacenter of the VM to `spec.vcenters[].datacenters`, let the account read the VM, and see that its BIOS UUID is the one the node reports.',
  action: 'BlockUpgrade',
  judge: ({ nodes, vcenters, kube: { nodeCount } }) => [
    ...(nodeCount && 'error' in nodeCount ? [notRead(driversObject, nodeCount, 'the nodes', '')] : []),
    ...vcenters.flatMap(judgeSearch),
    ...nodes.map(judgeVmFound),
  ],
};

export const providerIdCheck: Check = {
  id: 'node/provider-id',
  title: 'The provider id of each node names its VM.',
  meaning: 'Volumes would be attached to another VM, and the node could be deleted with a VM that is not its own.',
  remedy: '`kubectl delete node NAME` and restart its kubelet with `--cloud-provider=external`: it registers anew.',
  action: 'BlockUpgrade',
  judge: ({ nodes, spec }) => nodes.map((facts) => judgeProviderId(facts, spec.cpi !== undefined)),
};

export const taintStuckCheck: Check = {
  id: 'node/taint-stuck',
  title: 'No node waits longer than five minutes to be initialized.',
  meaning: 'Nothing but a few system pods is scheduled on the node.',
  remedy: '`kubectl describe node NAME` tells what the cloud controller manager met; see also `node/vm-found`.',
  // No more than this: on a new cluster every node waits, and the installation is what helps.
  action: 'BlockUpgrade',
  judge: (cluster) => cluster.nodes.map((facts) => judgeTaint(facts, cluster)),
};
