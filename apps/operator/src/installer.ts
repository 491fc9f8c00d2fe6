import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { names } from '@vdo/config/names';
import type { ApplyMemory } from '@vdo/kube/apply/apply-memory';
import { type ApplyCall, createApplier } from '@vdo/kube/apply/create-applier';
import { describeRef, type ObjectRef } from '@vdo/kube/apply/object-ref';
import { rehearse } from '@vdo/kube/apply/rehearse';
import type { Repair } from '@vdo/kube/apply/repair';
import type { KubeClient } from '@vdo/kube/client';
import type { AnyObject } from '@vdo/kube/types/object';
import { createFindOurs } from './gather/find-ours.ts';
import { createPodsEnding } from './gather/pods-ending.ts';
import { createRehearsal } from './rehearsal.ts';
import type { RemovalReport } from './uninstall.ts';

export interface InstallerOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly fieldManager: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly memory: ApplyMemory;
}

type Call = { readonly signal: AbortSignal };

/** Applies and removes the objects of the drivers, with an inventory of the objects that are ours. */
export const createInstaller = (options: InstallerOptions) => {
  const inventory = { namespace: options.namespace, name: names.inventory };
  let repairs: readonly Repair[] = [];
  const applier = createApplier({
    ...options,
    inventory,
    podsEnding: createPodsEnding(options),
    findOurs: createFindOurs(options),
    onRepair: (repair) => {
      repairs = [...repairs, repair];
    },
  });
  return {
    /** True if an object that is no longer part of the drivers is still to be removed. */
    apply: async (objects: readonly AnyObject[], call: Call & Pick<ApplyCall, 'prune'>): Promise<boolean> =>
      (await applier.apply(objects, call)).pruned.remaining.length > 0,
    /** The repairs since the last call. */
    takeRepairs: (): readonly Repair[] => {
      const taken = repairs;
      repairs = [];
      return taken;
    },
    rehearsal: createRehearsal({
      rehearse: (objects, call) => rehearse(options.client, objects, { ...call, fieldManager: options.fieldManager }),
      clock: options.clock,
    }),
    adopt: (refs: readonly ObjectRef[], call: Call): Promise<void> => applier.adopt(refs, call),
    removeAll: async (call: Call): Promise<RemovalReport> => {
      const { remaining, kept, inUse } = await applier.removeAll(call);
      return { done: remaining.length === 0, left: [...kept, ...inUse].map(describeRef) };
    },
  };
};
