import { type Check, fail, pass, unknown } from '../check.ts';
import { isTainted, nodeObject, perVm } from '../node-object.ts';

/** IPv6 addresses have several spellings. */
const plain = (ip: string): string => {
  if (!ip.includes(':')) return ip;
  try {
    return new URL(`http://[${ip.split('%')[0]}]`).hostname;
  } catch {
    return ip.toLowerCase();
  }
};

export const addressesCheck: Check = {
  id: 'node/addresses',
  title: 'Each node has an internal IP address that belongs to its VM.',
  meaning: 'The kubelet, logs and pods of the node cannot be reached, or another machine is reached instead.',
  remedy:
    'Set `spec.cpi.addresses.internal.subnets` to the network of the nodes; see `node/tools-running` if vCenter knows no address.',
  action: 'BlockUpgrade',
  judge: perVm((vm, facts, { spec }) => {
    const object = nodeObject(facts);
    if (isTainted(facts)) return unknown(object, 'the node is not initialized yet', 'node/taint-stuck');
    const internal = (facts.node.status?.addresses ?? []).flatMap(({ type, address }) =>
      type === 'InternalIP' ? [address] : [],
    );
    const ips = vm.nics.filter(({ deviceConfigId }) => deviceConfigId !== -1).flatMap((nic) => nic.ips);
    const subnet = ips[0]?.includes('.') ? `${ips[0].split('.').slice(0, 3).join('.')}.0/24` : '10.0.0.0/24';
    const remedy = spec.cpi
      ? {
          remedy: 'Set the network of the nodes:',
          commands: [
            `kubectl patch vspheredrivers cluster --type merge -p '{"spec":{"cpi":{"addresses":{"internal":{"subnets":["${subnet}"]}}}}}'`,
          ],
        }
      : { remedy: `Start the kubelet of ${object.name} with --node-ip=${ips[0] ?? 'ADDRESS'}.` };
    if (internal.length === 0)
      return fail(object, {
        reason: 'NodeNoAddresses',
        message: `the node has no internal address; its VM ${vm.name} has ${ips.join(', ') || 'no IP address either'}`,
        ...(ips.length === 0
          ? { remedy: 'See node/tools-running: without VMware Tools vCenter does not know the IP addresses.' }
          : remedy),
      });
    if (ips.length === 0) return unknown(object, 'vCenter does not know an IP address of its VM', 'node/tools-running');
    const known = new Set(ips.map(plain));
    const foreign = internal.filter((ip) => !known.has(plain(ip)));
    if (foreign.length === 0) return pass(object, `its address ${internal.join(', ')} belongs to its VM`);
    return fail(object, {
      reason: 'NodeIpNotOnVm',
      message: `its internal address ${foreign.join(', ')} does not belong to its VM ${vm.name}, which has ${ips.join(', ')}`,
      ...remedy,
    });
  }),
};
