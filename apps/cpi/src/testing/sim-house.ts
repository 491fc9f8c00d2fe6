import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { leaseNames, names } from '@vdo/config/names';
import { readDriverConfig } from '@vdo/config/read-driver-config';
import { type Event, events, type Node, nodes, type Secret, secrets } from '@vdo/kube/types/core';
import type { ConfigSource } from '@vdo/program/config-source';
import { connectVCenters } from '@vdo/program/connect-vcenters';
import { vcenterId } from '@vdo/program/vcenter-id';
import {
  createSimWorld,
  type ProgramParts,
  type SimProgram,
  type SimWorldOptions,
} from '@vdo/sim-world/create-sim-world';
import { createLoginGuard } from '@vdo/vsphere/session/login-guard';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import { createCpi } from '../app.ts';
import type { DeletionRecord, DeletionStore } from '../lifecycle/deletion-budget.ts';
import { waitingNode } from './node.ts';

/** `vc.example.com` or `vc.example.com:8443`. */
const vcenterConf = (id: string): string => {
  const [server = '', port = '443'] = id.split(':');
  const name = id.replace(/\..*?(?=:|$)/, '').replace(':', '-');
  return `  ${name}:\n    server: ${server}\n    port: ${port}\n    secretName: ${names.credentialsSecret}\n    secretNamespace: ${names.namespace}\n`;
};

export const confFor = (...servers: readonly string[]): string =>
  `vcenter:\n${servers.map(vcenterConf).join('')}labels:\n  region: k8s-region\n  zone: k8s-zone\n`;

export interface SimHouseOptions extends Pick<SimWorldOptions, 'models' | 'wire'> {
  readonly account?: { readonly username: string; readonly password: string };
}

/** A simulated world with one or more vCenters and replicas of the program. */
export const createSimHouse = (options: SimHouseOptions = {}) => {
  const { account = { username: 'cpi@vsphere.local', password: 'obviously-fake-cpi' } } = options;
  const world = createSimWorld(options);
  const { clock, client, until } = world;
  const servers = [...world.vcenters.keys()];
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
  const build = (parts: ProgramParts) => {
    const deps = { ...parts, metrics };
    const vcenterDeps = { ...deps, loginGuard, userAgent: 'vsphere-cpi', nameOf: vcenterId };
    return createCpi({
      ...deps,
      connectVCenters: (loaded) => connectVCenters(loaded, vcenterDeps),
      config,
      deletions,
      leaderElection: {
        namespace: names.systemNamespace,
        name: leaseNames.cpi,
        leaseDurationMs: 15_000,
        renewDeadlineMs: 10_000,
        retryPeriodMs: 2_000,
      },
    });
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

  const programs: SimProgram[] = [];
  return {
    ...world,
    kubeSim: world.kubeSim(),
    conf,
    metrics,
    account,
    putSecret,
    /** Starts a replica, which also ends with the controller given. */
    start: (identity = 'replica-1', controller?: AbortController) => {
      const program = world.start(identity, build);
      controller?.signal.addEventListener('abort', () => program.stop());
      programs.push(program);
      return program.running;
    },
    /** Ends the programs; others may be started after them. */
    stop: async () => {
      for (const program of programs) program.stop();
      const ended = Promise.allSettled(programs.map(({ running }) => running));
      let over = false;
      void ended.then(() => {
        over = true;
      });
      await until('the programs end', () => over);
      return ended;
    },
    /** A node that waits, with the UUID of a VM of the demo model. */
    join: (index: number, overrides: Parameters<typeof waitingNode>[0] = {}): Promise<Node> => {
      const node = waitingNode({ name: `node-${index}`, systemUUID: demoUuid(index), ...overrides });
      const { uid: _uid, creationTimestamp: _created, ...metadata } = node.metadata;
      return client.create(nodes, { ...node, metadata });
    },
    node: (index: number): Promise<Node> => client.get(nodes, { name: `node-${index}` }),
    nodeNames: async (): Promise<readonly string[]> =>
      (await client.list(nodes)).items.map(({ metadata }) => metadata.name ?? '').sort(),
    eventsOf: async (name: string): Promise<readonly Event[]> =>
      (await client.list(events)).items.filter(({ involvedObject }) => involvedObject.name === name),
  };
};
