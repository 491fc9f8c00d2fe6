import type { GuestNic } from '@vdo/vsphere/inventory/node-inventory';
import { type Ip, isLocalOnly, parseIp } from './ip.ts';

/** An address the VM reports, with the network of its NIC. */
export interface AddressCandidate {
  readonly ip: Ip;
  readonly network: string;
}

/** What is known about addresses besides the VM's report. All texts are canonical. */
export interface AddressHints {
  /** kubelet's `--node-ip`. */
  readonly provided: readonly string[];
  /** Set by cloud-init, in the order written. */
  readonly static: readonly string[];
  /** What the Node has now: an address that is still there is kept rather than exchanged for another one. */
  readonly current: readonly string[];
  /** Reported by several VMs: virtual addresses of kube-vip, keepalived and the like. */
  readonly shared: ReadonlySet<string>;
}

/** The guest's own NICs; −1 marks what lives inside the guest only (docker0, a CNI bridge). */
export const realNics = (nics: readonly GuestNic[]): readonly GuestNic[] =>
  nics.filter((nic) => nic.deviceConfigId !== -1);

const preferenceOf = (hints: AddressHints): ((text: string) => number) => {
  const wanted = [...hints.provided, ...hints.static, ...hints.current.filter((text) => !hints.shared.has(text))];
  return (text) => {
    const index = wanted.indexOf(text);
    if (index >= 0) return index;
    return hints.shared.has(text) ? wanted.length + 1 : wanted.length;
  };
};

/**
 * Every reachable address in the order in which it should be chosen: kubelet's own, static ones, the present ones, then as
 * reported; shared ones last, so that they are taken only when the VM has nothing else.
 */
export const addressCandidates = (nics: readonly GuestNic[], hints: AddressHints): readonly AddressCandidate[] => {
  const preference = preferenceOf(hints);
  return realNics(nics)
    .flatMap((nic) => nic.ips.map((text) => ({ ip: parseIp(text), network: nic.network })))
    .flatMap(({ ip, network }) => (ip && !isLocalOnly(ip) ? [{ ip, network }] : []))
    .sort((a, b) => preference(a.ip.text) - preference(b.ip.text));
};
