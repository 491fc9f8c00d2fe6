import { raceAbort } from '@vdo/base/async/race-abort';
import { createSingleFlight } from '@vdo/base/async/single-flight';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { VolumeIntent } from '../intents/volume-intent.ts';
import type { CallContext } from './call-context.ts';
import { type CreateVolumeDeps, createVolumeCreator } from './create-volume.ts';
import { createVolumeDeleter, type DeleteVolumeDeps } from './delete-volume.ts';
import type { AbandonProof } from './permissions.ts';
import { createRegisterAgain } from './register-again.ts';
import type { CreatedVolume, CreateVolumeSpec, Volume, VolumeService } from './volume.ts';
import { parseVolumeId } from './volume-id.ts';
import { findVolume, type ObserveOptions } from './volume-locator.ts';

export interface VolumeServiceDeps extends CreateVolumeDeps, DeleteVolumeDeps {
  /** If false, file shares are refused; true by default. */
  readonly fileVolumes?: boolean;
}

const busy = (what: string): VdoError =>
  new VdoError({
    code: 'VolumeBusy',
    message: `${what} is already in progress with other parameters`,
    remedy: 'No action needed: it is retried when the running operation has ended.',
  });

const filesOff = (name: string): VdoError =>
  new VdoError({
    code: 'VolumeCapabilityUnsupported',
    message: `volume ${name} was requested for several nodes, but file volumes are disabled in the configuration`,
    remedy:
      'Use ReadWriteOnce or ReadWriteOncePod, or set csi.fileVolumes (an object in VSphereDrivers, true in vsphere.conf).',
  });

const fingerprintOf = (spec: CreateVolumeSpec): string =>
  JSON.stringify(spec, (_key, value) => (typeof value === 'bigint' ? value.toString() : value));

/** Volumes in the CNS of one or several vCenters. Equal concurrent requests share one result. */
export const createVolumeService = (deps: VolumeServiceDeps): VolumeService => {
  const { vcenters, locator, intents, logger } = deps;
  const registerAgain = createRegisterAgain(deps);
  const deleter = createVolumeDeleter(deps);
  const creator = createVolumeCreator(deps);
  const creations = createSingleFlight<CreatedVolume>();
  const abandonments = createSingleFlight<void>();
  const deletions = createSingleFlight<void>();

  const find = async (id: string, options: ObserveOptions): Promise<Volume | undefined> => {
    // A path is not a vCenter ID; callers must translate it first.
    const kind = parseVolumeId(id)?.kind;
    return kind === 'block' || kind === 'file' ? findVolume(locator, id, options) : undefined;
  };

  /** Created, but not listed: an earlier attempt has deleted it, unless vCenter lists nothing at all. */
  const unseen = async (error: unknown, intent: VolumeIntent, context: CallContext): Promise<Volume | undefined> => {
    if (!isVdoError(error, 'VolumeNotFound')) throw error;
    const { lifetime: signal } = context;
    if (await find(String(error.details['volume']), { signal, isSure: true })) throw error;
    // Task numbers can repeat: the volume that is not listed may have been created for another intent, while this intent's volume exists.
    const own = await creator.findByName(intent, context);
    if (!own)
      logger.warn('a volume that is no longer needed is not in the list of vCenter and is left unchanged', { error });
    return own;
  };

  const abandonMade = async (intent: VolumeIntent, id: string, proof: AbandonProof, context: CallContext) => {
    const { name, askedAtMs } = intent;
    const { lifetime: signal } = context;
    const seen = await proof.attempt.ask(`the intent of ${name}`, () => intents.get(name, { signal }));
    const now = seen.value;
    if (now?.askedAtMs !== askedAtMs || now.handedOver) throw busy(`creation of volume ${name}`);
    await deleter.abandon(now, id, { ...proof, seen, context });
  };

  return {
    create: async (spec, context) => {
      if (spec.kind === 'file' && deps.fileVolumes === false) throw filesOff(spec.name);
      return raceAbort(
        creations.run(spec.name, () => creator.create(spec, context), {
          fingerprint: fingerprintOf(spec),
          onOther: () => busy(`creation of volume ${spec.name}`),
        }),
        context.signal,
      );
    },
    handOver: async (name, volumeId, { lifetime: signal }) => {
      const intent = creator.takeNote(name) ?? (await intents.get(name, { signal }));
      // Found by its name and without an intent, so that nothing can be confused later.
      if (!intent || intent.of) return undefined;
      if (intent.handedOver !== volumeId) await intents.put({ ...intent, handedOver: volumeId }, { signal });
      return intent.instanceUuid;
    },
    acknowledge: async (name, { lifetime: signal }) => {
      creator.takeNote(name);
      await intents.remove(name, { signal });
    },
    abandon: (name, prove, context) =>
      abandonments.run(name, async () => {
        const { lifetime: signal } = context;
        const intent = await intents.get(name, { signal });
        if (!intent || intent.handedOver) return;
        if (creations.isRunning(name)) throw busy(`creation of volume ${name}`);
        const volume = await creator.resume(intent, context).catch((error) => unseen(error, intent, context));
        const proof = volume && (await prove(volume.id));
        if (volume && proof) await abandonMade(intent, volume.id, proof, context);
        if (intent.copyOf) await deps.sources.cleanUp(name, intent.copyOf, context);
        await intents.remove(name, { signal });
      }),
    whereabouts: (attempt, volume, { lifetime: signal }) => deleter.whereabouts(attempt, volume, signal),
    delete: (id, context) =>
      raceAbort(
        deletions.run(id, () => deleter.delete(id, context)),
        context.signal,
      ),
    find: (id, { signal }) => find(id, { signal }),
    isGone: async (id, context) => {
      const { signal } = context;
      const volume = await find(id, { signal, isSure: true }).catch((failure: unknown) =>
        registerAgain(vcenters, failure, context),
      );
      return volume === undefined;
    },
    list: async ({ signal }) => {
      const { volumes, failures } = await locator.all({ signal });
      const [failure] = failures.values();
      if (failures.size > 0) throw failure;
      return volumes;
    },
  };
};
