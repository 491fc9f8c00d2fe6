import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { effectOf, isVdoError, VdoError } from '@vdo/base/vdo-error';
import { cnsTaskKinds } from '@vdo/vsphere/tasks/cns-task-kinds';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { VolumeKind } from '../driver.ts';
import { createTaskRecorder, type IntentStore, type VolumeIntent } from '../intents/volume-intent.ts';
import type { Placer } from '../placement/placer.ts';
import type { PolicyFilter } from '../placement/policy-filter.ts';
import { preferring } from '../placement/preferred-datastores.ts';
import type { Segments } from '../placement/segments.ts';
import type { CallContext } from './call-context.ts';
import { type CsiVCenter, vcenterOf } from './csi-vcenter.ts';
import { createDoubts } from './doubts.ts';
import { createVolumeOrder, type OrderVolumeDeps } from './order-volume.ts';
import { createRegisterAgain } from './register-again.ts';
import { hiddenDiskOf } from './sight.ts';
import type { CreatedVolume, CreateVolumeSpec, Volume } from './volume.ts';
import { cnsNameOf, parseVolumeId } from './volume-id.ts';
import { toVolume, type VolumeLocator } from './volume-locator.ts';
import { chooseSizeMb, mbToBytes, sizeSatisfies } from './volume-size.ts';

const conflict = (volume: Volume, spec: CreateVolumeSpec, observed: string, expected: string): VdoError =>
  new VdoError({
    code: 'VolumeConflict',
    message: `volume ${spec.name} already exists on vCenter ${volume.server} as ${volume.id} with ${observed}, but ${expected} was requested`,
    remedy: `If ${volume.id} is unused, delete it in vCenter (Monitor, Cloud Native Storage, Container Volumes); otherwise create a new claim.`,
    details: { volumeId: volume.id, server: volume.server },
  });

// A copy starts with the size of its original and is expanded afterwards. A smaller size means that it is unfinished, not that it is wrong.
const sizeFits = ({ sizeMb }: Volume, { size, source }: CreateVolumeSpec): boolean =>
  sizeSatisfies(sizeMb, source && size ? { ...size, requiredBytes: 0n } : size);

const fits = (volume: Volume, spec: CreateVolumeSpec): boolean =>
  sizeFits(volume, spec) &&
  volume.kind === (spec.kind ?? 'block') &&
  (spec.datastoreUrl === undefined || volume.datastoreUrl === '' || volume.datastoreUrl === spec.datastoreUrl);

/**
 * Selects, from the volumes with the requested name, the one for the request: the first that fits, by ID. Undefined if there are none;
 * throws VolumeConflict if none fits. CNS may have several volumes with the same name; the others are reported, never deleted.
 */
const decideExisting = (
  volumes: readonly Volume[],
  spec: CreateVolumeSpec,
): { readonly volume: Volume; readonly others: readonly Volume[] } | undefined => {
  const sorted = [...volumes].sort((a, b) => (a.id < b.id ? -1 : 1));
  const [first] = sorted;
  if (!first) return undefined;
  const volume = sorted.find((candidate) => fits(candidate, spec));
  if (volume) return { volume, others: sorted.filter((other) => other !== volume) };
  if (!sizeFits(first, spec)) {
    const { requiredBytes = 0n, limitBytes = 0n } = spec.size ?? {};
    const limit = limitBytes > 0n ? ` and at most ${limitBytes} bytes` : '';
    throw conflict(first, spec, `${mbToBytes(first.sizeMb)} bytes`, `at least ${requiredBytes}${limit}`);
  }
  const { kind = 'block' } = spec;
  if (first.kind !== kind) throw conflict(first, spec, `kind ${first.kind}`, `kind ${kind}`);
  throw conflict(first, spec, `datastore ${first.datastoreUrl}`, `datastore ${spec.datastoreUrl}`);
};

export interface CreateVolumeDeps extends OrderVolumeDeps {
  readonly locator: VolumeLocator;
  readonly placer: Placer;
  readonly policies: PolicyFilter;
  readonly intents: IntentStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The cluster ID under which this cluster registers volumes. */
  readonly clusterId: string;
}

export interface VolumeCreator {
  create(spec: CreateVolumeSpec, context: CallContext): Promise<CreatedVolume>;
  /** The volume that an earlier attempt created, or undefined if it certainly created none. */
  resume(intent: VolumeIntent, context: CallContext): Promise<Volume | undefined>;
  /** The volume with the name of an intent. If vCenter lost its record of the volume, it is registered again. Throws while the result is uncertain. */
  findByName(intent: VolumeIntent, context: CallContext): Promise<Volume | undefined>;
  /** The intent of a creation by this process; each is returned only once. */
  takeNote(name: string): VolumeIntent | undefined;
}

