import type { Random } from '@vdo/base/random';
import type { RandomWorld } from './random-world.ts';
import type { WishedAttachment, WishedClaim, WishedSnapshot, Wishes } from './wishes.ts';

export interface StepContext {
  readonly world: RandomWorld;
  readonly wishes: Wishes;
  readonly random: Random;
}

/** Something that happens in the cluster or to it. */
export interface Step {
  readonly what: string;
  run(): unknown;
}

/** A step that can be taken now; undefined if there is none of its kind. */
type Chance = (context: StepContext) => Step | undefined;

const maxClaims = 7;

const pick = <T>({ random }: StepContext, items: readonly T[]): T | undefined =>
  items[Math.floor(random.next() * items.length)];
const upTo = ({ random }: StepContext, most: number): number => Math.floor(random.next() * most) + 1;

const newClaim = (
  { world, wishes }: StepContext,
  sizeGi: number,
  source?: { readonly kind: string; readonly name: string },
): Step | undefined => {
  if (wishes.claims().length >= maxClaims) return undefined;
  const claim: WishedClaim = { name: wishes.named('claim'), sizeGi, ...(source ? { from: source.name } : {}) };
  return {
    what: `${claim.name} of ${sizeGi} Gi${source ? ` from ${source.name}` : ''}`,
    run: () => {
      wishes.all.claims.push(claim);
      return world.makeClaim(claim.name, sizeGi, source);
    },
  };
};

const create: Chance = (context) => newClaim(context, upTo(context, 3));

const clone: Chance = (context) => {
  const source = pick(context, context.wishes.bound());
  const more = upTo(context, 2) - 1;
  return source && newClaim(context, source.sizeGi + more, { kind: 'PersistentVolumeClaim', name: source.name });
};

const restore: Chance = (context) => {
  const source = pick(context, context.wishes.snapshots());
  return source && newClaim(context, source.sizeGi, { kind: 'VolumeSnapshot', name: source.name });
};

const snapshot: Chance = (context) => {
  const { world, wishes } = context;
  const claim = pick(
    context,
    wishes.bound().filter((one) => wishes.snapshotsOf(one).length < 2),
  );
  if (!claim) return undefined;
  const taken: WishedSnapshot = { name: wishes.named('snapshot'), claim, sizeGi: claim.sizeGi };
  return {
    what: `${taken.name} of ${claim.name}`,
    run: () => {
      wishes.all.snapshots.push(taken);
      return world.makeSnapshot(taken.name, claim.name);
    },
  };
};

const attach: Chance = (context) => {
  const { world, wishes } = context;
  const claim = pick(
    context,
    wishes.bound().filter((one) => !wishes.isAttached(one)),
  );
  if (!claim) return undefined;
  const made: WishedAttachment = { name: wishes.named('attachment'), claim, node: upTo(context, 5) };
  return {
    what: `${made.name} of ${claim.name} to node ${made.node}`,
    run: () => {
      wishes.all.attachments.push(made);
      return world.attachment(made.name, claim.volume ?? '', made.node);
    },
  };
};

/** CNS does not let a disk with snapshots grow, and a copy must not be smaller than its original. */
const grow: Chance = (context) => {
  const { world, wishes } = context;
  const claim = pick(
    context,
    wishes.bound().filter((one) => wishes.snapshotsOf(one).length === 0 && !wishes.isNeeded(one)),
  );
  return (
    claim && {
      what: `${claim.name} grows to ${claim.sizeGi + 1} Gi`,
      run: () => {
        claim.sizeGi += 1;
        return world.growClaim(claim.name, claim.sizeGi);
      },
    }
  );
};

const removal = <T extends { readonly name: string; deleted?: true }>(
  one: T | undefined,
  remove: (name: string) => unknown,
): Step | undefined =>
  one && {
    what: `${one.name} is deleted`,
    run: () => {
      one.deleted = true;
      return remove(one.name);
    },
  };

const deleteClaim: Chance = (context) => {
  const { world, wishes } = context;
  const free = wishes.claims().filter((one) => !wishes.isAttached(one) && !wishes.isNeeded(one));
  return removal(pick(context, free), world.deleteClaim);
};

const deleteSnapshot: Chance = (context) => {
  const { world, wishes } = context;
  const free = wishes.snapshots().filter((one) => !wishes.isNeeded(one));
  return removal(pick(context, free), world.deleteSnapshot);
};

const detach: Chance = (context) =>
  removal(pick(context, context.wishes.attachments()), context.world.deleteAttachment);

const changes = [
  ...['CnsCreateVolume', 'CnsDeleteVolume', 'CnsAttachVolume', 'CnsDetachVolume', 'CnsExtendVolume'],
  ...['CnsCreateSnapshots', 'CnsDeleteSnapshots'],
];
const reads = ['CnsQueryVolume', 'CnsQuerySnapshots', 'CnsUpdateVolumeMetadata', 'RetrievePropertiesEx', '*'];
const noSpace = { $type: 'NoDiskSpace', file: '', datastore: 'shared-vmfs' };

const fault: Chance = (context) => {
  const method = pick(context, [...changes, ...changes, ...reads]) ?? '*';
  const ofTasks = [
    // Less than vCenter is given to finish what nobody waits for.
    { kind: 'task-latency', ms: 1_000 * upTo(context, 45) },
    { kind: 'task-failure', fault: noSpace },
  ] as const;
  const effect = pick(context, [
    { kind: 'drop', when: 'before' },
    { kind: 'drop', when: 'after' },
    { kind: 'drop', when: 'after' },
    { kind: 'expire-session' },
    { kind: 'http', status: 503 },
    { kind: 'fault', fault: { $type: 'RuntimeFault' } },
    ...(changes.includes(method) ? ofTasks : []),
  ] as const);
  const times = upTo(context, 3);
  return (
    effect && {
      what: `${times} × ${method}: ${JSON.stringify(effect)}`,
      run: () => context.world.sim.control.addFault({ method, times, effect }),
    }
  );
};

const outage: Chance = (context) => {
  const downMs = 1_000 * upTo(context, 60);
  return { what: `vCenter is down for ${downMs} ms`, run: () => context.world.sim.control.restart(downMs) };
};

const death: Chance = ({ world }) => ({ what: 'the controller dies', run: world.restart });

/** What can happen, as often as it stands here. */
const chances: readonly Chance[] = [
  ...[create, create, create, clone, clone, restore, restore, snapshot, snapshot, snapshot],
  ...[attach, attach, attach, attach, detach, detach, detach, grow, grow, grow],
  ...[deleteClaim, deleteClaim, deleteClaim, deleteSnapshot, deleteSnapshot],
  ...[fault, fault, fault, death, death, outage],
];

/** The next thing that happens. */
export const nextStep = (context: StepContext): Step => {
  for (;;) {
    const step = pick(context, chances)?.(context);
    if (step) return step;
  }
};
