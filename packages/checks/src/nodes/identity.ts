import { canonicalUuid, sameUuid } from '@vdo/base/uuid';
import { type Check, fail, pass, skipped, unknown, type Verdict } from '../check.ts';
import type { NodeFacts } from '../facts.ts';
import { govcVm, nodeObject, perVm, whileOff } from '../node-object.ts';

const systemUuid = ({ node }: NodeFacts): string => node.status?.nodeInfo?.systemUUID ?? '';

export const uuidMatchCheck: Check = {
  id: 'node/uuid-match',
  title: 'Each node reports the BIOS UUID of its VM.',
  meaning:
    'The VM was found only by its name. Its UUID was changed while it was running, or another VM has the same name: volumes may be attached to the wrong VM.',
  remedy:
    'Restart the VM so that the guest reads the UUID, or set the UUID of the VM to the one that the node reports: `govc vm.change -uuid`.',
  action: 'BlockUpgrade',
  judge: perVm((vm, facts) => {
    const object = nodeObject(facts);
    const uuid = systemUuid(facts);
    if (uuid === '') return unknown(object, 'its kubelet has not reported a UUID yet', 'cluster/cni-ready');
    if (sameUuid(uuid, vm.uuid)) return pass(object, 'the node reports the UUID of its VM');
    return fail(object, {
      reason: 'UuidMismatch',
      message: `the node reports the BIOS UUID ${uuid}, but VM ${vm.name}, found by its name, has ${vm.uuid}`,
      ...whileOff(object.name, vm, `govc vm.change ${govcVm(vm)} -uuid ${uuid.toLowerCase()}`, uuid.toLowerCase()),
    });
  }),
};

const judgeDuplicates = (nodes: readonly NodeFacts[]): readonly Verdict[] => {
  const keys = nodes.map((facts) => canonicalUuid(systemUuid(facts)));
  const byUuid = new Map<string, string[]>();
  nodes.forEach((facts, index) => {
    const names = byUuid.get(keys[index] ?? '');
    if (names) names.push(nodeObject(facts).name);
    else byUuid.set(keys[index] ?? '', [nodeObject(facts).name]);
  });
  return nodes.map((facts, index) => {
    const object = nodeObject(facts);
    const uuid = systemUuid(facts);
    const key = keys[index] ?? '';
    if (key === '') return unknown(object, 'its kubelet has not reported a UUID yet', 'cluster/cni-ready');
    const others = (byUuid.get(key) ?? []).filter((name) => name !== object.name);
    const { resolution } = facts;
    const clones = resolution?.state === 'ambiguous' && resolution.by.startsWith('uuid') ? resolution.candidates : [];
    if (others.length === 0 && clones.length === 0) return pass(object, 'its BIOS UUID is unique');
    const who = others.length > 0 ? `node ${others.slice(0, 5).join(', ')}` : `VM ${clones.slice(0, 5).join(', ')}`;
    return fail(object, {
      reason: 'UuidDuplicate',
      message: `its BIOS UUID ${uuid} is also that of ${who}; a clone may keep the UUID of its source`,
      remedy: `Set a new UUID for one of them while it is off: kubectl drain ${object.name} --ignore-daemonsets --delete-emptydir-data; govc vm.power -s VM; govc vm.change -vm VM -uuid $(uuidgen); govc vm.power -on VM; kubectl delete node ${object.name} (it registers again).`,
    });
  });
};

export const uuidDuplicateCheck: Check = {
  id: 'node/uuid-duplicate',
  title: 'Each machine has a unique BIOS UUID.',
  meaning: 'The VM of a node cannot be identified. This happens when VMs are cloned with tools that keep the UUID.',
  remedy:
    'Shut down each VM and give it a new UUID: `govc vm.change -vm VM -uuid $(uuidgen)`. Then run `kubectl delete node NAME` and start the VM: the node registers again.',
  action: 'BlockUpgrade',
  judge: ({ nodes }) => judgeDuplicates(nodes),
};

export const vmMovedCheck: Check = {
  id: 'node/vm-moved',
  title: 'The VM of each node is in a configured datacenter.',
  meaning: 'The VM was moved to a datacenter that the drivers do not search, so they do not find the VM of the node.',
  remedy: 'Add the datacenter to `spec.vcenters[].datacenters`, or move the VM back.',
  action: 'BlockUpgrade',
  judge: ({ nodes, vcenters }) =>
    nodes.map((facts) => {
      const object = nodeObject(facts);
      const { elsewhere, resolution } = facts;
      if (elsewhere) {
        const index = vcenters.findIndex(({ server }) => server === elsewhere.server);
        const configured = vcenters[index]?.spec.datacenters ?? [];
        return fail(object, {
          reason: 'VmOutsideDatacenters',
          message: `its VM ${elsewhere.name} is in datacenter ${elsewhere.datacenter} of vCenter ${elsewhere.server}, but only ${configured.join(', ')} are configured`,
          remedy: `Move the VM back (govc vm.migrate -vm.uuid=${systemUuid(facts)} -host HOST), or let the drivers search that datacenter too:`,
          commands: [
            `kubectl patch vspheredrivers cluster --type json -p '[{"op":"add","path":"/spec/vcenters/${index}/datacenters/-","value":"${elsewhere.datacenter}"}]'`,
          ],
        });
      }
      if (resolution?.state === 'found') return pass(object, 'its VM is in a configured datacenter');
      if (!vcenters.some(({ spec }) => spec.datacenters.length > 0))
        return skipped(object, 'all datacenters are searched');
      return unknown(object, 'the VM of the node is unknown', 'node/vm-found');
    }),
};
