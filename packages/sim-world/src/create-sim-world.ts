import type { Clock } from '@vdo/base/clock';
import type { HttpTransport } from '@vdo/base/http';
import { type Logger, silentLogger } from '@vdo/base/logger';
import { createMetrics, type Metrics } from '@vdo/base/metrics';
import { createSeededRandom, type Random } from '@vdo/base/random';
import { createVirtualClock, type VirtualClock } from '@vdo/base/virtual-clock';
import type { KubeClient } from '@vdo/kube/client';
import { createKubeClient } from '@vdo/kube/create-client';
import { createKubeSim, type KubeSimOptions } from '@vdo/kube-sim/kube-sim';
import type { StoreSnapshot } from '@vdo/kube-sim/store/store';
import { createVCenter, type FullVCenter, type VCenterOptions } from '@vdo/vsphere/create-vcenter';
import { createVSphereSim, type VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import type { VSphereSimOptions } from '@vdo/vsphere-sim/sim-options';
import { createShownWords } from './shown-words.ts';
import { simRelease } from './sim-release.ts';
import { createUntil, passTime } from './until.ts';

export const demoServer = 'vc.example.com';

/** Intercepts requests between a program and a simulator, to inject faults at a chosen request. */
export type Wire = (to: 'kube' | 'vcenter', transport: HttpTransport, identity: string) => HttpTransport;

export interface SimWorldOptions {
  /** vCenters by name: host, or host and port. By default `vc.example.com` with the demo model. */
  readonly models?: Readonly<Record<string, VSphereModel>>;
  /** None by default. */
  readonly wire?: Wire;
  /** The clock of a program; that of the world by default. */
  readonly clockOf?: (identity: string, clock: Clock) => Clock;
  /** Receives the log of the programs; nothing by default. */
  readonly logger?: Logger;
  /** 7 by default. */
  readonly seed?: number;
  /** Further options of the API server. */
  readonly kube?: Omit<KubeSimOptions, 'clock' | 'random' | 'logger'>;
  /** If false, the controllers of the API server do not run, so that they do not change objects of the test. True by default. */
  readonly controllers?: boolean;
  /** vCenters of another world that runs in parallel on the same clock. */
  readonly vcenters?: ReadonlyMap<string, VSphereSim>;
  /** The initial objects of the API server. */
  readonly snapshot?: StoreSnapshot;
  /** Further options of each vCenter. */
  readonly vsphere?: Omit<VSphereSimOptions, 'model' | 'clock' | 'random'>;
}

/** The dependencies of a program. */
export interface ProgramParts {
  readonly identity: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly kube: KubeClient;
  /** Connects to the simulated vCenter with that name, or else with that server name. */
  readonly connect: (options: VCenterOptions) => FullVCenter;
  /** A connection of this program to another system. It passes the interceptor, and is closed when the program is killed. */
  readonly way: (to: 'kube' | 'vcenter', transport: HttpTransport) => HttpTransport;
}

/** A program as built by an app. */
export interface Runnable {
  /** Runs until aborted. */
  run(signal: AbortSignal): Promise<unknown>;
}

export interface SimProgram<T extends Runnable = Runnable> {
  /** The result of the build function. */
  readonly built: T;
  readonly metrics: Metrics;
  readonly running: Promise<unknown>;
  /** Stops the program in an orderly way. */
  stop(reason?: Error): void;
  /** Simulates a power failure: the program neither logs out nor releases its Lease. */
  kill(): void;
}

const never = () => new Promise<never>(() => {});

/** A simulated cluster, simulated vCenters and any programs, in one process. On the system's clock it can serve sockets. */
export const createSimWorldOn = <C extends Clock>(clock: C, options: SimWorldOptions = {}) => {
  const { models = { [demoServer]: demoModel() }, wire = (_to, transport) => transport } = options;
  const { clockOf = (_identity, own) => own, seed = 7, controllers = true } = options;
  const random = createSeededRandom(seed);
  const { logger = silentLogger } = options;
  const restored = options.snapshot ? { snapshot: options.snapshot } : {};
  let kubeSim = createKubeSim({ ...options.kube, ...restored, clock, random, logger });
  /** The connection to the API server, also after a restore. */
  const toCluster: HttpTransport = (request) => kubeSim.handler(request);
  const client = createKubeClient({ transport: toCluster, clock, qps: 0 });
  const vcenters =
    options.vcenters ??
    new Map<string, VSphereSim>(
      Object.entries(models).map(([name, model]) => [
        name,
        createVSphereSim({ ...options.vsphere, model: { version: simRelease(), ...model }, clock, random }),
      ]),
    );
  const vc = (name = Object.keys(models)[0] ?? ''): VSphereSim => {
    const sim = vcenters.get(name);
    if (!sim) throw new Error(`no simulated vCenter ${name}`);
    return sim;
  };
  const shown = createShownWords();
  const ending = new AbortController();
  let powerCut = new AbortController();
  const runCluster = async () => {
    if (controllers) await kubeSim.run(AbortSignal.any([ending.signal, powerCut.signal]));
  };
  const running: Promise<unknown>[] = [runCluster()];

  /** Runs a function in parallel to the programs until the world ends. */
  const alongside = (program: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> => {
    const run = program(ending.signal);
    run.catch(() => {});
    running.push(run);
    return run;
  };

  const start = <T extends Runnable>(identity: string, build: (parts: ProgramParts) => T): SimProgram<T> => {
    const life = new AbortController();
    let dead = false;
    const mortal =
      (transport: HttpTransport): HttpTransport =>
      async (request) => {
        if (dead) return never();
        const reply = await transport(request);
        return dead ? never() : reply;
      };
    const way: ProgramParts['way'] = (to, transport) => mortal(wire(to, transport, identity));
    const own = { identity, clock: clockOf(identity, clock), random, logger, metrics: createMetrics(), way };
    const built = build({
      ...own,
      kube: createKubeClient({ transport: way('kube', shown.noted(toCluster)), clock: own.clock, qps: 0 }),
      connect: (asked) =>
        createVCenter({ ...asked, transport: way('vcenter', vc(asked.name ?? asked.server).handler) }),
    });
    return {
      built,
      metrics: own.metrics,
      running: alongside((signal) => built.run(AbortSignal.any([signal, life.signal]))),
      stop: (reason) => life.abort(reason),
      kill: () => {
        dead = true;
        life.abort();
      },
    };
  };

  return {
    clock,
    random,
    client,
    toCluster,
    /** The present API server. */
    kubeSim: () => kubeSim,
    vcenters,
    vc,
    until: createUntil(clock),
    start,
    alongside,
    /** A snapshot of the API server. */
    backUp: (): StoreSnapshot => kubeSim.snapshot(),
    /** Restores the API server from a snapshot. */
    restore: (snapshot: StoreSnapshot): void => {
      powerCut.abort();
      powerCut = new AbortController();
      kubeSim = createKubeSim({ ...options.kube, clock, random, logger, snapshot });
      running.push(runCluster());
    },
    /** Ends everything without waiting, so that nothing stays in memory because of a signal that could still come. */
    abandon: () => ending.abort(new Error('the world is over')),
    /** Words that programs wrote into events or the status of the resource, and that `vdoctl explain` does not know. */
    unexplained: shown.unexplained,
    /** Ends everything; waits up to half a minute. Fails if a program wrote a word that `vdoctl explain` does not know. */
    stop: async (): Promise<readonly PromiseSettledResult<unknown>[]> => {
      ending.abort(new Error('the test is over'));
      let results: readonly PromiseSettledResult<unknown>[] | undefined;
      void Promise.allSettled(running).then((settled) => {
        results = settled;
      });
      // Killed programs wait for replies that never come.
      for (let step = 0; step < 300 && !results; step++) await passTime(clock, 100);
      const unexplained = shown.unexplained();
      if (unexplained.length > 0) throw new Error(`vdoctl explain does not know: ${unexplained.join(', ')}`);
      return results ?? [];
    },
  };
};

/** The same with a virtual clock: that of another world, or a new one that starts at `nowMs`. */
export const createSimWorld = ({
  nowMs,
  clock = createVirtualClock(nowMs),
  ...options
}: SimWorldOptions & { readonly nowMs?: number; readonly clock?: VirtualClock } = {}) =>
  createSimWorldOn(clock, options);
