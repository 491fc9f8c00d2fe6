import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { effectOf, VdoError } from '@vdo/base/vdo-error';
import type { CnsSnapshot } from '@vdo/vsphere/cns/cns-types';
import { cnsTaskKinds } from '@vdo/vsphere/tasks/cns-task-kinds';
import { createTaskRecorder, type IntentStore, type VolumeIntent } from '../intents/volume-intent.ts';
import type { CallContext } from './call-context.ts';
import { type CsiVCenter, vcenterOf } from './csi-vcenter.ts';
import { createDoubts } from './doubts.ts';
import type { Volume } from './volume.ts';

export interface SnapshotOrderDeps {
  readonly vcenters: readonly CsiVCenter[];
  readonly intents: IntentStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** `none`: it was not asked for. `certain`: it is there, or will not come. */
export type Asked = 'none' | 'may come' | 'certain';

/** Snapshots that vCenter is asked for, noted until it is known what became of them. */
export interface SnapshotOrder {
  /** What became of one of this name that was asked for before. To be asked before it is looked for. */
  earlier(name: string, signal: AbortSignal): Promise<Asked>;
  take(name: string, volume: Volume, context: CallContext): Promise<CnsSnapshot>;
  /** Whether a note of it is known that has not gone yet. */
  isNoted(name: string): boolean;
  /** It is there, or certainly will not come: the note goes. */
  settle(name: string, signal: AbortSignal): Promise<void>;
}

export const snapshotSettling = (name: string): VdoError =>
  new VdoError({
    code: 'VolumeBusy',
    message: `vCenter was asked to create snapshot ${name}, but its reply was lost`,
    remedy: 'No action needed: the driver searches for the snapshot, and requests it again if it does not appear.',
  });

/** Snapshots share the store of intents with volumes; no claim's volume is named like this. */
const intentName = (name: string): string => `snapshot:${name}`;

const doubtKey = ({ name, askedAtMs }: VolumeIntent): string => `${name} ${askedAtMs}`;

export const createSnapshotOrder = (deps: SnapshotOrderDeps): SnapshotOrder => {
  const { vcenters, intents, clock, logger } = deps;
  const doubts = createDoubts(deps);
  /** Notes that this process knows of, and how their doubts are called. */
  const noted = new Map<string, string>();
  /** Doubts about what this process has asked for itself. */
  const askedHere = new Set<string>();

  const mayStillCome = async (intent: VolumeIntent, signal: AbortSignal): Promise<boolean> => {
    const { instanceUuid, task, server } = intent;
    const vcenter = vcenters.find((one) => one.server === server);
    // Another vCenter has this name now: it does nothing of what the former one was asked for.
    if (!vcenter || (instanceUuid !== undefined && instanceUuid !== (await vcenter.instanceUuid({ signal }))))
      return false;
    const { createSnapshot: kind } = cnsTaskKinds;
    const [fate] = task ? await vcenter.tasks.fatesOf([task], { signal, kind }) : [];
    if (fate === 'under way') return true;
    const key = doubtKey(intent);
    // Another process asked: whether vCenter has restarted since, and forgotten the task, nobody is left to tell.
    if (!askedHere.has(key)) doubts.inherit(key, { metMs: clock.monotonicMs(), mayBeForgotten: true });
    // Whether the one that ended or failed was ours is not to be told: vCenter may have counted its tasks anew, and forgotten ours.
    const question = { key, tasks: vcenter.tasks, kind, forgotten: fate !== undefined };
    return doubts.mayStillHappen(question, { signal });
  };

  const settle: SnapshotOrder['settle'] = async (name, signal) => {
    const key = noted.get(name);
    if (key === undefined) return;
    doubts.settle(key);
    askedHere.delete(key);
    await intents.remove(intentName(name), { signal });
    noted.delete(name);
  };

  return {
    earlier: async (name, signal) => {
      const intent = await intents.get(intentName(name), { signal });
      if (!intent) return 'none';
      noted.set(name, doubtKey(intent));
      return (await mayStillCome(intent, signal)) ? 'may come' : 'certain';
    },
    take: async (name, volume, { lifetime: signal, fence }) => {
      const { server, sizeMb } = volume;
      const vcenter = vcenterOf(vcenters, volume);
      const instanceUuid = await vcenter.instanceUuid({ signal });
      const intent: VolumeIntent = { name: intentName(name), server, instanceUuid, sizeMb, askedAtMs: clock.now() };
      await intents.put(intent, { signal });
      noted.set(name, doubtKey(intent));
      askedHere.add(doubtKey(intent));
      const forget = () =>
        settle(name, signal).catch((error) => logger.warn('cannot remove the intent of a snapshot', { name, error }));
      const recorder = createTaskRecorder({ intents, intent, clock, logger, signal });
      const askedMs = clock.monotonicMs();
      try {
        const asked = vcenter.cns.createSnapshot(volume.id, name, { signal, fence, onTask: recorder.onTask });
        const snapshot = await asked.finally(recorder.settle);
        await forget();
        return snapshot;
      } catch (error) {
        if (effectOf(error) === 'none') await forget();
        else doubts.begin(doubtKey(intent), { askedMs });
        throw error;
      }
    },
    isNoted: (name) => noted.has(name),
    settle,
  };
};
