import { trialCluster, trialDescription, trialPrefix } from '@vdo/acts/trials/trial-marks';
import { apiWords } from './words.ts';

/*
 * Replaces every text that is not a word of the API: only what is known to be harmless is kept. The same text always gets
 * the same replacement, and parts of paths are replaced separately, so that a recorded exchange stays consistent.
 */

export interface Redactor {
  text(text: string): string;
}

/** UUIDs, IPv6 and MAC addresses. */
const addresses =
  /([0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}|(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:]))/i;
const ipv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const number = /^[+-]?\d{1,40}(?:\.\d{1,40})?$/;
const dateTime = /^-?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?$/;
/** References to objects: type and number. */
const reference =
  /^(?:vm|host|datastore|network|group|folder|domain|resgroup|resgroup-v|datacenter|task|dvportgroup|dvs|view|filter)-[a-z]?\d{1,12}$/;
const hardware = /^vmx-\d{1,3}$/;
const between = /([/[\]\s:,@()=;"<>?&#'|\\]+)/;

const uuidOf = (index: number): string => `00000001000200038000${String(index).padStart(12, '0')}`;
const swapBytes = (uuid: string): string => uuid.replace(/^(..)(..)(..)(..)(..)(..)(..)(..)/, '$4$3$2$1$6$5$8$7');

/** A path that the client requests to learn that it does not exist. */
const zeroUuid = '00000000000040008000000000000000';

const isOurs = (token: string): boolean => token === trialCluster || token.startsWith(trialPrefix);

export const createRedactor = (): Redactor => {
  const words = apiWords();
  const known = new Map<string, string>();
  const count = new Map<string, number>();
  const replacement = (kind: string, key: string, make: (index: number) => string): string => {
    const id = `${kind} ${key}`;
    const found = known.get(id);
    if (found !== undefined) return found;
    const index = (count.get(kind) ?? 0) + 1;
    count.set(kind, index);
    known.set(id, make(index));
    return make(index);
  };
  // Firmware swaps the bytes of the first three groups, and the client requests both orders, so the replacements do the same.
  const uuid = (text: string): string => {
    const plain = text.replaceAll('-', '').toLowerCase();
    if (plain === zeroUuid) return text;
    const swapped = swapBytes(plain);
    const made = known.has(`uuid ${swapped}`)
      ? swapBytes(replacement('uuid', swapped, uuidOf))
      : replacement('uuid', plain, uuidOf);
    return text.includes('-') ? made.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : made;
  };
  const address = (text: string): string =>
    text.includes(':')
      ? replacement('address', text.toLowerCase(), (index) => `2001:db8::${index.toString(16)}`)
      : uuid(text);
  const isWord = (token: string): boolean =>
    words.has(token) || token.split('.').every((part) => words.has(part) || /^\d{0,12}$/.test(part));
  const token = (text: string): string => {
    if (text === '' || isOurs(text)) return text;
    if (words.has(text)) return text;
    if (ipv4.test(text)) return replacement('ip', text, (index) => `198.51.${index >> 8}.${index & 255}`);
    if (number.test(text) || reference.test(text) || hardware.test(text) || isWord(text)) return text;
    if (text.endsWith('.vmdk')) return `${token(text.slice(0, -'.vmdk'.length))}.vmdk`;
    return replacement('name', text, (index) => `n${index}`);
  };
  const oddOnes =
    (change: (piece: string) => string, others: (piece: string) => string) => (piece: string, index: number) =>
      index % 2 === 1 ? change(piece) : others(piece);
  const same = (piece: string): string => piece;
  const plain = (text: string): string => text.split(between).map(oddOnes(same, token)).join('');
  return {
    text: (text) => {
      if (dateTime.test(text.trim()) || text === trialDescription) return text;
      return text.split(addresses).map(oddOnes(address, plain)).join('');
    },
  };
};
