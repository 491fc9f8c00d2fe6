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
  /** The metadata of a volume's PersistentVolume for vCenter; undefined if this cluster has none. */
  readonly shownAs: (volumeId: string) => CnsEntityMetadata | undefined;
  /** Whether a PersistentVolume of this cluster refers to this volume. */
  readonly hasVolume: (listed: Listed) => boolean;
  /** Volumes of this cluster on a vCenter, used while none has a heartbeat yet. */
  readonly volumesOn: (server: string) => readonly string[];
  /** Informed about the heartbeat of a volume, so that it is kept when the volume's metadata is sent again. */
  readonly onWord: (volumeId: string, word: string) => void;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly fence: Fence;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What a full sync has listed for one vCenter. */
export interface Listed {
  readonly server: string;
  readonly volume: CnsVolume;
}

interface Looked {
  readonly before: HeartbeatState | undefined;
  /** Volumes that may have a heartbeat. */
  readonly all: Pulse['own'];
  readonly signal: AbortSignal;
}

export interface Heartbeat {
  /** Checks all volumes, and writes a heartbeat if this process has not done so. Returns an error if another cluster has the same ID. */
  survey(
    listed: readonly Listed[],
    options: { readonly isComplete: boolean; readonly underWay: ReadonlySet<string>; readonly signal: AbortSignal },
  ): Promise<VdoError | undefined>;
  /** Checks the volumes that have heartbeats, and writes a heartbeat. */
  beat(signal: AbortSignal): Promise<VdoError | undefined>;
}

/** A volume that vCenter no longer lists is remembered for this many surveys, which is one day. */
const rememberedSurveys = 48;

/** Writes heartbeats with this cluster's ID to vCenter, and searches for heartbeats of other clusters. Only one replica does this at a time. */
export const createHeartbeat = (deps: HeartbeatDeps): Heartbeat => {
  const { kube, namespace, vcenters, clusterId, shownAs, random, logger, events } = deps;
  const store = heartbeatStore({ ...heartbeatPlace(kube, namespace), beforeSend: deps.fence.assertHeld });
  const gauge = deps.metrics.gauge({
    name: 'vdo_csi_cluster_id_shared',
    help: '1 while another cluster uses the cluster ID of this one. Nothing is deleted or detached then.',
  });
  let hasBeaten = false;
  /** Volumes that vCenter has listed or that PersistentVolumes of this cluster had, with the number of the last such survey. */
  const known = new Map<string, number>();
  let surveys = 0;

  /** A volume that vCenter did not list for a while is not new, even if its PersistentVolume was deleted meanwhile. */
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
    const error = clusterIdShared(clusterId, state.sign ?? 'its heartbeat was found');
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: names.csiSyncReport };
    events.record(reference, { type: 'Warning', reason: error.code, message: `${error.message}. ${error.remedy}` });
    return error;
  };

  const pulse = async (
    seen: Pick<Pulse, 'carriers' | 'foreignVolume' | 'isBeat'>,
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
    // If a vCenter refuses the heartbeat, it is sent again at the next one.
    await send({ own, word }, signal).catch((error) => {
      signal.throwIfAborted();
      logger.warn('cannot write the heartbeat to vCenter', { error });
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
      // Heartbeats that existed before this process started prove nothing, unless no process has ever checked.
      const isListed = isComplete && (surveys > 0 || before === undefined);
      const seen = {
        carriers,
        foreignVolume: isListed ? listed.find(isStranger)?.volume.id : undefined,
        isBeat: false,
      };
      if (isComplete) remember(listed);
      const isNews = () => afterObservation(before, { ...seen, own: [], word: '' }).quietBeats !== before?.quietBeats;
      const all = listed.map(({ server, volume }) => ({ server, volumeId: volume.id }));
      if (!hasBeaten || !before || isNews()) return pulse(seen, { before, all, signal });
      return tell(before);
    },
    beat: async (signal) => {
      const before = await store.load();
      // The first check is that of a full sync, which lists all volumes.
      if (!before) return undefined;
      const { carriers, failures } = await readCarriers(before.carriers, { vcenters, clusterId, signal });
      if (failures.length > 0) logger.warn('cannot read heartbeats from vCenter', { error: failures[0] });
      const all = vcenters.flatMap(({ server }) => deps.volumesOn(server).map((volumeId) => ({ server, volumeId })));
      return pulse({ carriers, isBeat: failures.length === 0 }, { before, all, signal });
    },
  };
};
