import { boolean, dateTime, defineType, enumeration, int, long, optional, ref, short, string } from '../schema.ts';
import { AboutInfo } from './service.ts';

export const HostHardwareSummary = defineType('HostHardwareSummary', {
  vendor: string,
  model: string,
  uuid: string,
  memorySize: long,
  cpuModel: string,
  cpuMhz: int,
  numCpuPkgs: short,
  numCpuCores: short,
  numCpuThreads: short,
  numNics: int,
  numHBAs: int,
});

export const HostRuntimeInfo = defineType('HostRuntimeInfo', {
  connectionState: enumeration('HostSystemConnectionState', 'connected', 'notResponding', 'disconnected'),
  powerState: enumeration('HostSystemPowerState', 'poweredOn', 'poweredOff', 'standBy', 'unknown'),
  standbyMode: optional(string),
  inMaintenanceMode: boolean,
  inQuarantineMode: optional(boolean),
  bootTime: optional(dateTime),
});

export const HostConfigSummary = defineType('HostConfigSummary', {
  name: string,
  port: int,
  sslThumbprint: optional(string),
  product: optional(AboutInfo),
  vmotionEnabled: boolean,
  faultToleranceEnabled: boolean,
});

export const HostListSummaryQuickStats = defineType('HostListSummaryQuickStats', {
  overallCpuUsage: optional(int),
  overallMemoryUsage: optional(int),
  uptime: optional(int),
});

export const HostListSummary = defineType('HostListSummary', {
  host: optional(ref),
  hardware: optional(HostHardwareSummary),
  runtime: optional(HostRuntimeInfo),
  config: HostConfigSummary,
  quickStats: HostListSummaryQuickStats,
  overallStatus: enumeration('ManagedEntityStatus', 'gray', 'green', 'yellow', 'red'),
  rebootRequired: boolean,
  maxEVCModeKey: optional(string),
  currentEVCModeKey: optional(string),
});
