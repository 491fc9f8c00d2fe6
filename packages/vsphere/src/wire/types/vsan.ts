import { boolean, defineType, optional } from '../schema.ts';

/** Of the many settings of a vSAN cluster, those that are read here. */
export const VsanFileServiceConfig = defineType('VsanFileServiceConfig', { enabled: boolean });

export const VsanConfigInfoEx = defineType('VsanConfigInfoEx', {
  enabled: optional(boolean),
  fileServiceConfig: optional(VsanFileServiceConfig),
});
