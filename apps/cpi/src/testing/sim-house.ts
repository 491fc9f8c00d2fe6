import type { HttpTransport } from '@vdo/base/http';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { names } from '@vdo/config/names';
import { readDriverConfig } from '@vdo/config/read-driver-config';
import { createKubeClient } from '@vdo/kube/create-client';
import { type Event, events, type Node, nodes, type Secret, secrets } from '@vdo/kube/types/core';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import type { ConfigSource } from '@vdo/program/config-source';
import { connectVCenters } from '@vdo/program/connect-vcenters';
import { vcenterId } from '@vdo/program/vcenter-id';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import { createLoginGuard } from '@vdo/vsphere/session/login-guard';
import { createVSphereSim, type VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { createCpi } from '../app.ts';
import type { DeletionRecord, DeletionStore } from '../lifecycle/deletion-budget.ts';
import { waitingNode } from './node.ts';

export const demoUuid = (index: number): string => `42120000-0000-4000-8000-00000000000${index}`;

/** `vc.example.com` or `vc.example.com:8443`. */
const vcenterConf = (id: string): string => {
  const [server = '', port = '443'] = id.split(':');
  const name = id.replace(/\..*?(?=:|$)/, '').replace(':', '-');
  return `  ${name}:\n    server: ${server}\n    port: ${port}\n    secretName: ${names.credentialsSecret}\n    secretNamespace: ${names.namespace}\n`;
};

export const confFor = (...servers: readonly string[]): string =>
  `vcenter:\n${servers.map(vcenterConf).join('')}labels:\n  region: k8s-region\n  zone: k8s-zone\n`;

export interface SimHouseOptions {
  /** vCenters by host, or host and port. Default one, with the demo model. */
  readonly models?: Readonly<Record<string, VSphereModel>>;
  readonly account?: { readonly username: string; readonly password: string };
  /** Stands between a replica and the simulators, to break things at a chosen request. */
  readonly wire?: (to: 'kube' | 'vcenter', transport: HttpTransport, identity: string) => HttpTransport;
}

/** A simulated cluster, simulated vCenters and the program, all in one process on a virtual clock. */
export const createSimHouse = (options: SimHouseOptions = {}) => {
  const { models = { 'vc.example.com': demoModel() }, wire = (_to, transport) => transport } = options;
  const { account = { username: 'cpi@vsphere.local', password: 'obviously-fake-cpi' } } = options;
  const servers = Object.keys(models);
  const clock = createVirtualClock();
  const random = createSeededRandom(7);
  const kubeSim = createKubeSim({ clock, random, logger: silentLogger });
  const client = createKubeClient({ transport: kubeSim.handler, clock, qps: 0 });
  const sims = new Map<string, VSphereSim>(
    Object.entries(models).map(([server, model]) => [server, createVSphereSim({ model, clock, random })]),
  );
  const conf = { text: confFor(...servers) };
  const config: ConfigSource = {
    load: async () => ({
      ...readDriverConfig(conf.text, { unknownKeys: 'refuse' }),
      caBundles: new Map(),
      text: conf.text,
    }),
  };
  const metrics = createMetrics();
  let deleted: DeletionRecord = { deletedAtMs: [] };
  /** Outlives a program, as the ConfigMap does. */
  const deletions: DeletionStore = {
    load: async () => deleted,
    save: async (record) => {
      deleted = record;
    },
  };
  const loginGuard = createLoginGuard({ clock, logger: silentLogger });
  const createProgram = (identity: string) =>
    createCpi({
      kube: createKubeClient({ transport: wire('kube', kubeSim.handler, identity), clock, qps: 0 }),
      connectVCenters: (loaded) =>
        connectVCenters(loaded, {
          kube: client,
          loginGuard,
          userAgent: 'vsphere-cpi',
          nameOf: vcenterId,
          connect: (asked) => {
            const transport = sims.get(asked.name ?? '')?.handler;
            if (!transport) throw new Error(`no simulated vCenter ${asked.name}`);
            return createVCenter({ ...asked, transport });
          },
          clock,
          random,
          logger: silentLogger,
          metrics,
        }),
      config,
      clock,
      random,
      logger: silentLogger,
      metrics,
      identity,
      deletions,
      leaderElection: {
        namespace: 'kube-system',
        name: 'cloud-controller-manager',
        leaseDurationMs: 15_000,
        renewDeadlineMs: 10_000,
        retryPeriodMs: 2_000,
      },
    });

  /** Lets time pass until `check` gives something. */
  const until = async <T>(what: string, check: () => T | undefined | Promise<T | undefined>): Promise<T> => {
    for (let step = 0; step < 3000; step++) {
      const value = await check();
      if (value !== undefined && value !== false) return value;
      await clock.advance(100);
    }
    throw new Error(`never happened within five minutes: ${what}`);
  };
  const putSecret = (given: { readonly username: string; readonly password: string }): Promise<Secret> => {
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const hosts = [...new Set(servers.map((id) => id.split(':')[0] ?? ''))];
    const data = hosts.flatMap((server) => [
      [`${server}.username`, base64(given.username)],
      [`${server}.password`, base64(given.password)],
    ]);
    const secret: Secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: names.credentialsSecret, namespace: names.namespace },
      data: Object.fromEntries(data),
    };
    return client.apply(secrets, secret, { fieldManager: 'test', force: true });
  };

  const stop = new AbortController();
  const runs: Promise<void>[] = [];
  return {
    clock,
    client,
    kubeSim,
    sims,
    vc: (server = servers[0] ?? ''): VSphereSim => {
      const sim = sims.get(server);
      if (!sim) throw new Error(`no simulated vCenter ${server}`);
      return sim;
    },
    conf,
    metrics,
    account,
    putSecret,
    until,
    start: (identity = 'replica-1', controller = stop) => {
      const run = createProgram(identity).run(controller.signal);
      run.catch(() => {});
      runs.push(run);
      return run;
    },
    stop: async () => {
      stop.abort();
      const ended = Promise.allSettled(runs);
      let over = false;
      void ended.then(() => {
        over = true;
      });
      await until('the programs end', () => over || undefined);
      return ended;
    },
    /** A node that waits, with the UUID of a VM of the demo model. */
    join: async (index: number, overrides: Parameters<typeof waitingNode>[0] = {}): Promise<Node> => {
      const { status, ...node } = waitingNode({ name: `node-${index}`, systemUUID: demoUuid(index), ...overrides });
      const { uid: _uid, creationTimestamp: _created, ...metadata } = node.metadata;
      await client.create(nodes, { ...node, metadata });
      return client.patch(
        nodes,
        { name: `node-${index}` },
        { type: 'merge', body: { status } },
        { subresource: 'status' },
      );
    },
    node: (index: number): Promise<Node> => client.get(nodes, { name: `node-${index}` }),
    nodeNames: async (): Promise<readonly string[]> =>
      (await client.list(nodes)).items.map(({ metadata }) => metadata.name ?? '').sort(),
    eventsOf: async (name: string): Promise<readonly Event[]> =>
      (await client.list(events)).items.filter(({ involvedObject }) => involvedObject.name === name),
  };
};
