import type { GuestNic } from '@vdo/vsphere/inventory/node-inventory';
import { type Ip, isLocalOnly, parseIp } from './ip.ts';

/** An address the VM reports, with the network of its NIC. */
export interface AddressCandidate {
  readonly ip: Ip;
  readonly network: string;
}

/** What is known about addresses besides the VM's report. All addresses are in canonical form. */
export interface AddressHints {
  /** kubelet's `--node-ip`. */
  readonly provided: readonly string[];
  /** Set by cloud-init, in the order of its metadata. */
  readonly static: readonly string[];
  /** The Node's present addresses. An address that the VM still has is kept, not replaced by another one. */
  readonly current: readonly string[];
  /** Reported by several VMs: virtual addresses, for example of kube-vip or keepalived. */
  readonly shared: ReadonlySet<string>;
}

/** The VM's own NICs. −1 marks interfaces that exist only inside the guest (docker0, a CNI bridge). */
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
 * Every reachable address in order of preference: kubelet's own, static ones, the present ones, then as reported.
 * Shared addresses come last, so that they are used only if the VM has no other.
 */
export const addressCandidates = (nics: readonly GuestNic[], hints: AddressHints): readonly AddressCandidate[] => {
  const preference = preferenceOf(hints);
  return realNics(nics)
    .flatMap((nic) => nic.ips.map((text) => ({ ip: parseIp(text), network: nic.network })))
    .flatMap(({ ip, network }) => (ip && !isLocalOnly(ip) ? [{ ip, network }] : []))
    .sort((a, b) => preference(a.ip.text) - preference(b.ip.text));
};