const assertLargeEnough = ({ name, size }: CreateVolumeSpec, original: Volume): void => {
  const bytes = mbToBytes(original.sizeMb);
  const tooSmall = (asked: bigint) => asked > 0n && asked < bytes;
  if (!size || !(tooSmall(size.requiredBytes) || tooSmall(size.limitBytes))) return;
  throw new VdoError({
    code: 'VolumeSizeInvalid',
    message: `volume ${name} is a copy of ${original.id}, which has ${bytes} bytes, but only ${size.requiredBytes || size.limitBytes} bytes were requested`,
    remedy: 'Request at least the size of the original.',
  });
};

/** What is known about the content of a volume that may have been written to since its creation: a copy was never blank. */
const pastUnknown = ({ source }: CreateVolumeSpec): { readonly blank: boolean | undefined } => ({
  blank: source ? false : undefined,
});

/** What is known about the content of a volume that this request created. A share has no disk that could be formatted. */
const blankness = ({ source, kind }: CreateVolumeSpec): { readonly blank: boolean | undefined } => ({
  blank: kind === 'file' ? undefined : !source,
});

const unknownServer = ({ name, server }: VolumeIntent): VdoError =>
  new VdoError({
    code: 'ConfigMissing',
    message: `volume ${name} was being created on vCenter ${server}, which is no longer configured`,
    remedy: `Add ${server} to the configuration until the volume is finished, or delete the VolumeIntent of ${name}.`,
  });

const stillSettling = ({ name, server }: VolumeIntent): VdoError =>
  new VdoError({
    code: 'VolumeBusy',
    message: `vCenter ${server} was asked to create volume ${name}, but its reply was lost`,
    remedy: 'No action needed: the driver searches for the volume, and requests it again if it does not appear.',
  });

const doubtKey = ({ name, askedAtMs }: VolumeIntent): string => `${name} ${askedAtMs}`;

/** Earlier releases did not record whether a volume is a share or a disk. */
const kindOf = ({ kind, instanceUuid }: VolumeIntent): VolumeKind | undefined =>
  instanceUuid === undefined ? kind : (kind ?? 'block');

/** Tasks that may be running for an intent. */
const creations = ({ copyOf }: VolumeIntent): RegExp => cnsTaskKinds[copyOf ? 'copyVolume' : 'createVolume'];

/**
 * Creates a volume so that a crash at any point leaves neither an orphan nor a second disk: first the intent is written, then vCenter is
 * asked, then the task is added to the intent. A later attempt continues from the state in the intent.
 */
