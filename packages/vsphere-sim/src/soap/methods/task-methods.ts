import { cancelTask } from '@vdo/vsphere/wire/methods/task';
import { faults } from '../../sim-fault.ts';
import { handle, type MethodHandler } from '../method-handler.ts';

export const taskMethods: readonly MethodHandler[] = [
  handle(cancelTask, ({ _this }, { core }) => {
    if (!core.store.get(_this)) throw faults.managedObjectNotFound(_this);
    if (!core.tasks.cancel(_this)) throw faults.invalidState();
    return undefined;
  }),
];
