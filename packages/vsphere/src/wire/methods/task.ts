import { defineMethod, ref } from '../schema.ts';

export const cancelTask = defineMethod('CancelTask', {
  namespace: 'urn:vim25',
  request: { _this: ref },
});