export const createVolumeCreator = (deps: CreateVolumeDeps): VolumeCreator => {
  const { vcenters, locator, placer, sources, policies, intents, clock, logger, clusterId } = deps;
  const doubts = createDoubts(deps);
  const order = createVolumeOrder(deps);
  const registerAgain = createRegisterAgain(deps);
  const noted = new Map<string, VolumeIntent>();
  /** Requests that this process sent itself, or that it knows to be ended. The outcome of other requests is known to no running process. */
  const known = new Map<string, 'sent' | 'over'>();

  /**
   * The volume that the recorded task created, if it matches the intent. vCenter starts to number its tasks again after a restore, so
   * undefined says nothing about our task: a task that created something else or failed may be another one with the same number.
   */
  const madeBy = async (
    intent: VolumeIntent,
    task: MoRef,
    vcenter: CsiVCenter,
    signal: AbortSignal,
  ): Promise<Volume | undefined> => {
    try {
      const made = await vcenter.cns.awaitCreate(task, { signal });
      const volume = made && toVolume(intent.server, made);
      return volume?.name === cnsNameOf(intent.name) && volume.clusterIds.includes(clusterId) ? volume : undefined;
    } catch (error) {
      // The result is malformed: a task of another kind has this number now.
      if (effectOf(error) !== 'unknown' || isVdoError(error, 'VCenterReplyMalformed')) return undefined;
      const unseen = isVdoError(error, 'VolumeNotFound') ? String(error.details['volume']) : undefined;
      if (unseen === undefined || !(await isNotThere(unseen, intent, vcenter, signal))) throw error;
      return undefined;
    }
  };

  /**
   * Whether a volume that a task created, and that CNS does not list, cannot be the volume of the intent: created for another one, or deleted
   * since. A share is in no other list: if CNS lists nothing at all, for example without the privilege to search, the share may still exist.
   */
  const isNotThere = async (id: string, intent: VolumeIntent, { cns }: CsiVCenter, signal: AbortSignal) => {
    const wanted = kindOf(intent);
    const made = parseVolumeId(id)?.kind;
    if (wanted !== undefined && made !== wanted) return true;
    if (made === 'file' && !(await cns.showsAny({ signal }))) return false;
    const { volumes, failures } = await locator.byId(id, { signal, isSure: true });
    const hidden = hiddenDiskOf(failures.get(intent.server));
    if (hidden) return hidden.name !== cnsNameOf(intent.name);
    return volumes.length === 0 && !failures.has(intent.server);
  };

  /** Whether the vCenter that was asked is the same one that has its name now. */
  const isSameVCenter = async (
    { name, server, instanceUuid }: VolumeIntent,
    vcenter: CsiVCenter,
    signal: AbortSignal,
  ) => {
    if (instanceUuid === undefined) return true;
    const now = await vcenter.instanceUuid({ signal });
    if (now === instanceUuid) return true;
    logger.warn('a volume was being created on another vCenter with this name', { name, server, instanceUuid, now });
    return false;
  };

  const askedVCenter = (intent: VolumeIntent): CsiVCenter => {
    const vcenter = vcenters.find(({ server }) => server === intent.server);
    if (!vcenter) throw unknownServer(intent);
    return vcenter;
  };

  const findByName = async (
    intent: VolumeIntent,
    context: CallContext,
    {
      isSure = true,
      kind = kindOf(intent),
    }: { readonly isSure?: boolean; readonly kind?: VolumeKind | undefined } = {},
  ): Promise<Volume | undefined> => {
    const observe = { signal: context.lifetime, isSure, kind };
    const { volumes, failures } = await locator.byName(cnsNameOf(intent.name), observe);
    const shown = volumes.find(({ server }) => server === intent.server);
    const failure = failures.get(intent.server);
    return !shown && failure ? registerAgain([askedVCenter(intent)], failure, context) : shown;
  };

  const resume = async (
    intent: VolumeIntent,
    context: CallContext,
    kind = kindOf(intent),
  ): Promise<Volume | undefined> => {
    const { lifetime: signal } = context;
    const vcenter = askedVCenter(intent);
    if (!(await isSameVCenter(intent, vcenter, signal))) return undefined;
    if (intent.handedOver) {
      const { volumes, failures } = await locator.byId(intent.handedOver, { signal, isSure: true });
      if (volumes.length === 0 && failures.has(intent.server)) throw failures.get(intent.server);
      return volumes.find((volume) => volume.server === intent.server);
    }
    const key = doubtKey(intent);
    const made = intent.task && (await madeBy(intent, intent.task, vcenter, signal));
    if (made) return made;
    // It is not known whether vCenter has restarted since another process sent its request, and has lost the task.
    const forgotten = intent.task !== undefined || !known.has(key);
    const question = { key, tasks: vcenter.tasks, kind: creations(intent), forgotten };
    const mayStillHappen = known.get(key) !== 'over' && (await doubts.mayStillHappen(question, { signal }));
    const mine = await findByName(intent, context, { isSure: !mayStillHappen, kind });
    if (!mine && mayStillHappen) throw stillSettling(intent);
    doubts.settle(key);
    if (mine) known.delete(key);
    else known.set(key, 'over');
    return mine;
  };

  // The topology segment of an existing volume: the requested one from which its datastore is accessible.
  const placeOf = async (
    { datastoreUrl, kind }: Volume,
    { topologies }: CreateVolumeSpec,
    signal: AbortSignal,
  ): Promise<{ readonly topology?: Segments }> => {
    if (topologies.length === 0) return {};
    const { topology } = await placer.place({ topologies, datastoreUrl, kind }, { signal });
    return topology ? { topology } : {};
  };

  // The remaining steps after the disk exists: a copy is expanded to the requested size, and its temporary snapshot is deleted.
  const finish = async (volume: Volume, spec: CreateVolumeSpec, context: CallContext): Promise<Volume> => {
    const { source } = spec;
    if (!source) return volume;
    const { lifetime: signal, fence } = context;
    const wantedMb = spec.size && spec.size.requiredBytes > 0n ? chooseSizeMb(spec.size) : volume.sizeMb;
    if (volume.sizeMb < wantedMb) await vcenterOf(vcenters, volume).cns.extend(volume.id, wantedMb, { signal, fence });
    if (source.kind === 'volume') await sources.cleanUp(spec.name, source.volumeId, context);
    return { ...volume, sizeMb: volume.sizeMb < wantedMb ? wantedMb : volume.sizeMb };
  };

  /** Cleans up after a creation that has certainly failed. */
  const forget = async (intent: VolumeIntent, context: CallContext): Promise<void> => {
    const { name, copyOf } = intent;
    known.set(doubtKey(intent), 'over');
    if (copyOf) await sources.cleanUp(name, copyOf, context);
    await intents.remove(name, { signal: context.lifetime });
    known.delete(doubtKey(intent));
  };

  // The volume that already has the name, if there is one. Without an intent its history is not known.
  const adopt = async (volumes: readonly Volume[], spec: CreateVolumeSpec, context: CallContext) => {
    const existing = decideExisting(volumes, spec);
    if (!existing) return undefined;
    await spec.confirm?.();
    if (existing.others.length > 0)
      logger.warn('several volumes have the same name: one is used, the others are left unchanged', {
        name: spec.name,
        used: existing.volume.id,
        others: existing.others.map(({ id }) => id),
      });
    const volume = await finish(existing.volume, spec, context);
    return {
      ...volume,
      ...(await placeOf(volume, spec, context.lifetime)),
      ...pastUnknown(spec),
    };
  };

  /** The location of the volume, and its initial size. */
  const plan = async (spec: CreateVolumeSpec, context: CallContext) => {
    const original = spec.source && (await sources.volumeOf(spec.source, context));
    if (original) assertLargeEnough(spec, original);
    // A snapshot can only be copied on its own datastore.
    const where = original ? { topologies: spec.topologies, datastoreUrl: original.datastoreUrl } : spec;
    const choice = await placer.place(where, { signal: context.lifetime });
    const sizeMb = original?.sizeMb ?? chooseSizeMb(spec.size);
    const { storagePolicyName } = spec;
    const prefer = (datastores: typeof choice.datastores) => ({
      ...choice,
      datastores: preferring(datastores, choice.preferred),
    });
    if (storagePolicyName === undefined)
      return { original, choice: prefer(choice.datastores), sizeMb, policyId: undefined };
    const vcenter = vcenterOf(vcenters, choice.vcenter);
    const options = { signal: context.lifetime };
    const policy = await policies.choose(vcenter, storagePolicyName, choice.datastores, options);
    return { original, sizeMb, choice: prefer(policy.datastores), policyId: policy.policyId };
  };

  const ask = async (spec: CreateVolumeSpec, context: CallContext): Promise<CreatedVolume> => {
    const { lifetime: signal } = context;
    // A request that cannot be served is refused before anything is looked up.
    chooseSizeMb(spec.size);
    const { volumes, failures } = await locator.byName(cnsNameOf(spec.name), { signal });
    const adopted = await adopt(volumes, spec, context);
    if (adopted) return adopted;

    const { original, choice, sizeMb, policyId } = await plan(spec, context);
    const { server } = choice.vcenter;
    if (failures.has(server)) throw failures.get(server);
    const copyOf = spec.source?.kind === 'volume' ? { copyOf: spec.source.volumeId } : {};
    const kind = spec.kind === 'file' ? { kind: spec.kind } : {};
    const instanceUuid = await vcenterOf(vcenters, choice.vcenter).instanceUuid({ signal });
    const asked = { name: spec.name, server, instanceUuid, sizeMb, askedAtMs: clock.now() };
    const intent: VolumeIntent = { ...asked, ...copyOf, ...kind, ...(spec.claim ? { claim: spec.claim } : {}) };
    await spec.confirm?.();
    known.set(doubtKey(intent), 'sent');
    await intents.put(intent, { signal });
    noted.set(spec.name, intent);
    const recorder = createTaskRecorder({ intents, intent, clock, logger, signal });
    const { onTask } = recorder;
    const askedMs = clock.monotonicMs();
    const ordered = order(spec, choice, context, { sizeMb, policyId, original, onTask }).finally(recorder.settle);
    const disk = await ordered.catch(async (error) => {
      if (effectOf(error) === 'none') {
        placer.invalidate();
        await forget(intent, context).catch((cause) =>
          logger.warn('cannot remove what a failed volume creation left behind', { name: spec.name, error: cause }),
        );
      } else doubts.begin(doubtKey(intent), { askedMs });
      throw error;
    });
    known.delete(doubtKey(intent));
    const volume = await finish(toVolume(server, disk), spec, context);
    return { ...volume, ...blankness(spec), ...(choice.topology ? { topology: choice.topology } : {}) };
  };

  const create = async (spec: CreateVolumeSpec, context: CallContext): Promise<CreatedVolume> => {
    const intent = await intents.get(spec.name, { signal: context.lifetime });
    if (intent) noted.set(spec.name, intent);
    const earlier = intent ? await resume(intent, context, spec.kind ?? 'block') : undefined;
    const existing = earlier && decideExisting([earlier], spec);
    if (!existing) return ask(spec, context);
    await spec.confirm?.();
    const volume = await finish(existing.volume, spec, context);
    return {
      ...volume,
      ...(await placeOf(volume, spec, context.lifetime)),
      ...(intent?.of || intent?.handedOver ? pastUnknown(spec) : blankness(spec)),
    };
  };

  const takeNote = (name: string): VolumeIntent | undefined => {
    const intent = noted.get(name);
    noted.delete(name);
    return intent;
  };

  return { create, resume, findByName: (intent, context) => findByName(intent, context), takeNote };
};
