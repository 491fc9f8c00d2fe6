import { defineMethod, ref } from '../schema.ts';
import { VsanConfigInfoEx } from '../types/vsan.ts';

export const vsanClusterGetConfig = defineMethod('VsanClusterGetConfig', {
  namespace: 'urn:vsan',
  request: { _this: ref, cluster: ref },
  response: VsanConfigInfoEx,
});
