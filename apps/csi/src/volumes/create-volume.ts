import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { VdoError } from '@vdo/base/vdo-error';
import type { CnsContainerCluster, CnsVolume } from '@vdo/vsphere/cns/cns-client';
import type { VCenter } from '@vdo/vsphere/vcenter';
import type { IntentStore, VolumeIntent } from '../intents/volume-intent.ts';
import type { Placer } from '../placement/placer.ts';
import type { Segments } from '../placement/segments.ts';
import type { CallContext } from '../rpc/call-context.ts';
import { decideExisting } from './decide-existing.ts';
import { outcomeUnknown } from './outcome.ts';
import type { CreatedVolume, CreateVolumeSpec, Volume } from './volume.ts';
import { cnsNameOf } from './volume-id.ts';
import type { VolumeLocator } from './volume-locator.ts';
import { chooseSizeMb } from './volume-size.ts';

export interface CreateVolumeDeps {
  readonly vcenters: readonly VCenter[];
  readonly locator: VolumeLocator;
  readonly placer: Placer;
  readonly intents: IntentStore;
  /** How volumes are registered with a vCenter. */
  readonly clusterOn: (server: string, options: { readonly signal: AbortSignal }) => Promise<CnsContainerCluster>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long vCenter may take to show the effect of a call whose reply was lost. Default 60 s. */
  readonly settleMs?: number;
}

export interface VolumeCreator {
  create(spec: CreateVolumeSpec, context: CallContext): Promise<CreatedVolume>;
  /** The volume that an earlier try made, or undefined if it certainly left none. */
  resume(intent: VolumeIntent, context: CallContext): Promise<Volume | undefined>;
}

const unknownServer = ({ name, server }: VolumeIntent): VdoError =>
  new VdoError({
    code: 'ConfigMissing',
    message: `volume ${name} was being created on vCenter ${server}, which the configuration no longer has`,
    remedy: `Add ${server} to the configuration until the volume is finished, or delete the VolumeIntent of ${name}.`,
  });

const stillSettling = ({ name, server }: VolumeIntent): VdoError =>
  new VdoError({
    code: 'VolumeBusy',
    message: `vCenter ${server} was asked for volume ${name}, but its reply was lost`,
    remedy: 'Nothing to do: the volume is looked for again, and asked for anew if it does not appear.',
  });

const created = (server: string, volume: CnsVolume): Volume => ({
  id: volume.id,
  server,
  name: volume.name,
  sizeMb: volume.capacityMb,
  datastoreUrl: volume.datastoreUrl,
  clusterIds: volume.containerClusterIds,
});

/**
 * Creates a volume so that a crash at any point leaves neither an orphan nor a second disk: the intent is written first, then vCenter
 * is asked, then the task is added to the intent; a later try continues where the intent says.
 */
export const createVolumeCreator = (deps: CreateVolumeDeps): VolumeCreator => {
  const { vcenters, locator, placer, intents, clusterOn, clock, logger, settleMs = 60_000 } = deps;

  const resume = async (intent: VolumeIntent, { lifetime: signal }: CallContext): Promise<Volume | undefined> => {
    const vcenter = vcenters.find(({ server }) => server === intent.server);
    if (!vcenter) throw unknownServer(intent);
    if (intent.task) {
      const volume = await vcenter.cns.awaitCreate(intent.task, { signal }).catch((error) => {
        if (outcomeUnknown(error)) throw error;
        return undefined;
      });
      if (volume) return created(intent.server, volume);
    }
    const { volumes, failures } = await locator.byName(cnsNameOf(intent.name), { signal });
    const mine = volumes.find(({ server }) => server === intent.server);
    if (mine) return mine;
    if (failures.has(intent.server)) throw failures.get(intent.server);
    if (!intent.task && clock.now() - intent.askedAtMs < settleMs) throw stillSettling(intent);
    return undefined;
  };

  // Which of the requested places an existing volume serves: the one that reaches its datastore.
  const placeOf = async (
    { datastoreUrl }: Volume,
    { topologies }: CreateVolumeSpec,
    signal: AbortSignal,
  ): Promise<{ readonly topology?: Segments }> => {
    if (topologies.length === 0) return {};
    const { topology } = await placer.place({ topologies, datastoreUrl }, { signal });
    return topology ? { topology } : {};
  };

  const ask = async (spec: CreateVolumeSpec, context: CallContext): Promise<CreatedVolume> => {
    const { lifetime: signal, fence } = context;
    const cnsName = cnsNameOf(spec.name);
    const sizeMb = chooseSizeMb(spec.size);
    const { volumes, failures } = await locator.byName(cnsName, { signal });
    const existing = decideExisting(volumes, spec);
    if (existing) {
      if (existing.others.length > 0)
        logger.warn('several volumes of one name: one is used, the others are left alone', {
          name: spec.name,
          used: existing.volume.id,
          others: existing.others.map(({ id }) => id),
        });
      return { ...existing.volume, ...(await placeOf(existing.volume, spec, signal)), blank: false };
    }

    const choice = await placer.place(spec, { signal });
    const { server } = choice.vcenter;
    if (failures.has(server)) throw failures.get(server);
    const cluster = await clusterOn(server, { signal });
    const intent: VolumeIntent = { name: spec.name, server, sizeMb, askedAtMs: clock.now() };
    await intents.put(intent, { signal });
    const onTask = (task: VolumeIntent['task']) =>
      // Without the task a crash still finds the volume by its name; losing the volume over this write would be worse.
      intents
        .put({ ...intent, ...(task ? { task } : {}) }, { signal })
        .catch((error) => logger.warn('task of a volume not recorded', { name: spec.name, task, error }));
    try {
      const volume = await choice.vcenter.cns.createBlockVolume(
        { name: cnsName, capacityMb: sizeMb, datastores: choice.datastores.map(({ ref }) => ref), cluster },
        { fence, signal, onTask },
      );
      return {
        ...created(server, volume),
        blank: true,
        ...(choice.topology ? { topology: choice.topology } : {}),
      };
    } catch (error) {
      if (!outcomeUnknown(error)) {
        placer.invalidate();
        await intents
          .remove(spec.name, { signal })
          .catch((cause) => logger.warn('intent of a failed volume not removed', { name: spec.name, error: cause }));
      }
      throw error;
    }
  };

  const create = async (spec: CreateVolumeSpec, context: CallContext): Promise<CreatedVolume> => {
    const intent = await intents.get(spec.name, { signal: context.lifetime });
    const earlier = intent ? await resume(intent, context) : undefined;
    if (earlier) {
      const existing = decideExisting([earlier], spec);
      if (existing)
        return { ...existing.volume, ...(await placeOf(existing.volume, spec, context.lifetime)), blank: true };
    }
    return ask(spec, context);
  };

  return { create, resume };
};
