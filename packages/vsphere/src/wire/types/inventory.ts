import { boolean, dateTime, defineType, enumeration, int, long, optional, ref, short, string } from '../schema.ts';

export const ComputeResourceSummary = defineType(
  'ComputeResourceSummary',
  {
    totalCpu: int,
    totalMemory: long,
    numCpuCores: short,
    numCpuThreads: short,
    effectiveCpu: int,
    effectiveMemory: long,
    numHosts: int,
    numEffectiveHosts: int,
    overallStatus: enumeration('ManagedEntityStatus', 'gray', 'green', 'yellow', 'red'),
  },
  { open: true },
);

export const ComputeResourceConfigInfo = defineType(
  'ComputeResourceConfigInfo',
  {
    vmSwapPlacement: string,
    spbmEnabled: optional(boolean),
    defaultHardwareVersionKey: optional(string),
  },
  { open: true },
);

export const ClusterComputeResourceSummary = defineType(
  'ClusterComputeResourceSummary',
  {
    currentFailoverLevel: int,
    numVmotions: int,
  },
  { extends: ComputeResourceSummary },
);

export const ClusterDasConfigInfo = defineType('ClusterDasConfigInfo', {
  enabled: optional(boolean),
});

export const ClusterDrsConfigInfo = defineType('ClusterDrsConfigInfo', {
  enabled: optional(boolean),
});

export const ClusterConfigInfoEx = defineType(
  'ClusterConfigInfoEx',
  {
    dasConfig: ClusterDasConfigInfo,
    drsConfig: ClusterDrsConfigInfo,
  },
  { extends: ComputeResourceConfigInfo },
);

export const ResourcePoolRuntimeInfo = defineType('ResourcePoolRuntimeInfo', {
  overallStatus: enumeration('ManagedEntityStatus', 'gray', 'green', 'yellow', 'red'),
});

export const ResourcePoolSummary = defineType(
  'ResourcePoolSummary',
  {
    name: string,
    runtime: ResourcePoolRuntimeInfo,
    configuredMemoryMB: optional(int),
  },
  { open: true },
);

export const NetworkSummary = defineType(
  'NetworkSummary',
  {
    network: optional(ref),
    name: string,
    accessible: boolean,
  },
  { open: true },
);

export const SharesInfo = defineType('SharesInfo', {
  shares: int,
  level: enumeration('SharesLevel', 'low', 'normal', 'high', 'custom'),
});

export const ResourceAllocationInfo = defineType('ResourceAllocationInfo', {
  reservation: optional(long),
  expandableReservation: optional(boolean),
  limit: optional(long),
  shares: optional(SharesInfo),
  overheadLimit: optional(long),
});

export const ResourceConfigSpec = defineType('ResourceConfigSpec', {
  entity: optional(ref),
  changeVersion: optional(string),
  lastModified: optional(dateTime),
  cpuAllocation: ResourceAllocationInfo,
  memoryAllocation: ResourceAllocationInfo,
  scaleDescendantsShares: optional(string),
});
