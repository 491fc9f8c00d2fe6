import { BlockList, isIP } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy that HTTPS_PROXY or HTTP_PROXY names for an origin, unless NO_PROXY exempts it. Loopback is always exempt. */
export const proxyFromEnv = (origin: string, env: Environment): string | undefined => {
  const url = new URL(origin);
  const variable = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = env[variable] || env[variable.toLowerCase()];
  if (!proxy) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (host === 'localhost' || host.startsWith('127.') || host === '::1') return undefined;
  const exempt = (env['NO_PROXY'] || env['no_proxy'] || '').split(',').map((entry) => entry.trim().toLowerCase());
  if (exempt.some((entry) => entry !== '' && isExempt(host, url.port, entry))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
};

const isExempt = (host: string, port: string, entry: string): boolean => {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInNetwork(host, entry);
  const [, name = entry, entryPort] = isIP(entry) === 6 ? [] : (entry.match(/^(.*?)(?::(\d+))?$/) ?? []);
  if (entryPort !== undefined && entryPort !== port) return false;
  // `.example.com` exempts what is below it; `example.com` exempts itself as well.
  const bare = name.replace(/^\*?\./, '');
  return (host === bare && bare === name) || host.endsWith(`.${bare}`);
};

const isInNetwork = (host: string, entry: string): boolean => {
  const [network = '', prefix] = entry.split('/');
  const [family, hostFamily] = [isIP(network), isIP(host)];
  if (family === 0 || family !== hostFamily) return false;
  const list = new BlockList();
  const type = family === 6 ? 'ipv6' : 'ipv4';
  try {
    list.addSubnet(network, Number(prefix), type);
  } catch {
    // A malformed entry exempts nothing, as in every other program.
    return false;
  }
  return list.check(host, type);
};
