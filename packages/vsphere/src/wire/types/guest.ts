import { array, boolean, dateTime, defineType, enumeration, int, long, optional, string } from '../schema.ts';

export const NetDnsConfigInfo = defineType('NetDnsConfigInfo', {
  dhcp: boolean,
  hostName: string,
  domainName: string,
  ipAddress: array(string),
  searchDomain: array(string),
});

export const NetDhcpConfigInfo = defineType('NetDhcpConfigInfo', {});

export const NetIpConfigInfoIpAddress = defineType('NetIpConfigInfoIpAddress', {
  ipAddress: string,
  prefixLength: int,
  origin: optional(string),
  state: optional(string),
  lifetime: optional(dateTime),
});

export const NetIpConfigInfo = defineType('NetIpConfigInfo', {
  ipAddress: array(NetIpConfigInfoIpAddress),
  dhcp: optional(NetDhcpConfigInfo),
  autoConfigurationEnabled: optional(boolean),
});

export const GuestNicInfo = defineType('GuestNicInfo', {
  network: optional(string),
  ipAddress: array(string),
  macAddress: optional(string),
  connected: boolean,
  deviceConfigId: int,
  dnsConfig: optional(NetDnsConfigInfo),
  ipConfig: optional(NetIpConfigInfo),
});

export const NetIpRouteConfigInfoGateway = defineType('NetIpRouteConfigInfoGateway', {
  ipAddress: optional(string),
  device: optional(string),
});

export const NetIpRouteConfigInfoIpRoute = defineType('NetIpRouteConfigInfoIpRoute', {
  network: string,
  prefixLength: int,
  gateway: NetIpRouteConfigInfoGateway,
});

export const NetIpRouteConfigInfo = defineType('NetIpRouteConfigInfo', {
  ipRoute: array(NetIpRouteConfigInfoIpRoute),
});

export const GuestStackInfo = defineType('GuestStackInfo', {
  dnsConfig: optional(NetDnsConfigInfo),
  ipRouteConfig: optional(NetIpRouteConfigInfo),
});

export const GuestDiskInfo = defineType('GuestDiskInfo', {
  diskPath: optional(string),
  capacity: optional(long),
  freeSpace: optional(long),
  filesystemType: optional(string),
});

export const GuestInfo = defineType('GuestInfo', {
  toolsStatus: optional(
    enumeration('VirtualMachineToolsStatus', 'toolsNotInstalled', 'toolsNotRunning', 'toolsOld', 'toolsOk'),
  ),
  toolsVersionStatus: optional(string),
  toolsVersionStatus2: optional(string),
  toolsRunningStatus: optional(string),
  toolsVersion: optional(string),
  guestId: optional(string),
  guestFamily: optional(string),
  guestFullName: optional(string),
  hostName: optional(string),
  ipAddress: optional(string),
  net: array(GuestNicInfo),
  ipStack: array(GuestStackInfo),
  disk: array(GuestDiskInfo),
  guestState: string,
  hwVersion: optional(string),
});
