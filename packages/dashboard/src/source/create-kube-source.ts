import { type Clock, sleep } from '@vdo/base/clock';
import { type Logger, silentLogger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import { isVdoError, toVdoError, type VdoError } from '@vdo/base/vdo-error';
import { volumeIntentResource } from '@vdo/config/api/volume-intent';
import { type VSphereDrivers, vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';
import { createInformer, type InformerOptions, type ObservableInformer } from '@vdo/kube/create-informer';
import { createNodeTrimmer } from '@vdo/kube/trim-node';
import {
  type ConfigMap,
  configMaps,
  type Event,
  events,
  nodes,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
} from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { type VolumeSnapshot, volumeSnapshots } from '@vdo/kube/types/snapshots';
import { type StorageClass, storageClasses, type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import { emptyInventory, type Inventory } from '../inventory.ts';
import type { DashboardModel, DashboardSource, Gap, Summary } from '../model.ts';
import type { SampleRow } from '../rows/time-rows.ts';
import { buildModel, createModelMemory } from './build-model.ts';
import { type CallMeter, createCallSampler } from './call-sampler.ts';
import { createHistory } from './history.ts';
import { createJournal } from './journal.ts';
import { nodeMoments, operationMoment, placeMoments, resourceMoments } from './moments.ts';
import { parsePlacesNote, placesNote } from './places-note.ts';
import type { RatesReader } from './prometheus-rates.ts';
import { isSame } from './remember.ts';
import { createSpaceHistory } from './space-history.ts';
import { createAttachTimes } from './step-times.ts';
import { trimPod, type VolumeIntentFact } from './volume-facts.ts';
import { type EndedOperation, endedAttachment, endedClaim, endedSnapshot, endedVolume } from './watch-operations.ts';

/** Reads the inventory of volumes that the leader of the operator keeps. */
export interface InventoryReader {
  readonly everyMs: number;
  read(signal: AbortSignal): Promise<Inventory>;
}

export interface KubeSourceOptions {
  readonly client: KubeClient;
  /** Shown in the headline: the address or the name of the cluster. */
  readonly cluster: string;
  readonly clock: Clock;
  readonly random: Random;
  /** The namespace of the operator, which records there where nodes run. */
  readonly namespace: string;
  /** Counts the calls to vCenter, for the plot; absent: no plot. */
  readonly meter?: CallMeter;
  /** Absent: the page says that it does not know the datastores of the disks. */
  readonly inventory?: InventoryReader;
  /** Reads rates of a longer period than this source has recorded; absent: none. */
  readonly rates?: RatesReader;
  readonly logger?: Logger;
}

export interface KubeSource extends DashboardSource {
  /** Follows the cluster until aborted. */
  run(signal: AbortSignal): Promise<void>;
}

const trimNode = createNodeTrimmer({
  taints: true,
  addresses: true,
  conditions: ['Ready'],
  nodeInfo: ['kubeletVersion'],
});

const whyOf = ({ message, remedy }: VdoError): string => `${message}. ${remedy}`;
const isMissing = (error: VdoError | undefined): boolean => isVdoError(error, 'KubeNotFound', 'KubeResourceMissing');

/** The page's facts from the cluster, kept fresh by watches. */
export const createKubeSource = (options: KubeSourceOptions): KubeSource => {
  const { client, clock, random, logger = silentLogger } = options;
  const follow = <T extends KubeObject>(
    resource: Resource<T>,
    selection: Partial<InformerOptions<T>> = {},
  ): ObservableInformer<T> => createInformer({ client, resource, clock, random, logger, ...selection });
  const drivers = follow<VSphereDrivers & KubeObject>(vsphereDrivers as Resource<VSphereDrivers & KubeObject>);
  const allNodes = follow(nodes, { transform: trimNode });
  const volumes = follow<PersistentVolume>(persistentVolumes);
  /** Without these the page says that it does not follow the cluster. */
  const needed = [drivers, allNodes, volumes];
  const claims = follow<PersistentVolumeClaim>(persistentVolumeClaims);
  const attachments = follow<VolumeAttachment>(volumeAttachments);
  const allPods = follow(pods, { transform: trimPod });
  const snapshots = follow<VolumeSnapshot>(volumeSnapshots);
  const classes = follow<StorageClass>(storageClasses);
  const intents = follow(volumeIntentResource as Resource<VolumeIntentFact>);
  const recorded = follow<Event>(events);
  const placed = follow<ConfigMap>(configMaps, {
    namespace: options.namespace,
    fieldSelector: `metadata.name=${placesNote.name}`,
  });
  /** A user without the right to read one of these sees everything else, and what is missing. */
  const wanted: readonly (readonly [what: string, informer: ObservableInformer<never>])[] = [
    ['Claims', claims],
    ['Attachments', attachments],
    ['Pods', allPods],
    ['Snapshots', snapshots],
    ['StorageClasses', classes],
    ['Volumes that are being created', intents],
    ['Events', recorded],
    ['Where nodes run', placed],
  ] as unknown as readonly (readonly [string, ObservableInformer<never>])[];
  const all = [...needed, ...wanted.map(([, informer]) => informer)] as readonly ObservableInformer<KubeObject>[];

  const watchedSinceMs = clock.now();
  const history = createHistory();
  const journal = createJournal();
  const sampler =
    options.meter &&
    createCallSampler(options.meter, clock, ({ atMs, calls, errors, latencyMs }) =>
      history.add('call', atMs, { count: calls, errors, ms: calls * (latencyMs ?? 0) }),
    );
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of [...listeners]) listener();
  };
  const attached = createAttachTimes();
  // Before the listeners of the page: rows are built from both.
  attachments.onChange((change) => attached.note(change, clock.now()));
  for (const informer of all) informer.onChange(changed);
  let noted = parsePlacesNote(undefined);
  placed.onChange(({ type, object }) => {
    const before = noted.places;
    noted = parsePlacesNote(type === 'deleted' ? undefined : object.data?.[placesNote.key]);
    journal.note(clock.now(), placeMoments(before, noted.places));
  });
  drivers.onChange((change) => journal.note(clock.now(), resourceMoments(change)));
  allNodes.onChange((change) => {
    // The first list shows what exists, not what happened.
    if (allNodes.hasSynced()) journal.note(clock.now(), nodeMoments(change));
  });
  const onEnd = (ended: readonly EndedOperation[]): void => {
    const nowMs = clock.now();
    for (const operation of ended) {
      const ms = Math.max(0, nowMs - operation.sinceMs);
      history.add('operation', nowMs, { count: 1, errors: operation.error === undefined ? 0 : 1, ms });
      journal.note(nowMs, [operationMoment(operation, ms)]);
    }
  };
  attachments.onChange((change) => onEnd(endedAttachment(change)));
  claims.onChange((change) => onEnd(endedClaim(change)));
  volumes.onChange((change) => onEnd(endedVolume(change)));
  snapshots.onChange((change) => onEnd(endedSnapshot(change)));
  let inventory: Inventory = emptyInventory;
  const spaces = createSpaceHistory();
  let inventoryGap = 'The leader of the operator has not been read yet.';
  let rates: readonly SampleRow[] | undefined;
  let ratesGap = '';

  const staleness = (): string => {
    const failed = needed
      .map((informer) => informer.lastError())
      .find((error, index) => error !== undefined && !(index === 0 && isMissing(error)));
    return failed ? whyOf(failed) : '';
  };
  const setup = (): Summary['setup'] => {
    if (isMissing(drivers.lastError())) return 'not-installed';
    if (!drivers.hasSynced()) return 'reading';
    return drivers.get(vsphereDriversName) ? 'configured' : 'not-configured';
  };
  const gaps = (): readonly Gap[] => [
    ...wanted.flatMap(([what, informer]) => {
      const error = informer.lastError();
      return error && !isMissing(error) ? [{ what, why: whyOf(error) }] : [];
    }),
    ...(noted.left === 0
      ? []
      : [{ what: `Where ${noted.left} nodes run`, why: 'The ConfigMap vdo-places of the operator is full.' }]),
    ...(ratesGap === ''
      ? []
      : [{ what: 'Rates from Prometheus', why: `${ratesGap} The page shows the counts of its own server instead.` }]),
    ...(inventoryGap === '' ? [] : [{ what: 'Disks, datastores and policies in vCenter', why: inventoryGap }]),
  ];
  const memory = createModelMemory();
  const current = (): DashboardModel =>
    buildModel(
      {
        cluster: options.cluster,
        nowMs: clock.now(),
        stale: staleness(),
        setup: setup(),
        resource: drivers.get(vsphereDriversName),
        nodes: allNodes.list(),
        volumes: volumes.list(),
        claims: claims.list(),
        attachments: attachments.list(),
        pods: allPods.list(),
        snapshots: snapshots.list(),
        classes: classes.list(),
        intents: intents.list(),
        events: recorded.list(),
        places: noted.places,
        attachTimes: attached.times,
        inventory,
        isComplete: volumes.hasSynced() && claims.hasSynced(),
        gaps: gaps(),
        calls: sampler?.history() ?? null,
        samples: rates ?? history.rows(clock.now()),
        ratesOf: rates ? (options.rates?.of ?? '') : '',
        moments: journal.rows(clock.now()),
        watchedSinceMs,
        growth: spaces.growth(),
      },
      memory,
    );
  const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(clock, ms, { signal }).catch(() => undefined);
  const sample = async (signal: AbortSignal): Promise<void> => {
    while (sampler && !signal.aborted) {
      await sampler.observe(signal);
      changed();
      await pause(sampler.history().everyMs, signal);
    }
  };
  const readInventory = async (reader: InventoryReader | undefined, signal: AbortSignal): Promise<void> => {
    if (!reader) inventoryGap = 'The server of this page has no access to them.';
    while (reader && !signal.aborted) {
      try {
        const read = await reader.read(signal);
        // Nothing was read again: what was built from it stays valid.
        if (!isSame(read.vcenters, inventory.vcenters)) inventory = read;
        spaces.note(inventory);
        inventoryGap = inventory.vcenters.length > 0 ? '' : 'The leader of the operator has not read them yet.';
      } catch (error) {
        if (signal.aborted) return;
        // The last known inventory stays, with its age.
        inventoryGap = whyOf(toVdoError(error));
      }
      changed();
      await pause(reader.everyMs, signal);
    }
  };
  const readRates = async (reader: RatesReader | undefined, signal: AbortSignal): Promise<void> => {
    while (reader && !signal.aborted) {
      try {
        rates = await reader.read(signal);
        ratesGap = '';
      } catch (error) {
        if (signal.aborted) return;
        rates = undefined;
        ratesGap = whyOf(toVdoError(error));
      }
      changed();
      await pause(reader.everyMs, signal);
    }
  };
  return {
    current,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    run: async (signal) => {
      await Promise.all([
        ...all.map((informer) => informer.run(signal)),
        sample(signal),
        readInventory(options.inventory, signal),
        readRates(options.rates, signal),
      ]);
    },
  };
};
