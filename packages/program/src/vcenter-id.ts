import { defaultPort, type VCenterConfig } from '@vdo/config/driver-config';

/** Identifies a vCenter: the host, and the port if several share a host. Nodes store it. */
export const vcenterId = ({ server, port }: Pick<VCenterConfig, 'server' | 'port'>): string => {
  if (port === defaultPort) return server;
  return server.includes(':') ? `[${server}]:${port}` : `${server}:${port}`;
};
