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

/** Stands between a program and a simulator, to break things at a chosen request. */
export type Wire = (to: 'kube' | 'vcenter', transport: HttpTransport, identity: string) => HttpTransport;

export interface SimWorldOptions {
  /** vCenters by name: host, or host and port. Default: `vc.example.com` with the demo model. */
  readonly models?: Readonly<Record<string, VSphereModel>>;
  /** Default: nothing is in between. */
  readonly wire?: Wire;
  /** The clock of a program. Default: that of the world. */
  readonly clockOf?: (identity: string, clock: Clock) => Clock;
  /** Where programs write their log. Default: nowhere. */
  readonly logger?: Logger;
  /** Default 7. */
  readonly seed?: number;
  /** What else the API server is told. */
  readonly kube?: Omit<KubeSimOptions, 'clock' | 'random' | 'logger'>;
  /** False: the controllers behind the API stand still, so that what is written by hand stays. Default true. */
  readonly controllers?: boolean;
  /** vCenters of another world, which stands beside this one on the same clock. */
  readonly vcenters?: ReadonlyMap<string, VSphereSim>;
  /** What the API server has at the start. */
  readonly snapshot?: StoreSnapshot;
  /** What else each vCenter is told. */
  readonly vsphere?: Omit<VSphereSimOptions, 'model' | 'clock' | 'random'>;
}

/** What a program is built from. */
export interface ProgramParts {
  readonly identity: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly kube: KubeClient;
  /** To the simulated vCenter of that name, else of that server. */
  readonly connect: (options: VCenterOptions) => FullVCenter;
  /** A way of this program to something else: it passes the wire, and is dead when the program is. */
  readonly way: (to: 'kube' | 'vcenter', transport: HttpTransport) => HttpTransport;
}

/** A program as apps build it. */
export interface Runnable {
  /** Runs until aborted. */
  run(signal: AbortSignal): Promise<unknown>;
}

export interface SimProgram<T extends Runnable = Runnable> {
  /** What the build function made. */
  readonly built: T;
  readonly metrics: Metrics;
  readonly running: Promise<unknown>;
  /** An orderly end. */
  stop(reason?: Error): void;
  /** A power cut: it neither logs out nor gives its Lease back. */
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
  /** The way to the API server, whichever it is after a restore. */
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

  /** Runs something beside the programs until the world ends. */
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
    /** The API server of now. */
    kubeSim: () => kubeSim,
    vcenters,
    vc,
    until: createUntil(clock),
    start,
    alongside,
    /** What the API server has now. */
    backUp: (): StoreSnapshot => kubeSim.snapshot(),
    /** The API server comes back with what it had then. */
    restore: (snapshot: StoreSnapshot): void => {
      powerCut.abort();
      powerCut = new AbortController();
      kubeSim = createKubeSim({ ...options.kube, clock, random, logger, snapshot });
      running.push(runCluster());
    },
    /** Ends everything and waits for nothing: what a signal that can still come holds would stay in memory. */
    abandon: () => ending.abort(new Error('the world is over')),
    /** Words that programs wrote into events or the status of the resource, and that `vdoctl explain` does not know. */
    unexplained: shown.unexplained,
    /** Ends everything, and gives it half a minute. */
    stop: async (): Promise<readonly PromiseSettledResult<unknown>[]> => {
      ending.abort(new Error('the test is over'));
      let results: readonly PromiseSettledResult<unknown>[] | undefined;
      void Promise.allSettled(running).then((settled) => {
        results = settled;
      });
      // Killed programs wait for replies that never come.
      for (let step = 0; step < 300 && !results; step++) await passTime(clock, 100);
      return results ?? [];
    },
  };
};

/** The same on a virtual clock: that of another world, or one that begins at `nowMs`. */
export const createSimWorld = ({
  nowMs,
  clock = createVirtualClock(nowMs),
  ...options
}: SimWorldOptions & { readonly nowMs?: number; readonly clock?: VirtualClock } = {}) =>
  createSimWorldOn(clock, options);
