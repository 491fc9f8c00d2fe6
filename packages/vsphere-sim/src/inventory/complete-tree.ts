import { isDeepStrictEqual } from 'node:util';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Properties } from '../state/property-path.ts';
import { vmSummary } from './vm-tree.ts';

/** Updates properties that repeat others; an unchanged part stays the same object, so that watchers see no change. */
export const completeTree = (ref: MoRef, properties: Properties): Properties => {
  if (ref.type !== 'VirtualMachine') return properties;
  const summary = vmSummary(ref, properties as unknown as Parameters<typeof vmSummary>[1]);
  return isDeepStrictEqual(summary, properties['summary']) ? properties : { ...properties, summary };
};
