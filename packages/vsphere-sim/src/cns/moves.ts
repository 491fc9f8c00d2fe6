import type { MoRef } from '@vdo/vsphere/wire/moref';
import { faults } from '../sim-fault.ts';
import type { VolumeStore } from './volume-store.ts';

interface Move {
  readonly task: MoRef;
  readonly isRunning: () => boolean;
}

/** Volumes that are being moved to another datastore: CNS refuses other operations on them, and on volumes of the same VM. */
export interface Moves {
  begin(id: string, move: Move): void;
  end(id: string): void;
  /** Throws CnsFault if one of the volumes, or another volume of their VMs or of this VM, is being moved. */
  assertStill(ids: readonly string[], vm?: MoRef): void;
}

export const createMoves = (volumes: Pick<VolumeStore, 'get'>): Moves => {
  const moves = new Map<string, Move>();
  const vmOf = (id: string): string | undefined => volumes.get(id)?.attachedTo?.vm.value;
  return {
    begin: (id, move) => {
      moves.set(id, move);
    },
    end: (id) => {
      moves.delete(id);
    },
    assertStill: (ids, vm) => {
      const vms = new Set([vm?.value, ...ids.map(vmOf)].filter((value) => value !== undefined));
      for (const [id, { isRunning, task }] of moves) {
        if (!isRunning()) continue;
        const on = vmOf(id);
        if (ids.includes(id) || (on !== undefined && vms.has(on)))
          throw faults.cns(`Volume ${id} is being relocated by task ${task.value}.`);
      }
    },
  };
};
