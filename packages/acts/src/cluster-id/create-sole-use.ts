import { createSingleFlight } from '@vdo/base/async/single-flight';
import type { Clock } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import type { SoleUse } from '../sole-use.ts';
import { clusterIdShared } from './cluster-id-shared.ts';
import {
  foreignAmong,
  type HeartbeatPlace,
  type HeartbeatState,
  heartbeatStore,
  isShared,
  type ShowsVolumes,
  signOf,
} from './heartbeat-state.ts';
import { readCarriers } from './read-carriers.ts';

export interface SoleUseDeps {
  readonly place: HeartbeatPlace;
  readonly vcenters: readonly ShowsVolumes[];
  readonly clusterId: string;
  readonly clock: Clock;
  /** False if heartbeats may be missing, as with the upstream driver: a cluster without a record then counts as the only one. True by default. */
  readonly isBeating?: boolean;
}

/** Minimum time between two checks. The other cluster writes a heartbeat every five minutes, so more frequent checks would find nothing new. */
const freshMs = 30_000;
const livesMs = 60_000;

type Verdict = { readonly atMs: number; readonly error?: VdoError };

const unknown = (why: string, cause?: unknown): VdoError =>
  new VdoError({
    code: 'EvidenceMissing',
    message: `it is not known whether another cluster uses the ID of this cluster: ${why}`,
    remedy:
      'No action needed: this is checked again automatically. If it persists, see the log for why vCenter or the API server does not answer.',
    ...(cause === undefined ? {} : { cause }),
  });

/** For each replica and loop: whether only this cluster uses its ID, according to the record of the process that writes heartbeats and to vCenter. */
export const createSoleUse = (deps: SoleUseDeps): SoleUse => {
  const { vcenters, clusterId, clock } = deps;
  const store = heartbeatStore(deps.place);
  const flight = createSingleFlight<void>();
  let verdict: Verdict | undefined;

  const judge = async (state: HeartbeatState, signal: AbortSignal | undefined): Promise<VdoError | undefined> => {
    if (isShared(state)) return clusterIdShared(clusterId, state.sign ?? 'its heartbeat was found');
    const { carriers, failures } = await readCarriers(state.carriers, {
      vcenters,
      clusterId,
      ...(signal ? { signal } : {}),
    });
    if (failures.length > 0 && failures.length === Object.keys(state.carriers).length)
      return unknown('no vCenter answered', failures[0]);
    if (!foreignAmong(state, carriers)) return undefined;
    // The process that writes heartbeats may have written one between the two checks.
    const now = (await store.load()) ?? state;
    const foreign = foreignAmong(now, carriers);
    return foreign && clusterIdShared(clusterId, signOf(foreign));
  };

  const observe = async (signal: AbortSignal | undefined): Promise<void> => {
    const atMs = clock.monotonicMs();
    try {
      const state = await store.load();
      const nobody =
        deps.isBeating === false ? undefined : unknown('this was not checked since this release was installed');
      const error = state ? await judge(state, signal) : nobody;
      verdict = { atMs, ...(error ? { error } : {}) };
    } catch (cause) {
      verdict = { atMs, error: unknown('it could not be read', cause) };
    }
  };

  return {
    renew: async ({ signal } = {}) => {
      const isFresh = verdict && clock.monotonicMs() - verdict.atMs < freshMs;
      if (isFresh && verdict?.error?.code !== 'EvidenceMissing') return;
      await flight.run('look', () => observe(signal));
    },
    assertAlone: () => {
      if (!verdict || clock.monotonicMs() - verdict.atMs > livesMs) throw unknown('this was not checked for a minute');
      if (verdict.error) throw verdict.error;
    },
  };
};
