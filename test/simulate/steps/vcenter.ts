import type { Volume, VolumeStore } from '@vdo/vsphere-sim/cns/volume-store';
import { changes } from './faults.ts';
import { type Happening, pick, upTo } from './step.ts';

const noSpace = { $type: 'NoDiskSpace', file: '', datastore: 'shared-vmfs' };

/** Tasks take minutes, or fail. */
export const taskFault: Happening = ({ world, dice }) => {
  const method = pick(changes, dice[0]) ?? '*';
  const times = upTo(3, dice[1]);
  const effect =
    dice[2] < 0.75
      ? ({ kind: 'task-latency', ms: 1_000 * upTo(300, dice[2] / 0.75) } as const)
      : ({ kind: 'task-failure', fault: noSpace } as const);
  world.sim.control.addFault({ method, times, effect });
  world.coverage.note(effect.kind, method);
  return `${times} × ${method}: ${effect.kind === 'task-latency' ? `the task takes ${effect.ms / 1000} s` : 'the task fails'}`;
};

export const callFault: Happening = ({ world, dice }) => {
  const method = pick([...changes, 'CnsQueryVolume', 'RetrievePropertiesEx'], dice[0]) ?? '*';
  const times = upTo(2, dice[1]);
  const effect =
    dice[2] < 0.5
      ? ({ kind: 'expire-session' } as const)
      : ({ kind: 'fault', fault: { $type: 'RuntimeFault' } } as const);
  world.sim.control.addFault({ method, times, effect });
  world.coverage.note(effect.kind, method);
  return `${times} × ${method}: ${effect.kind}`;
};

/** vCenter is away for a while, and may have forgotten its tasks when it is back; made anew, it counts them from one. */
export const restart: Happening = ({ world, dice }) => {
  const downMs = 1_000 * upTo(90, dice[0]);
  const forgets = dice[1] < 0.6;
  const renumber = dice[1] < 0.25;
  world.sim.control.restart(downMs);
  if (forgets) world.sim.control.forgetTasks({ renumber });
  world.coverage.note(renumber ? 'task numbers repeat' : forgets ? 'tasks forgotten' : 'restart', 'vCenter');
  return `vCenter is away for ${downMs / 1000} s${forgets ? ' and forgets its tasks' : ''}${renumber ? ', whose numbers repeat' : ''}`;
};

/**
 * vCenter is restored from a backup of some minutes ago: it has forgotten the disks that were made since, which lie where they lay, and
 * its tasks, whose numbers repeat. Those in use stay: their hosts have them.
 */
export const restoreVCenter: Happening = ({ world, dice }) => {
  const now = world.clock.now();
  const agoMs = 1_000 * upTo(300, dice[0]);
  const isForgotten = ({ id, type, createTime, attachedTo, snapshots }: Volume) =>
    type === 'BLOCK' &&
    !attachedTo &&
    snapshots.length === 0 &&
    createTime.getTime() > now - agoMs &&
    !world.foreignDisks.has(id);
  const forgotten = world.sim.volumes.list().filter(isForgotten);
  const downMs = 1_000 * upTo(60, dice[1]);
  world.sim.control.restart(downMs);
  world.sim.control.forgetTasks({ renumber: true });
  for (const { id } of forgotten) (world.sim.volumes as VolumeStore).release(id);
  world.coverage.note('restored', 'vCenter');
  return `vCenter is restored as of ${agoMs / 1000} s ago, without ${forgotten.length} disks, after ${downMs / 1000} s`;
};

/** CNS shows nothing for a while, or only half of it, as when it builds its database anew. */
export const hideVolumes: Happening = ({ world, dice, heal }) => {
  const ms = 1_000 * upTo(120, dice[0]);
  const hidesAll = dice[1] < 0.5;
  const isHidden = ({ id }: { readonly id: string }) => hidesAll || Number.parseInt(id.charAt(0), 16) % 2 === 0;
  const repair = world.sim.control.hideVolumes(isHidden);
  const cancel = world.clock.schedule(repair, ms);
  heal(() => {
    cancel();
    repair();
  });
  world.coverage.note(hidesAll ? 'hidden volumes' : 'some volumes hidden', 'CnsQueryVolume');
  return `CNS shows ${hidesAll ? 'no volumes' : 'half of the volumes'} for ${ms / 1000} s`;
};
