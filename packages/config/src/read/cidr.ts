import { isIP } from 'node:net';

/** True for `192.0.2.0/24`, `2001:db8::/32`. */
export const isCidr = (text: string): boolean => {
  const [address = '', bits = '', ...rest] = text.split('/');
  const family = isIP(address);
  return rest.length === 0 && family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
};

/** True for a host name or an IP address, as a server is named. */
export const isHost = (text: string): boolean =>
  isIP(text) !== 0 ||
  (text.length <= 253 && /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i.test(text));
