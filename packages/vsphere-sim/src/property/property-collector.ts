import type { Clock } from '@vdo/base/clock';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import { faults } from '../sim-fault.ts';
import type { InventoryReader } from './inventory-reader.ts';
import { createPropertyFilter, type FilterSpec, type ObjectChange, type PropertyFilter } from './property-filter.ts';

export interface UpdateBatch {
  readonly version: string;
  readonly truncated: boolean;
  readonly filters: readonly {
    readonly filter: MoRef;
    readonly changes: readonly ObjectChange[];
    readonly missing: readonly MoRef[];
  }[];
}

export interface WaitRequest {
  /** Empty: the client has no version yet. */
  readonly version: string;
  /** 0 answers immediately; without it the wait lasts until something changes. */
  readonly maxWaitMs?: number;
  readonly maxObjectUpdates?: number;
  readonly signal?: AbortSignal;
}

/** One PropertyCollector: the filters of a client and its position in the stream of updates. */
export interface PropertyCollector {
  readonly ref: MoRef;
  addFilter(ref: MoRef, spec: FilterSpec): void;
  removeFilter(ref: MoRef): boolean;
  filters(): readonly MoRef[];
  /** Undefined when nothing changed within the wait. */
  wait(request: WaitRequest): Promise<UpdateBatch | undefined>;
  /** Ends a running wait with a fault: RequestCanceled unless another reason is given. */
  cancel(reason?: Error): void;
}

export interface PropertyCollectorOptions {
  readonly ref: MoRef;
  readonly reader: InventoryReader;
  readonly clock: Clock;
  readonly allOf: (type: string) => readonly string[];
  /** The server's own limit of objects in one reply. */
  readonly maxObjectUpdates: number;
}

export const createPropertyCollector = (options: PropertyCollectorOptions): PropertyCollector => {
  const { reader, clock } = options;
  const filters = new Map<string, PropertyFilter>();
  const waiting = new Set<(reason: Error) => void>();
  let current = 0;
  /** The reply that led to the current version: a client that lost it asks with the version before. */
  let last: { readonly from: string; readonly batch: UpdateBatch } | undefined;

  const accept = (version: string): UpdateBatch | undefined => {
    if (version === '') {
      for (const filter of filters.values()) filter.reset();
      last = undefined;
      return undefined;
    }
    if (version === String(current)) return undefined;
    if (last && version === last.from) return last.batch;
    throw faults.invalidCollectorVersion();
  };

  const collect = (request: WaitRequest): UpdateBatch | undefined => {
    let left = Math.min(request.maxObjectUpdates ?? options.maxObjectUpdates, options.maxObjectUpdates);
    let truncated = false;
    const updates: UpdateBatch['filters'][number][] = [];
    for (const filter of filters.values()) {
      const { changes, missing, more } = filter.take(left);
      left -= changes.length;
      truncated ||= more;
      if (changes.length + missing.length > 0) updates.push({ filter: filter.ref, changes, missing });
    }
    if (updates.length === 0) return undefined;
    const from = String(current);
    current += 1;
    const batch = { version: String(current), truncated, filters: updates };
    last = { from, batch };
    return batch;
  };

  const change = (timeoutMs: number | undefined, signal: AbortSignal | undefined): Promise<'changed' | 'timeout'> =>
    new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        stopTimer?.();
        stopListening();
        waiting.delete(fail);
        signal?.removeEventListener('abort', onAbort);
        settle();
      };
      const fail = (reason: Error) => finish(() => reject(reason));
      const onAbort = () => fail(signal?.reason instanceof Error ? signal.reason : faults.requestCanceled());
      const stopListening = reader.subscribe(() => finish(() => resolve('changed')));
      const stopTimer =
        timeoutMs === undefined ? undefined : clock.schedule(() => finish(() => resolve('timeout')), timeoutMs);
      waiting.add(fail);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted) onAbort();
    });

  return {
    ref: options.ref,
    addFilter: (ref, spec) => {
      filters.set(morefKey(ref), createPropertyFilter({ ref, spec, reader, allOf: options.allOf }));
    },
    removeFilter: (ref) => filters.delete(morefKey(ref)),
    filters: () => [...filters.values()].map((filter) => filter.ref),
    wait: async (request) => {
      const again = accept(request.version);
      if (again) return again;
      const endMs = request.maxWaitMs === undefined ? undefined : clock.monotonicMs() + request.maxWaitMs;
      for (;;) {
        const batch = collect(request);
        if (batch) return batch;
        const leftMs = endMs === undefined ? undefined : endMs - clock.monotonicMs();
        if (leftMs !== undefined && leftMs <= 0) return undefined;
        await change(leftMs, request.signal);
      }
    },
    cancel: (reason = faults.requestCanceled()) => {
      for (const fail of [...waiting]) fail(reason);
    },
  };
};
