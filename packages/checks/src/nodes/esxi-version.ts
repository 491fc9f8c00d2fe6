import { morefKey } from '@vdo/vsphere/wire/moref';
import { type Check, fail, pass, unknown, type Verdict } from '../check.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';
import type { ClusterFacts } from '../facts.ts';
import { vmsOn } from '../storage/segments.ts';
import { vcenterObject } from '../vcenter/reachability.ts';

const judge = (facts: VCenterFacts, cluster: ClusterFacts): readonly Verdict[] => {
  const { places } = facts;
  if (!places)
    return [
      unknown(
        vcenterObject(facts),
        'the hosts of the node VMs are unknown',
        'vcenter/answers, credentials/login and node/vm-found',
      ),
    ];
  if ('error' in places) {
    const { code: reason, message, remedy } = places.error;
    return [{ result: 'Unknown', reason, message, remedy, object: vcenterObject(facts) }];
  }
  const { hosts, support } = places.value;
  return [...hosts].map(([key, host]): Verdict => {
    const object = { kind: 'Host', name: host.name };
    const range = support.get(key);
    if (!range) return unknown(object, 'no release was chosen to compare with', 'the condition Ready');
    if (range.verdict === 'inside' || range.verdict === 'too-new')
      return pass(object, `ESXi ${host.version} is ${range.min} or later`);
    if (facts.support?.verdict === 'untried')
      return pass(object, `ESXi ${host.version} belongs to a vCenter whose version is not judged either`);
    const vms = vmsOn(facts.server, cluster).filter((vm) => vm.host && morefKey(vm.host) === key);
    const named = vms
      .slice(0, 5)
      .map(({ name }) => name)
      .join(', ');
    return fail(object, {
      reason: 'HostTooOld',
      message: `ESXi ${host.version || '(unknown version)'} (build ${host.build || '?'}) runs ${named}; the drivers need ${range.min} or later`,
      remedy: `Upgrade host ${host.name} to ESXi ${range.min} or later, or move its nodes: govc vm.migrate -host OTHER ${vms[0]?.name ?? 'VM'}`,
    });
  });
};

export const esxiVersionCheck: Check = {
  id: 'node/esxi-version',
  title: 'The ESXi hosts of the nodes are new enough for the drivers.',
  meaning: 'A vCenter may be newer than its hosts, and disks are attached by the hosts.',
  remedy: 'Upgrade the host, or move the nodes to a newer one: `govc vm.migrate -host HOST VM`.',
  action: 'BlockInstall',
  judge: (cluster) => cluster.vcenters.flatMap((facts) => judge(facts, cluster)),
};
