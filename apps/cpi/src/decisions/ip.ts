import { isIP } from 'node:net';
import { before } from '@vdo/base/cut-text';

export type IpFamily = 'ipv4' | 'ipv6';

/** A parsed address. Equal addresses have equal `text`, independent of their notation. */
export interface Ip {
  readonly family: IpFamily;
  readonly value: bigint;
  /** Canonical: dotted for IPv4, shortest lower-case form for IPv6. */
  readonly text: string;
}

export interface Cidr {
  readonly family: IpFamily;
  readonly network: bigint;
  readonly prefixLength: number;
}

const bitsOf = (family: IpFamily): number => (family === 'ipv4' ? 32 : 128);

const v4Value = (text: string): bigint => text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);

const v4Text = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');

const v6Groups = (text: string): number[] => {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (dotted) {
    const tail = v4Value(dotted[2] ?? '');
    return v6Groups(`${dotted[1]}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`);
  }
  const groupsOf = (half: string): number[] => (half === '' ? [] : half.split(':').map((group) => parseInt(group, 16)));
  const [head = '', tail] = text.split('::');
  if (tail === undefined) return groupsOf(head);
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
};

// RFC 5952: the longest run of at least two zero groups becomes `::`, the first of several equally long runs.
const v6Text = (groups: readonly number[]): string => {
  let [bestStart, bestLength] = [-1, 1];
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > bestLength) [bestStart, bestLength] = [start, length];
  }
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  if (bestStart < 0) return hex(groups);
  return `${hex(groups.slice(0, bestStart))}::${hex(groups.slice(bestStart + bestLength))}`;
};

/** Parses an address; undefined for anything else. A zone (`%eth0`) is dropped, IPv4-mapped IPv6 becomes IPv4. */
export const parseIp = (text: string): Ip | undefined => {
  const bare = before(text.trim(), '%');
  const version = isIP(bare);
  if (version === 0) return undefined;
  if (version === 4) return { family: 'ipv4', value: v4Value(bare), text: v4Text(v4Value(bare)) };
  const groups = v6Groups(bare);
  const value = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
  if (value >> 32n === 0xffffn)
    return { family: 'ipv4', value: value & 0xffffffffn, text: v4Text(value & 0xffffffffn) };
  return { family: 'ipv6', value, text: v6Text(groups) };
};

/** Parses `10.0.0.0/8`; host bits may be set, because users write such subnets. Undefined for anything else. */
export const parseCidr = (text: string): Cidr | undefined => {
  const [address = '', length = '', ...rest] = text.trim().split('/');
  const ip = parseIp(address);
  if (!ip || rest.length > 0 || !/^\d{1,3}$/.test(length) || Number(length) > bitsOf(ip.family)) return undefined;
  const prefixLength = Number(length);
  const hostBits = BigInt(bitsOf(ip.family) - prefixLength);
  return { family: ip.family, network: (ip.value >> hostBits) << hostBits, prefixLength };
};

export const cidrContains = (cidr: Cidr, ip: Ip): boolean => {
  if (cidr.family !== ip.family) return false;
  const hostBits = BigInt(bitsOf(ip.family) - cidr.prefixLength);
  return ip.value >> hostBits === cidr.network >> hostBits;
};

const localRanges = [
  '0.0.0.0/32',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/24',
  '::/128',
  '::1/128',
  'fe80::/10',
  'ff02::/16',
].flatMap((range) => parseCidr(range) ?? []);

/** True for addresses that no other machine can reach: unspecified, loopback, link-local. Unique local addresses do not count as local. */
export const isLocalOnly = (ip: Ip): boolean => localRanges.some((range) => cidrContains(range, ip));
