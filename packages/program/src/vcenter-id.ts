import { defaultPort, type VCenterConfig } from '@vdo/config/driver-config';

/** What tells a vCenter from all others: the host, and the port where several may share a host. Nodes remember it. */
export const vcenterId = ({ server, port }: Pick<VCenterConfig, 'server' | 'port'>): string => {
  if (port === defaultPort) return server;
  return server.includes(':') ? `[${server}]:${port}` : `${server}:${port}`;
};
