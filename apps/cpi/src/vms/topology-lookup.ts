import { createBatch } from '@vdo/base/async/batch';
import type { Clock } from '@vdo/base/clock';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import type { TopologyReader } from '@vdo/vsphere/inventory/topology-reader';
import { morefKey } from '@vdo/vsphere/wire/moref';

export interface Topology {
  readonly zone?: string;
  readonly region?: string;
}

/** The tag categories of zone and region. A category that is not set is not searched for. */
export interface TopologyLabels {
  readonly zone?: string;
  readonly region?: string;
}

export interface TopologyLookupOptions {
  readonly reader: TopologyReader;
  readonly labels: TopologyLabels;
  readonly clock: Clock;
  readonly batchWindowMs: number;
  readonly maxBatch: number;
  /** How long an answer with a missing tag is cached. */
  readonly missingTtlMs: number;
  readonly signal: AbortSignal;
}

/** Zone and region of VMs, read in batches and read again only when a VM has moved. */
export interface TopologyLookup {
  locate(vm: VmFacts): Promise<Topology>;
  forget(vm: VmFacts): void;
}

const placementOf = (vm: VmFacts): string =>
  [vm.host, vm.resourcePool, vm.folder].map((ref) => (ref ? morefKey(ref) : '')).join(' ');

export const createTopologyLookup = (options: TopologyLookupOptions): TopologyLookup => {
  const { reader, labels, clock, signal } = options;
  const categories = Object.fromEntries(Object.entries(labels).filter(([, category]) => category));
  const wanted = Object.keys(categories);
  const known = new Map<string, { placement: string; topology: Topology; staleAtMs: number }>();

  const read = createBatch<VmFacts, Topology>({
    clock,
    windowMs: options.batchWindowMs,
    maxItems: options.maxBatch,
    send: async (vms) => {
      const located = await reader.locate(vms, categories, { signal });
      return vms.map((vm) => located.get(vm.ref.value) ?? {});
    },
  });

  return {
    locate: async (vm) => {
      if (wanted.length === 0) return {};
      const placement = placementOf(vm);
      const entry = known.get(vm.ref.value);
      if (entry?.placement === placement && clock.monotonicMs() < entry.staleAtMs) return entry.topology;
      const topology = await read(vm);
      const complete = wanted.every((key) => key in topology);
      const staleAtMs = complete ? Number.POSITIVE_INFINITY : clock.monotonicMs() + options.missingTtlMs;
      known.set(vm.ref.value, { placement, topology, staleAtMs });
      return topology;
    },
    forget: (vm) => {
      known.delete(vm.ref.value);
    },
  };
};
