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

/** `none`: it was not requested. `certain`: it exists, or will not be created any more. */
export type Asked = 'none' | 'may come' | 'certain';

/** Snapshots that were requested from vCenter, recorded until their outcome is known. */
export interface SnapshotOrder {
  /** The state of an earlier request with this name. Must be called before the snapshot is searched for. */
  earlier(name: string, signal: AbortSignal): Promise<Asked>;
  take(name: string, volume: Volume, context: CallContext): Promise<CnsSnapshot>;
  /** Whether there is still a known record of it. */
  isNoted(name: string): boolean;
  /** Removes the record: the snapshot exists, or certainly will not be created any more. */
  settle(name: string, signal: AbortSignal): Promise<void>;
}

export const snapshotSettling = (name: string): VdoError =>
  new VdoError({
    code: 'VolumeBusy',
    message: `vCenter was asked to create snapshot ${name}, but its reply was lost`,
    remedy: 'No action needed: the driver searches for the snapshot, and requests it again if it does not appear.',
  });

/** Snapshots and volumes share the store of intents; no volume of a claim has such a name. */
const intentName = (name: string): string => `snapshot:${name}`;

const doubtKey = ({ name, askedAtMs }: VolumeIntent): string => `${name} ${askedAtMs}`;

export const createSnapshotOrder = (deps: SnapshotOrderDeps): SnapshotOrder => {
  const { vcenters, intents, clock, logger } = deps;
  const doubts = createDoubts(deps);
  /** The records that this process knows, with the keys of their doubts. */
  const noted = new Map<string, string>();
  /** Doubts about requests of this process. */
  const askedHere = new Set<string>();

  const mayStillCome = async (intent: VolumeIntent, signal: AbortSignal): Promise<boolean> => {
    const { instanceUuid, task, server } = intent;
    const vcenter = vcenters.find((one) => one.server === server);
    // Another vCenter has this name now. It will not carry out requests to the earlier one.
    if (!vcenter || (instanceUuid !== undefined && instanceUuid !== (await vcenter.instanceUuid({ signal }))))
      return false;
    const { createSnapshot: kind } = cnsTaskKinds;
    const [fate] = task ? await vcenter.tasks.fatesOf([task], { signal, kind }) : [];
    if (fate === 'under way') return true;
    const key = doubtKey(intent);
    // Another process sent the request. It is not known whether vCenter has restarted since and lost the task.
    if (!askedHere.has(key)) doubts.inherit(key, { metMs: clock.monotonicMs(), mayBeForgotten: true });
    // It is not known whether the task that ended or failed is ours: vCenter may have started to number its tasks again, and lost ours.
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
