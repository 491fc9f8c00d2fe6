import { boolean, defineType, optional } from '../schema.ts';

/** Of the many settings of a vSAN cluster, those that are read here. */
export const VsanFileServiceConfig = defineType('VsanFileServiceConfig', { enabled: boolean });

export const VsanClusterConfigInfo = defineType(
  'VsanClusterConfigInfo',
  { enabled: optional(boolean) },
  { open: true },
);

export const VsanConfigInfoEx = defineType(
  'VsanConfigInfoEx',
  { fileServiceConfig: optional(VsanFileServiceConfig) },
  { extends: VsanClusterConfigInfo },
);
