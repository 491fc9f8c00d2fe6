import { type ActRecord, createActLog } from '@vdo/acts/act-log';
import type { HttpRequest, HttpTransport } from '@vdo/base/http';
import { createSeededRandom } from '@vdo/base/random';
import { names } from '@vdo/config/names';
import { confFor, cpiProgram } from '@vdo/cpi/testing/cpi-program';
import { runSnapshotControllerApp } from '@vdo/csi/snapshot-controller-app';
import { controllerProgram } from '@vdo/csi/testing/controller-program';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { createSimWorld, demoServer, type ProgramParts, type SimProgram } from '@vdo/sim-world/create-sim-world';
import { diskOfAnotherCluster } from '../stories/other-cluster.ts';
import { createWays } from '../stories/ways.ts';
import { createCoverage } from './coverage.ts';
import { createAddresses, machinesModel, vmNames } from './machines.ts';
import { idsIn, operationOf } from './operation-of.ts';
import { createReplicaClock, type ReplicaClock } from './replica-clock.ts';
import { setUpCluster } from './set-up-cluster.ts';
import { createTrace } from './trace.ts';
import { unreadMetrics } from './unread-metrics.ts';

/** A call that destroys something, as it reached vCenter. */
export interface Arrival {
  readonly identity: string;
  readonly method: string;
  readonly ids: readonly string[];
  /** When the process sent it, and when vCenter got it. */
  readonly sentMs: number;
  readonly atMs: number;
}

/** One process: its clock and its ways can be troubled. */
export interface Replica {
  readonly identity: string;
  readonly clock: ReplicaClock;
  readonly ways: ReturnType<typeof createWays>;
  readonly program: SimProgram;
}

const destructive = /^(CnsDeleteVolume|CnsDetachVolume|CnsDeleteSnapshots|DeleteVStorageObject_Task|ReconfigVM_Task)$/;
/** As drivers have them by default. */
const frequent = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };
/** A third of all requests would be for Leases else. Pauses last as much longer, so that as many outlast a Lease. */
const seldom = { leaseDurationMs: 30_000, renewDeadlineMs: 20_000, retryPeriodMs: 15_000 };
const skewsMs = [0, 0, 0, 45_000, -90_000, 900_000, -3_700_000];
/**
 * What costs much and finds little, every tenth life has as in a real cluster, and the others have less of it: their Leases are renewed
 * seldom, they keep no record of who owns which field, and most of their tasks end before they are followed by a view.
 */
const thriftOf = (seed: number) =>
  seed % 10 === 0
    ? { leaseTimes: frequent, recordsManagers: true, taskLatencyMs: 300 }
    : { leaseTimes: seldom, recordsManagers: false, taskLatencyMs: 200 };
/** Nobody may mount a share but the nodes that it is published to. */
const nobody = { name: 'nobody', ips: '*', permissions: 'NO_ACCESS', rootSquash: false } as const;
const fullSyncIntervalMinutes = 2;
/** Full syncs come often, so that many of them meet a fault. */
const csi = { fullSyncIntervalMinutes, netPermissions: [nobody] };

const fullSyncGauge = 'vdo_csi_full_sync_timestamp_seconds';

export const slotNames = ['csi-1', 'csi-2', 'snapshots', 'cpi-1', 'cpi-2'] as const;
export type SlotName = (typeof slotNames)[number];

