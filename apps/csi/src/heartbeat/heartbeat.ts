import { clusterIdShared } from '@vdo/acts/cluster-id/cluster-id-shared';
import {
  afterObservation,
  type HeartbeatState,
  heartbeatLabel,
  heartbeatStore,
  isShared,
  type Pulse,
} from '@vdo/acts/cluster-id/heartbeat-state';
import { readCarriers, wordOf } from '@vdo/acts/cluster-id/read-carriers';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import type { VdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import type { EventRecorder } from '@vdo/kube/events';
import type { CnsContainerCluster, CnsEntityMetadata, CnsVolume } from '@vdo/vsphere/cns/cns-types';
import { type CsiVCenter, vcenterOf } from '../volumes/csi-vcenter.ts';
import { heartbeatPlace } from './heartbeat-place.ts';

export interface HeartbeatDeps {
  readonly kube: KubeClient;
  readonly namespace: string;
  readonly vcenters: readonly CsiVCenter[];
  readonly clusterOn: (server: string, options: { readonly signal: AbortSignal }) => Promise<CnsContainerCluster>;
  readonly clusterId: string;
  /** The PersistentVolume of a volume as vCenter is to show it; undefined if this cluster has none. */
  readonly shownAs: (volumeId: string) => CnsEntityMetadata | undefined;
  /** Whether any PersistentVolume of this cluster is this volume. */
  readonly hasVolume: (listed: Listed) => boolean;
  /** Volumes of this cluster on a vCenter, for when none carries a heartbeat yet. */
  readonly volumesOn: (server: string) => readonly string[];
  /** Told which word a volume carries, so that it is kept when the volume's objects are told anew. */
  readonly onWord: (volumeId: string, word: string) => void;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly fence: Fence;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What a full sync has listed of one vCenter. */
export interface Listed {
  readonly server: string;
  readonly volume: CnsVolume;
}

interface Looked {
  readonly before: HeartbeatState | undefined;
  /** Volumes that may carry a heartbeat. */
  readonly all: Pulse['own'];
  readonly signal: AbortSignal;
}

export interface Heartbeat {
  /** Looks at all volumes, and beats if this process has not yet. Undefined, or that another cluster has the id. */
  survey(
    listed: readonly Listed[],
    options: { readonly isComplete: boolean; readonly underWay: ReadonlySet<string>; readonly signal: AbortSignal },
  ): Promise<VdoError | undefined>;
  /** Looks at the volumes that carry heartbeats, and beats. */
  beat(signal: AbortSignal): Promise<VdoError | undefined>;
}

/** For so many surveys a volume is remembered that vCenter does not show: a day of them. */
const rememberedSurveys = 48;

/** Beats under the id of this cluster in vCenter, and looks for beats of others. One replica does it at a time. */
export const createHeartbeat = (deps: HeartbeatDeps): Heartbeat => {
  const { kube, namespace, vcenters, clusterId, shownAs, random, logger, events } = deps;
  const store = heartbeatStore({ ...heartbeatPlace(kube, namespace), beforeSend: deps.fence.assertHeld });
  const gauge = deps.metrics.gauge({
    name: 'vdo_csi_cluster_id_shared',
    help: '1 while another cluster acts under the id of this one, and nothing is deleted or detached.',
  });
  let hasBeaten = false;
  /** Volumes that vCenter has shown, or that PersistentVolumes of this cluster had, and at which survey last. */
  const known = new Map<string, number>();
  let surveys = 0;

  /** One that vCenter hid for a while is no news, although its PersistentVolume has gone meanwhile. */
  const remember = (listed: readonly Listed[]) => {
    surveys += 1;
    const own = vcenters.flatMap(({ server }) => deps.volumesOn(server));
    for (const id of [...listed.map(({ volume }) => volume.id), ...own]) known.set(id, surveys);
    for (const [id, last] of known) if (last < surveys - rememberedSurveys) known.delete(id);
  };

  const isVolumeHere = (entity: { readonly clusterId: string; readonly kind: string }) =>
    entity.clusterId === clusterId && entity.kind === 'PERSISTENT_VOLUME';

  const carrierOn = (server: string, carrying: Pulse['own'], all: Pulse['own']) => {
    const known = (ones: Pulse['own']) => ones.filter((one) => one.server === server && shownAs(one.volumeId));
    const [first] = [carrying, all].map(known).find((ones) => ones.length > 0) ?? [];
    return first ? [{ server, volumeId: first.volumeId }] : [];
  };

  const send = async ({ own, word }: Pick<Pulse, 'own' | 'word'>, signal: AbortSignal): Promise<void> => {
    for (const { server, volumeId } of own) {
      const shown = shownAs(volumeId);
      if (!shown) continue;
      deps.onWord(volumeId, word);
      const cluster = await deps.clusterOn(server, { signal });
      const entities = [{ ...shown, labels: { ...shown.labels, [heartbeatLabel]: word } }];
      const [outcome] = await vcenterOf(vcenters, { server }).cns.updateMetadata([{ volumeId, cluster, entities }], {
        fence: deps.fence,
        signal,
      });
      if (outcome?.ok === false) throw outcome.error;
    }
  };

  const tell = (state: HeartbeatState): VdoError | undefined => {
    gauge.set({}, isShared(state) ? 1 : 0);
    if (!isShared(state)) return undefined;
    const error = clusterIdShared(clusterId, state.sign ?? 'its heartbeat was seen');
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: names.csiSyncReport };
    events.record(reference, { type: 'Warning', reason: error.code, message: `${error.message}. ${error.remedy}` });
    return error;
  };

  const pulse = async (
    seen: Pick<Pulse, 'carriers' | 'stranger' | 'isBeat'>,
    { before, all, signal }: Looked,
  ): Promise<VdoError | undefined> => {
    const noted = Object.entries(before?.carriers ?? {}).flatMap(([server, ids]) =>
      ids.map((volumeId) => ({ server, volumeId })),
    );
    const own = vcenters.flatMap(({ server }) => carrierOn(server, [...seen.carriers, ...noted], all));
    const word = random.uuid().slice(0, 13);
    const after = afterObservation(before, { ...seen, own, word });
    await store.save(after, { signal });
    hasBeaten = true;
    // A vCenter that does not take it is asked again at the next beat.
    await send({ own, word }, signal).catch((error) => {
      signal.throwIfAborted();
      logger.warn('heartbeat not told to vCenter', { error });
    });
    return tell(after);
  };

  return {
    survey: async (listed, { isComplete, underWay, signal }) => {
      const before = await store.load();
      const carriers = listed.flatMap(({ server, volume }) => {
        const word = wordOf(volume, clusterId);
        return word === undefined ? [] : [{ server, volumeId: volume.id, word }];
      });
      for (const { volumeId, word } of carriers) deps.onWord(volumeId, word);
      const isStranger = (one: Listed) =>
        !known.has(one.volume.id) &&
        !deps.hasVolume(one) &&
        !underWay.has(one.volume.name) &&
        (one.volume.entities ?? []).some(isVolumeHere);
      // What was there when this process came says nothing, unless nobody has ever looked.
      const isListed = isComplete && (surveys > 0 || before === undefined);
      const seen = { carriers, stranger: isListed ? listed.find(isStranger)?.volume.id : undefined, isBeat: false };
      if (isComplete) remember(listed);
      const isNews = () => afterObservation(before, { ...seen, own: [], word: '' }).quietBeats !== before?.quietBeats;
      const all = listed.map(({ server, volume }) => ({ server, volumeId: volume.id }));
      if (!hasBeaten || !before || isNews()) return pulse(seen, { before, all, signal });
      return tell(before);
    },
    beat: async (signal) => {
      const before = await store.load();
      // The first look is that of a full sync, which sees all volumes.
      if (!before) return undefined;
      const { carriers, failures } = await readCarriers(before.carriers, { vcenters, clusterId, signal });
      if (failures.length > 0) logger.warn('heartbeats not read from vCenter', { error: failures[0] });
      const all = vcenters.flatMap(({ server }) => deps.volumesOn(server).map((volumeId) => ({ server, volumeId })));
      return pulse({ carriers, isBeat: failures.length === 0 }, { before, all, signal });
    },
  };
};
