import type { SlotName } from '../world.ts';
import { type Happening, pick, type StepContext, upTo } from './step.ts';

const csi: readonly SlotName[] = ['csi-1', 'csi-2'];
const cpi: readonly SlotName[] = ['cpi-1', 'cpi-2'];
const slots: readonly SlotName[] = [...csi, ...csi, ...csi, 'snapshots', ...cpi];
const oneOf =
  (names: readonly SlotName[]) =>
  ({ world }: StepContext, die: number) => {
    const name = pick(names, die) ?? 'csi-1';
    const replica = world.slots.get(name);
    return replica && { ...replica, name };
  };
export const anySlot = oneOf(slots);
/** The snapshot controller does not know of vCenter. */
export const slotWithVCenter = oneOf([...csi, ...csi, ...csi, ...cpi]);
export const csiSlot = oneOf(csi);

export const die: Happening = (context) => {
  const replica = anySlot(context, context.dice[0]);
  if (!replica) return undefined;
  const { identity } = context.world.start(replica.name);
  context.world.coverage.note('power cut', replica.name);
  return `${replica.identity} dies, ${identity} begins`;
};

/** SIGSTOP, and SIGCONT a while later; of three in five pauses after the Leases of the process have run out. */
export const pause: Happening = (context) => {
  const { world, dice, heal } = context;
  const replica = anySlot(context, dice[0]);
  if (!replica) return undefined;
  const ms = Math.round(1_000 + dice[1] ** 2 * 6 * world.leaseDurationMs);
  replica.clock.pause();
  const cancel = world.clock.schedule(() => replica.clock.resume(), ms);
  heal(() => {
    cancel();
    replica.clock.resume();
  });
  world.coverage.note('pause', replica.name);
  return `${replica.identity} stands still for ${Math.round(ms / 1000)} s`;
};

export const hangWatches: Happening = (context) => {
  const { world, dice, heal } = context;
  const replica = anySlot(context, dice[0]);
  if (!replica) return undefined;
  const what =
    pick(
      [/./, /persistentvolumes/, /persistentvolumeclaims/, /volumeattachments|nodes/, /csinodes/, /volumesnapshot/],
      dice[1],
    ) ?? /./;
  const ms = 5_000 * upTo(40, dice[2]);
  const repair = replica.ways.hangWatches(what);
  const cancel = world.clock.schedule(repair, ms);
  heal(() => {
    cancel();
    repair();
  });
  world.coverage.note('watch hang', what.source === '.' ? 'all watches' : what.source);
  return `watches ${what.source} of ${replica.identity} hang for ${ms / 1000} s`;
};

export const lagWatches: Happening = (context) => {
  const { world, dice, heal } = context;
  const replica = anySlot(context, dice[0]);
  if (!replica) return undefined;
  const ms = Math.round(dice[1] * 8_000);
  const repair = () => replica.ways.lagWatches(0);
  replica.ways.lagWatches(ms);
  const cancel = world.clock.schedule(repair, 60_000);
  heal(() => {
    cancel();
    repair();
  });
  world.coverage.note('watch lag', 'all watches');
  return `events reach ${replica.identity} ${ms} ms late for a minute`;
};

/** The API server breaks all watches, and has forgotten what they would resume from. */
export const breakWatches: Happening = ({ world, dice }) => {
  if (dice[0] < 0.5) world.kubeSim().store.compact();
  world.kubeSim().dropWatches();
  world.coverage.note(dice[0] < 0.5 ? '410' : 'watch broken', 'all watches');
  return `all watches break${dice[0] < 0.5 ? ', and cannot resume' : ''}`;
};