/** One cluster, one vCenter, and the processes of the drivers, in one process and on virtual time. The same seed gives the same world. */
export const openWorld = async (seed: number) => {
  const chance = createSeededRandom(seed * 7919 + 17);
  const { leaseTimes, recordsManagers, taskLatencyMs } = thriftOf(seed);
  const trace = createTrace();
  const coverage = createCoverage();
  const clocks = new Map<string, ReplicaClock>();
  const ways = new Map<string, ReturnType<typeof createWays>>();
  const acts: { readonly identity: string; readonly record: ActRecord }[] = [];
  const listeners: ((arrival: Arrival) => void)[] = [];
  let requests = 0;

  const waysOf = (identity: string) => {
    const own = ways.get(identity) ?? createWays(world.clock);
    ways.set(identity, own);
    return own;
  };
  const sentAt = new WeakMap<HttpRequest, number>();
  const observed =
    (identity: string, transport: HttpTransport): HttpTransport =>
    (request) => {
      const method = operationOf(request);
      if (destructive.test(method)) {
        const atMs = world.clock.monotonicMs();
        const arrival = { identity, method, ids: idsIn(request), sentMs: sentAt.get(request) ?? atMs, atMs };
        for (const listener of listeners) listener(arrival);
      }
      return transport(request);
    };

  const world = createSimWorld({
    seed,
    models: { [demoServer]: machinesModel() },
    vsphere: { taskLatencyMs },
    kube: { recordsManagers },
    clockOf: (identity, clock) => {
      const own = createReplicaClock(clock, skewsMs[Math.floor(chance.next() * skewsMs.length)] ?? 0);
      clocks.set(identity, own);
      return own;
    },
    wire: (to, transport, identity) => {
      const last = to === 'vcenter' ? observed(identity, transport) : transport;
      const way = waysOf(identity).wire(to, last);
      return async (request) => {
        requests += 1;
        const atMs = world.clock.monotonicMs();
        const operation = operationOf(request);
        if (destructive.test(operation)) sentAt.set(request, atMs);
        trace.update(`${atMs} ${identity} ${operation}\n`);
        const reply = await way(request);
        return clocks.get(identity)?.hold(reply) ?? reply;
      };
    },
  });
  await setUpCluster(world.client);

  const actLog = (identity: string) => createActLog({ onAct: (record) => void acts.push({ identity, record }) });
  const slots = new Map<SlotName, Replica>();
  let starts = 0;
  const cpi = (parts: ProgramParts) =>
    cpiProgram({ conf: { text: confFor(demoServer) }, clock: world.clock, ...leaseTimes })({ ...parts, metrics });
  let fullSyncMs: number | undefined;
  const metrics = unreadMetrics(fullSyncGauge, () => {
    fullSyncMs = world.clock.monotonicMs();
  });
  const controller = (identity: string) => (parts: ProgramParts) =>
    controllerProgram({ csi, actLog: actLog(identity), ...leaseTimes })({ ...parts, metrics });
  const builders = {
    'cpi-1': () => cpi,
    'cpi-2': () => cpi,
    'csi-1': controller,
    'csi-2': controller,
    snapshots: (identity: string) => (parts: ProgramParts) => ({
      run: (signal: AbortSignal) =>
        runSnapshotControllerApp(
          { ...parts, metrics, actLog: actLog(identity), ...leaseTimes, leaseNamespace: names.upstreamCsiNamespace },
          signal,
        ),
    }),
  };

  /** Starts a process; one that is there dies as if its power was cut. */
  const start = (slot: SlotName): Replica => {
    slots.get(slot)?.program.kill();
    starts += 1;
    const identity = `${slot}.${starts}`;
    const program = world.start<{ run(signal: AbortSignal): Promise<unknown> }>(identity, builders[slot](identity));
    const clock = clocks.get(identity);
    if (!clock) throw new Error(`${identity} has no clock`);
    const replica = { identity, clock, ways: waysOf(identity), program };
    slots.set(slot, replica);
    return replica;
  };

  const sim = world.vc();
  const foreign = await Promise.all(
    ['one-of-others', 'another-of-others'].map((name) => diskOfAnotherCluster({ sim, until: world.until }, name)),
  );
  const foreignDisks = new Set(foreign.map(({ id }) => id));
  const vms = new Map<string, string>();
  const goneVms = new Set<string>();
  return {
    ...world,
    sim,
    /** The reference of the VM with a UUID of the model. Those that are asked for often are remembered. */
    vmWithUuid: (uuid: string): string | undefined => {
      const name = vmNames.get(uuid);
      const known =
        vms.get(uuid) ??
        (name !== undefined && !goneVms.has(name) ? sim.control.find(name, 'VirtualMachine').value : undefined);
      if (known !== undefined) vms.set(uuid, known);
      return known;
    },
    /** Nodes that go for good, with their VMs. */
    scaledDown: new Set<string>(),
    /** Whether vCenter has the VM, under whatever reference. */
    hasVm: (uuid: string): boolean => !goneVms.has(vmNames.get(uuid) ?? ''),
    /** The VM is gone for good. */
    removeVm: (name: string): void => {
      sim.control.deleteVm(name);
      goneVms.add(name);
      vms.clear();
    },
    /** VMs may have other references now. */
    forgetVms: () => vms.clear(),
    /** Disks that are no business of this cluster. */
    foreignDisks,
    addresses: createAddresses(),
    /** Whether the disk is there, in CNS or as a file that it does not know. */
    hasDisk: (id: string): boolean =>
      sim.volumes.get(id) !== undefined || sim.volumes.disks().some((one) => one.id === id),
    fullSyncEveryMs: fullSyncIntervalMinutes * 60_000,
    /** When a full sync ended last. */
    fullSyncMs: () => fullSyncMs,
    leaseDurationMs: leaseTimes.leaseDurationMs,
    coverage,
    acts,
    trace,
    start,
    slots,
    /** Nothing happens any more: time stands still. */
    end: () => {
      for (const { program } of slots.values()) program.kill();
      world.abandon();
    },
    requests: () => requests,
    /** Hears of each call that destroys something, before it is carried out. */
    onArrival: (listener: (arrival: Arrival) => void) => void listeners.push(listener),
    /** What the API server has, without asking it. */
    list: <T extends KubeObject>({ group, plural }: Resource<T>): readonly T[] =>
      world.kubeSim().store.list(`${group}/${plural}`) as unknown as readonly T[],
    nowMs: () => world.clock.monotonicMs(),
  };
};

export type World = Awaited<ReturnType<typeof openWorld>>;
