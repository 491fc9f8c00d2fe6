import type { HttpRequest, HttpTransport } from '@vdo/base/http';
import { account, createSimTestbed, namespace, type SimTestbedOptions } from '@vdo/operator/testing/sim-testbed';
import { createReplicaClock, type ReplicaClock } from '../../simulate/replica-clock.ts';
import { nameOf } from '../troubles.ts';
import { createWays } from '../ways.ts';

export { account, namespace } from '@vdo/operator/testing/sim-testbed';

// The only file of the operator's stories that knows how it is started: what a story sees is the API and vCenter.

export interface OperatorStoryOptions extends Omit<SimTestbedOptions, 'wire' | 'clockOf' | 'start'> {
  /** How many nodes there are. Default two. */
  readonly nodes?: number;
  /** Hears of each request of an operator before it is on its way, Leases and watches too. */
  readonly onRequest?: (identity: string, name: string, atMs: number) => void;
  /** Stands right before vCenter: what happens there has reached it. */
  readonly beforeVCenter?: (transport: HttpTransport) => HttpTransport;
}

const isLease = /\/leases(\/|$)/;

/** A cluster, a vCenter, and operators to be started. The ways of each can be troubled, its calls are counted, its wall clock can be set. */
export const createOperatorStory = async (options: OperatorStoryOptions = {}) => {
  const { nodes = 2, onRequest, beforeVCenter = (transport) => transport, ...testbedOptions } = options;
  const ways = new Map<string, ReturnType<typeof createWays>>();
  const calls: { readonly identity: string; readonly name: string; readonly atMs: number }[] = [];
  const aheadMs = new Map<string, number>();
  const clocks = new Map<string, ReplicaClock>();
  const observed =
    (to: 'kube' | 'vcenter', identity: string, transport: HttpTransport): HttpTransport =>
    async (request: HttpRequest) => {
      const name = nameOf(request);
      const atMs = testbed.clock.monotonicMs();
      onRequest?.(identity, name, atMs);
      // The heartbeat of the Lease is no work; a watch is one call, however long it lasts.
      if (to === 'kube' && !isLease.test(name)) calls.push({ identity, name, atMs });
      const reply = await transport(request);
      return clocks.get(identity)?.hold(reply) ?? reply;
    };
  const testbed = await createSimTestbed({
    ...testbedOptions,
    start: false,
    wire: (to, transport, identity) => {
      const last = to === 'vcenter' ? beforeVCenter(transport) : transport;
      return observed(to, identity, waysOf(identity).wire(to, last));
    },
    clockOf: (identity, clock) => {
      const set = { ...clock, now: () => clock.now() + (aheadMs.get(identity) ?? 0) };
      const own = createReplicaClock(set, 0);
      clocks.set(identity, own);
      return own;
    },
  });
  const waysOf = (identity: string) => {
    const own = ways.get(identity) ?? createWays(testbed.clock);
    ways.set(identity, own);
    return own;
  };
  if (!options.resume) for (let index = 1; index <= nodes; index++) await testbed.joinNode(`node-${index}`);

  const advance = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) await testbed.clock.advance(Math.min(left, 1_000));
  };
  return {
    ...testbed,
    ways: waysOf,
    start: (identity = 'operator-1') => ({ ...waysOf(identity), ...testbed.start(identity) }),
    /** Sets the wall clock of a process. */
    setAhead: (identity: string, ms: number) => aheadMs.set(identity, ms),
    /** A process stands still, as under SIGSTOP; the returned function lets it go on. */
    pause: (identity: string): (() => void) => {
      const clock = clocks.get(identity);
      clock?.pause();
      return () => clock?.resume();
    },
    advance,
    /** Installs both drivers and waits until all is at rest. */
    install: async (spec: Parameters<typeof testbed.describe>[0] = {}) => {
      await testbed.putSecret(account);
      await testbed.describe(spec);
      await testbed.becomes('Ready', 'True', 'AllReady');
    },
    calls,
    /** Calls of all operators to the API server within that time, per minute, by name. */
    callsPerMinute: async (minutes: number) => {
      const before = calls.length;
      await advance(minutes * 60_000);
      const made = calls.slice(before);
      const byName = new Map<string, number>();
      for (const { name } of made) byName.set(name, (byName.get(name) ?? 0) + 1);
      const top = [...byName].sort((a, b) => b[1] - a[1]).slice(0, 8);
      return { perMinute: Math.round(made.length / minutes), top };
    },
    inNamespace: (name: string) => ({ namespace, name }),
  };
};

export type OperatorStory = Awaited<ReturnType<typeof createOperatorStory>>;
