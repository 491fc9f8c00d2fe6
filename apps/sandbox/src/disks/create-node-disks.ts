import { mkdir } from 'node:fs/promises';
import { createCommandRunner } from '@vdo/linux-disks/run-command';
import { canUseLoopDisks, createLoopDisks } from './loop-disks.ts';
import type { NodeDisks } from './node-disks.ts';
import { createSimulatedDisks, type DisksOptions } from './simulated-disks.ts';

/** Real disks if this process can create them, otherwise simulated ones. */
export const createNodeDisks = async (
  options: DisksOptions & { readonly path: string; readonly uid: number },
): Promise<NodeDisks> => {
  await mkdir(options.folder, { recursive: true });
  const run = createCommandRunner({ PATH: options.path });
  const real = await canUseLoopDisks(options.folder, run, options.uid);
  return real ? createLoopDisks(options) : createSimulatedDisks(options);
};
