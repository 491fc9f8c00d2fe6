import type { Socket } from 'node:net';
import { HttpFailure } from './http-failure.ts';

export const isSocks = (proxy: string): boolean => /^socks5h?:/i.test(proxy);

/** Opens a raw connection to `target` (`host:port`) through a SOCKS5 proxy, which also resolves the name. */
export const openSocksTunnel = async (
  proxy: string,
  target: string,
  options: { readonly timeoutMs: number },
): Promise<Socket> => {
  // Loaded only if needed: few clusters are behind such a proxy.
  const { SocksClient } = await import('socks');
  const url = new URL(proxy);
  const { hostname, port } = new URL(`http://${target}`);
  const bare = (host: string): string => host.replace(/^\[|\]$/g, '');
  const credentials = url.username && {
    userId: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
  try {
    const { socket } = await SocksClient.createConnection({
      proxy: { host: bare(url.hostname), port: Number(url.port || 1080), type: 5, ...credentials },
      command: 'connect',
      destination: { host: bare(hostname), port: Number(port || 80) },
      timeout: options.timeoutMs,
    });
    return socket;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HttpFailure('unreachable', `the proxy ${url.host}: ${reason}`, { cause: error });
  }
};
