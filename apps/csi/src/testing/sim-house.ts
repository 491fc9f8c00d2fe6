import { readFileSync } from 'node:fs';
import type { Clock } from '@vdo/base/clock';
import type { HttpTransport } from '@vdo/base/http';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { type DriverConfig, defaultCsiConfig, noAddressRules } from '@vdo/config/driver-config';
import { createKubeClient } from '@vdo/kube/create-client';
import { type CustomResourceDefinition, customResourceDefinitions } from '@vdo/kube/types/cluster';
import {
  type Event,
  events,
  type Namespace,
  namespaces,
  nodes,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from '@vdo/kube/types/core';
import {
  type CsiNode,
  csiNodes,
  type StorageClass,
  storageClasses,
  type VolumeAttachment,
  volumeAttachments,
} from '@vdo/kube/types/storage';
import { createKubeSim, type KubeSim } from '@vdo/kube-sim/kube-sim';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import { createLoginGuard } from '@vdo/vsphere/session/login-guard';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { parse } from 'yaml';
import { createCsiController } from '../app.ts';
import { driverName } from '../driver.ts';
import { volumeIntents } from '../intents/kube-intent-store.ts';

const namespace = 'vmware-system-vdo';
const leaseNamespace = 'vmware-system-csi';
const server = 'vc.example.com';
const account = { username: 'csi@vsphere.local', password: 'obviously-fake-csi' };
const crdFile = new URL('../../../../deploy/crds/vdo.vmware.com_volumeintents.yaml', import.meta.url);

export interface SimHouseOptions {
  readonly model?: VSphereModel;
  readonly csi?: Partial<DriverConfig['csi']>;
  /** Where replicas serve CSI. Default: nowhere. */
  readonly csiEndpoint?: string;
  /** Stands between the program and the simulators, to break things at a chosen request. */
  readonly wire?: (to: 'kube' | 'vcenter', transport: HttpTransport, identity: string) => HttpTransport;
  /** The clock of a replica. Default: that of the house. */
  readonly clockOf?: (identity: string, clock: Clock) => Clock;
}

/** A simulated cluster, a simulated vCenter and the controller role, in one process on a virtual clock. */
export const createSimHouse = (options: SimHouseOptions = {}) => {
  const { model = demoModel(), wire = (_to, transport) => transport, clockOf = (_identity, one) => one } = options;
  const clock = createVirtualClock();
  const random = createSeededRandom(7);
  let cluster = createKubeSim({ clock, random, logger: silentLogger });
  const toCluster: HttpTransport = (request) => cluster.handler(request);
  const client = createKubeClient({ transport: toCluster, clock, qps: 0 });
  const sim = createVSphereSim({ model, clock, random });
  const stop = new AbortController();
  let powerCut = new AbortController();
  const runCluster = () => cluster.run(AbortSignal.any([stop.signal, powerCut.signal]));
  const running: Promise<unknown>[] = [runCluster()];
  const config: DriverConfig = {
    vcenters: [],
    labels: {},
    nodes: { internal: noAddressRules, external: noAddressRules },
    csi: { ...defaultCsiConfig, ...options.csi },
  };

  /** Starts a replica; the returned function kills it: it neither logs out nor gives its Lease back. */
  const start = (identity = 'replica-1', clusterId = 'cluster-a') => {
    const life = new AbortController();
    let dead = false;
    const never = () => new Promise<never>(() => {});
    const mortal =
      (transport: HttpTransport): HttpTransport =>
      async (request) => {
        if (dead) return never();
        const reply = await transport(request);
        return dead ? never() : reply;
      };
    const metrics = createMetrics();
    const own = { clock: clockOf(identity, clock), random, logger: silentLogger, metrics };
    const kube = createKubeClient({ transport: mortal(wire('kube', toCluster, identity)), clock: own.clock, qps: 0 });
    const vcenter = createVCenter({
      server,
      credentials: async () => ({ ...account, version: '1' }),
      transport: mortal(wire('vcenter', sim.handler, identity)),
      ...own,
      loginGuard: createLoginGuard(own),
    });
    const controller = createCsiController({
      kube,
      vcenters: [vcenter],
      userOf: async () => account.username,
      config,
      clusterId,
      namespace,
      leaseNamespace,
      identity,
      sidecars: 'builtin',
      ...(options.csiEndpoint === undefined ? {} : { csiEndpoint: options.csiEndpoint }),
      ...own,
    });
    const run = controller.run(AbortSignal.any([stop.signal, life.signal])).then(() => vcenter.close());
    run.catch(() => {});
    running.push(run);
    return {
      controller,
      metrics,
      stop: () => life.abort(),
      kill: () => {
        dead = true;
        life.abort();
      },
    };
  };

  const until = async <T>(what: string, check: () => T | undefined | Promise<T | undefined>): Promise<T> => {
    for (let step = 0; step < 3000; step++) {
      const value = await check();
      if (value !== undefined && value !== false) return value;
      await clock.advance(100);
    }
    throw new Error(`never happened within five minutes: ${what}`);
  };

  const setUp = async (): Promise<void> => {
    for (const name of [namespace, leaseNamespace, 'default'])
      await client.apply<Namespace>(
        namespaces,
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
        { fieldManager: 'test', force: true },
      );
    const crd = parse(readFileSync(crdFile, 'utf8')) as CustomResourceDefinition;
    await client.create(customResourceDefinitions, crd);
    for (const index of [1, 2, 3, 4, 5])
      await client.create(nodes, {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: `node-${index}` },
        spec: { providerID: `vsphere://42120000-0000-4000-8000-00000000000${index}` },
      });
    await storageClass('vsphere');
  };

  const storageClass = (name: string, overrides: Partial<StorageClass> = {}) =>
    client.create<StorageClass>(storageClasses, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name },
      provisioner: 'csi.vsphere.vmware.com',
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
      ...overrides,
    });

  return {
    clock,
    client,
    /** The way to the API server, whichever it is after a restore. */
    toCluster,
    sim,
    /** What the API server has now. */
    backUp: (): ReturnType<KubeSim['snapshot']> => cluster.snapshot(),
    /** The API server comes back with what it had then. */
    restore: (backup: ReturnType<KubeSim['snapshot']>): void => {
      powerCut.abort();
      powerCut = new AbortController();
      cluster = createKubeSim({ clock, random, logger: silentLogger, snapshot: backup });
      running.push(runCluster());
    },
    setUp,
    start,
    /** Runs another program of the cluster until the house is closed. */
    alongside: (program: (signal: AbortSignal) => Promise<unknown>): void => {
      const run = program(stop.signal);
      run.catch(() => {});
      running.push(run);
    },
    until,
    storageClass,
    claim: (name: string, storageClassName = 'vsphere', spec: Partial<PersistentVolumeClaim['spec']> = {}) =>
      client.create<PersistentVolumeClaim>(persistentVolumeClaims, {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name, namespace: 'default' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName,
          resources: { requests: { storage: '1Gi' } },
          ...spec,
        },
      }),
    getClaim: (name: string) => client.find(persistentVolumeClaims, { namespace: 'default', name }),
    bound: (name: string) =>
      until(`claim ${name} is bound`, async () => {
        const claim = await client.find(persistentVolumeClaims, { namespace: 'default', name });
        return claim?.status?.phase === 'Bound' ? claim : undefined;
      }),
    /** What the kubelet writes when the node role has registered. */
    registerNode: (index: number) =>
      client.create<CsiNode>(csiNodes, {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSINode',
        metadata: { name: `node-${index}` },
        spec: { drivers: [{ name: driverName, nodeID: `42120000-0000-4000-8000-00000000000${index}` }] },
      }),
    /** What the attach-detach controller writes when a pod with the volume is scheduled. */
    attachment: (name: string, persistentVolumeName: string, node: number) =>
      client.create<VolumeAttachment>(volumeAttachments, {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        metadata: { name },
        spec: { attacher: driverName, nodeName: `node-${node}`, source: { persistentVolumeName } },
      }),
    getAttachment: (name: string) => client.find(volumeAttachments, { name }),
    deleteClaim: (name: string) => client.delete(persistentVolumeClaims, { namespace: 'default', name }),
    persistentVolumes: async () => (await client.list(persistentVolumes)).items,
    intents: async () => (await client.list(volumeIntents)).items,
    eventsOf: async (name: string): Promise<readonly Event[]> =>
      (await client.list(events)).items.filter(({ involvedObject }) => involvedObject.name === name),
    stop: async (): Promise<void> => {
      stop.abort();
      let over = false;
      void Promise.allSettled(running).then(() => {
        over = true;
      });
      // Killed replicas wait for replies that never come.
      for (let step = 0; step < 300 && !over; step++) await clock.advance(100);
    },
  };
};
