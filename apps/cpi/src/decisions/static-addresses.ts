import { gunzipSync } from 'node:zlib';
import { VdoError } from '@vdo/base/vdo-error';
import { yamlValue } from '@vdo/base/yaml';
import { parseIp } from './ip.ts';

/** The root user of a VM can write anything here. Real cloud-init metadata has a few kilobytes, and each byte of invalid text costs microseconds to parse. */
const maxMetadataBytes = 64 * 1024;

type Mapping = Readonly<Record<string, unknown>>;

const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const base64Names = ['base64', 'b64'];
const gzipNames = ['gzip+base64', 'gz+b64'];

const fromBase64 = (text: string): Buffer => {
  const compact = text.replace(/\s/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) throw new Error('the value is not base64');
  return Buffer.from(compact, 'base64');
};

const decode = (text: string, encoding: string): string => {
  if (base64Names.includes(encoding)) return fromBase64(text).toString('utf8');
  if (gzipNames.includes(encoding))
    return gunzipSync(fromBase64(text), { maxOutputLength: maxMetadataBytes }).toString('utf8');
  return text;
};

const mappingOf = (text: string, what: string): Mapping => {
  if (Buffer.byteLength(text) > maxMetadataBytes) throw new Error(`${what} is longer than ${maxMetadataBytes} bytes`);
  const value = yamlValue(text);
  if (!isMapping(value)) throw new Error(`${what} is ${value === null ? 'empty' : typeof value}, not a YAML mapping`);
  return value;
};

const networkOf = (metadata: Mapping): unknown => {
  const encoding = metadata['network.encoding'];
  const network = metadata['network'];
  if (typeof network !== 'string') return network;
  return mappingOf(decode(network, typeof encoding === 'string' ? encoding : ''), 'network');
};

// In netplan, an address can also be a mapping from the address to its options.
const addressTexts = (item: unknown): readonly string[] =>
  typeof item === 'string' ? [item] : isMapping(item) ? Object.keys(item) : [];

const addressesOf = (network: unknown): readonly string[] => {
  const ethernets = isMapping(network) ? network['ethernets'] : undefined;
  if (!isMapping(ethernets)) return [];
  return Object.values(ethernets)
    .flatMap((nic) => (isMapping(nic) && Array.isArray(nic['addresses']) ? nic['addresses'] : []))
    .flatMap(addressTexts)
    .flatMap((text) => parseIp(text.split('/')[0] ?? '')?.text ?? []);
};

/**
 * Addresses that cloud-init is configured to set, in the order of its metadata, in canonical form. They come from
 * `guestinfo.metadata` (base64, gzip+base64 or plain), whose inner `network` may be encoded again.
 * Throws VdoError NodeMetadataInvalid if encoded metadata cannot be read. Plain text that is not a mapping has no network.
 */
export const staticAddresses = (
  extraConfig: Readonly<Record<string, string>>,
  options: { readonly vmName: string },
): readonly string[] => {
  const metadata = extraConfig['guestinfo.metadata'] ?? '';
  const encoding = (extraConfig['guestinfo.metadata.encoding'] ?? '').toLowerCase();
  if (metadata === '') return [];
  const encoded = base64Names.includes(encoding) || gzipNames.includes(encoding);
  try {
    return addressesOf(networkOf(mappingOf(decode(metadata, encoding), 'guestinfo.metadata')));
  } catch (cause) {
    if (!encoded) return [];
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new VdoError({
      code: 'NodeMetadataInvalid',
      message: `guestinfo.metadata of VM ${options.vmName} (encoding ${encoding}) cannot be read: ${reason}`,
      remedy: `Write valid cloud-init metadata: govc vm.change -vm ${options.vmName} -e guestinfo.metadata=… -e guestinfo.metadata.encoding=base64, or remove both keys.`,
      cause,
    });
  }
};
