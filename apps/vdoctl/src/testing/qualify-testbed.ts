import type { HttpTransport } from '@vdo/base/http';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { simRelease } from '@vdo/sim-world/sim-release';
import { createVCenter, type FullVCenter } from '@vdo/vsphere/create-vcenter';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { createObserver, type Observer } from '../commands/vsphere/qualify/exchange.ts';
import { type Report, reportOf } from '../commands/vsphere/qualify/report.ts';
import { type Qualification, runQualify } from '../commands/vsphere/qualify/run-qualify.ts';
import type { SiteNames } from '../commands/vsphere/qualify/site.ts';
import { administrator } from './sim-vcenter.ts';

export const demoSite: SiteNames = {
  folder: '/demo/vm/kubernetes',
  vm: 'node-1',
  datastore: '/demo/datastore/vsanDatastore',
};

export interface QualifyRun {
  readonly qualification: Qualification;
  readonly report: Report;
  readonly observer: Observer;
}

interface RunOptions {
  readonly site?: SiteNames;
  readonly signal?: AbortSignal;
  /** Between the client and the vCenter. */
  readonly wire?: (transport: HttpTransport) => HttpTransport;
  readonly account?: typeof administrator;
}

/** A simulated vCenter of a release, and runs against it in virtual time. */
export const createQualifyTestbed = (release = simRelease(), model: VSphereModel = demoModel()) => {
  const clock = createVirtualClock();
  const sim = createVSphereSim({ model: { ...model, version: release }, clock, random: createSeededRandom(3) });
  let runs = 0;

  const connect = (observer: Observer, { wire = (it) => it, account = administrator }: RunOptions): FullVCenter =>
    createVCenter({
      server: 'vc.example.com',
      credentials: async () => ({ ...account, version: '1' }),
      transport: wire(sim.handler),
      observe: observer.observe,
      clock,
      random: createSeededRandom(100 + runs),
      logger: silentLogger,
      metrics: createMetrics(),
    });

  const begin = async (options: RunOptions): Promise<QualifyRun> => {
    runs += 1;
    const observer = createObserver(clock);
    const vcenter = connect(observer, options);
    const signal = options.signal ?? new AbortController().signal;
    const random = createSeededRandom(200 + runs);
    try {
      await vcenter.login({ signal });
      const deps = { vcenter, observer, clock, random, signal, onStep: () => {}, confirm: async () => true };
      const qualification = await runQualify(deps, options.site);
      const report = reportOf(qualification, { version: 'test', exchanges: observer.exchanges });
      return { qualification, report, observer };
    } finally {
      await vcenter.close().catch(() => undefined);
    }
  };

  /** Advances the clock until one of them has ended. */
  const drive = async <T>(...work: readonly Promise<T>[]): Promise<T> => {
    let isOver = false;
    const first = Promise.race(work);
    const end = () => {
      isOver = true;
    };
    first.then(end, end);
    while (!isOver) await clock.advance(50);
    return first;
  };

  return {
    sim,
    clock,
    run: (options: RunOptions = {}): Promise<QualifyRun> => drive(begin(options)),
    /** Cuts the power when vCenter has executed a request. False if there are fewer requests. */
    killAfter: async (at: number): Promise<boolean> => {
      let count = 0;
      let die = (): void => {};
      const death = new Promise<'dead'>((resolve) => {
        die = () => resolve('dead');
      });
      const wire =
        (transport: HttpTransport): HttpTransport =>
        async (request) => {
          count += 1;
          const own = count;
          if (own <= at) {
            const reply = await transport(request);
            if (own < at) return reply;
            die();
          }
          return new Promise<never>(() => {});
        };
      return (await drive<unknown>(begin({ site: demoSite, wire }), death)) === 'dead';
    },
    /** Everything that could be left: volumes and shares, first-class disks, devices of VMs, tag categories. */
    listing: async (): Promise<unknown> => {
      const vcenter = connect(createObserver(clock), {});
      const categories = await drive(vcenter.tags.categories());
      await drive(vcenter.close());
      const vms = model.datacenters.flatMap(({ vms: own = [] }) => own.map(({ name }) => name));
      return {
        volumes: sim.volumes.list().map(({ id, name }) => [id, name]),
        disks: sim.volumes.disks().map(({ id }) => id),
        devices: vms.map((vm) => sim.control.read(vm, 'config.hardware.device')),
        categories: categories.map(({ name }) => name).sort(),
      };
    },
  };
};
