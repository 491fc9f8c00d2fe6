import { type Clock, sleep } from '@vdo/base/clock';
import { type Logger, silentLogger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
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
  persistentVolumes,
} from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import type { DashboardModel, DashboardSource } from '../model.ts';
import { buildModel } from './build-model.ts';
import { type CallMeter, createCallSampler } from './call-sampler.ts';
import { parsePlacesNote, placesNote } from './places-note.ts';
import type { NodePlace } from './topology.ts';

export interface KubeSourceOptions {
  readonly client: KubeClient;
  /** Shown in the headline: the address or the name of the cluster. */
  readonly cluster: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Where the operator notes where nodes run. */
  readonly namespace: string;
  /** Who counts the calls to vCenter, for the plot; absent: no plot. */
  readonly meter?: CallMeter;
  readonly logger?: Logger;
}

export interface KubeSource extends DashboardSource {
  /** Follows the cluster until aborted. */
  run(signal: AbortSignal): Promise<void>;
}

const trimNode = createNodeTrimmer({ taints: true, conditions: ['Ready'] });

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
  const recorded = follow<Event>(events);
  const informers = [drivers, allNodes, volumes, recorded];
  // Whoever may not read it sees everything but the map.
  const placed = follow<ConfigMap>(configMaps, {
    namespace: options.namespace,
    fieldSelector: `metadata.name=${placesNote.name}`,
  });
  const sampler = options.meter && createCallSampler(options.meter, clock);
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of [...listeners]) listener();
  };
  for (const informer of informers) informer.onChange(changed);
  let places: readonly NodePlace[] = [];
  placed.onChange(({ type, object }) => {
    places = type === 'deleted' ? [] : parsePlacesNote(object.data?.[placesNote.key]);
    changed();
  });

  const staleness = (): string => {
    const failed = informers.map((informer) => informer.lastError()).find((error) => error !== undefined);
    return failed ? `${failed.message}. ${failed.remedy}` : '';
  };
  const current = (): DashboardModel =>
    buildModel({
      cluster: options.cluster,
      nowMs: clock.now(),
      stale: staleness(),
      resource: drivers.get(vsphereDriversName),
      nodes: allNodes.list(),
      volumes: volumes.list(),
      events: recorded.list(),
      places,
      calls: sampler?.history() ?? null,
    });
  const sample = async (signal: AbortSignal): Promise<void> => {
    while (sampler && !signal.aborted) {
      await sampler.look(signal);
      changed();
      await sleep(clock, sampler.history().everyMs, { signal }).catch(() => undefined);
    }
  };
  return {
    current,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    run: async (signal) => {
      await Promise.all([...[...informers, placed].map((informer) => informer.run(signal)), sample(signal)]);
    },
  };
};
