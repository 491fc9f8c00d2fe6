import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { HttpTransport } from '@vdo/base/http';
import { HttpFailure } from '@vdo/base/http-failure';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { type VSphereDrivers, type VSphereDriversSpecInput, vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { readCredentials } from '@vdo/gather/read-credentials';
import { createKubeClient } from '@vdo/kube/create-client';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { configMaps, events, namespaces, secrets } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import type { StoreSnapshot } from '@vdo/kube-sim/store/store';
import { createLoginMemory } from '@vdo/program/login-memory';
import type { Release } from '@vdo/releases/matrix';
import { signMatrix } from '@vdo/releases/matrix-signature';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { parse } from 'yaml';
import { createOperator } from '../app.ts';
import { joinNode } from './join-node.ts';
import { createStubPods } from './stub-pods.ts';

export const namespace = 'vmware-system-vdo';
export const server = 'vc.example.com';
export const account = { username: 'administrator@vsphere.local', password: 'obviously-fake' };
const fieldManager = 'test';
// As people write it: defaults are the API server's to fill in.
const { objectType: _, ...untyped } = vsphereDrivers;
const crdFile = new URL('../../../../deploy/crds/vdo.vmware.com_vspheredrivers.yaml', import.meta.url);

export type Wire = (to: 'kube' | 'vcenter', transport: HttpTransport, process: string) => HttpTransport;

/** All that outlives a process of the operator: a house opened from it goes on where the other stood. */
export interface HouseState {
  readonly cluster: StoreSnapshot;
  readonly nowMs: number;
  readonly keys: MatrixKeys;
}

export interface SimHouseOptions {
  /** Comes between the operator and what it talks to. */
  readonly wire?: Wire;
  /** Default true: the operator runs from the start. */
  readonly start?: boolean;
  readonly kubernetesVersion?: string;
  /** Servers that have a vCenter of their own; all other names lead to the demonstration one. */
  readonly otherVCenters?: Readonly<Record<string, VSphereModel>>;
  /** Goes on from there instead of with an empty cluster. The vCenter is a new one: the operator only reads it. */
  readonly resume?: HouseState;
}

interface MatrixKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const createKeys = (): MatrixKeys => {
  const keys = generateKeyPairSync('ed25519');
  return {
    publicKey: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};

/** Simulated cluster and vCenters with the operator in one process, on a virtual clock. Pods do as the test says. */
export const createSimHouse = async (options: SimHouseOptions = {}) => {
  const { wire = (_to, transport) => transport, resume } = options;
  const clock = createVirtualClock(resume?.nowMs);
  // Names and UIDs of the first house must not come again.
  const random = createSeededRandom(resume ? 12 : 11);
  const stubs = createStubPods();
  const kubeSim = createKubeSim({
    clock,
    random,
    logger: silentLogger,
    workloadOf: stubs.workloadOf,
    ...(options.kubernetesVersion ? { version: options.kubernetesVersion } : {}),
    ...(resume ? { snapshot: resume.cluster } : {}),
  });
  const kube = createKubeClient({ transport: kubeSim.handler, clock, qps: 0 });
  const vsphere = createVSphereSim({ model: demoModel(), clock, random });
  const others = new Map(
    Object.entries(options.otherVCenters ?? {}).map(([name, model]) => [
      name,
      createVSphereSim({ model, clock, random }),
    ]),
  );
  const network = { up: true };
  const keys = resume?.keys ?? createKeys();
  const { publicKey, privateKey } = keys;

  /** One process of the operator, with nothing in memory but what it reads. */
  const startOperator = (identity = 'operator-1') => {
    const ending = new AbortController();
    const metrics = createMetrics();
    const own = createKubeClient({ transport: wire('kube', kubeSim.handler, identity), clock, qps: 0 });
    const loginGuard = createLoginMemory({ kube: own, namespace, program: 'operator', clock, logger: silentLogger });
    const operator = createOperator({
      kube: own,
      createVCenter: (spec) =>
        createVCenter({
          server: spec.server,
          credentials: ({ signal }) => readCredentials(own, spec, { namespace, ...(signal ? { signal } : {}) }),
          transport: wire(
            'vcenter',
            async (request) => {
              if (!network.up) throw new HttpFailure('refused', 'connection refused');
              return (others.get(spec.server) ?? vsphere).handler(request);
            },
            identity,
          ),
          clock,
          random,
          logger: silentLogger,
          metrics,
          loginGuard,
        }),
      readers: {
        connect: () => async () => {
          throw new HttpFailure('refused', 'connection refused');
        },
        readFile: async () => undefined,
      },
      probes: {},
      matrix: { trustedKeys: [publicKey] },
      namespace,
      version: '0.1.0',
      clock,
      random,
      logger: silentLogger,
      metrics,
      identity,
    });
    const running = operator.run(ending.signal);
    running.catch(() => undefined);
    return { metrics, running, kill: () => ending.abort(new Error('killed')) };
  };

  const stopping = new AbortController();
  const cluster = kubeSim.run(stopping.signal);
  const operators: ReturnType<typeof startOperator>[] = [];
  const start = (identity?: string) => {
    const operator = startOperator(identity);
    operators.push(operator);
    return operator;
  };

  const until = async <T>(what: string, ask: () => Promise<T | undefined | false>, steps = 1_200): Promise<T> => {
    for (let step = 0; step < steps; step++) {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
      await clock.advance(100);
    }
    const status = JSON.stringify((await drivers())?.status, undefined, 1);
    throw new Error(`never happened within ${steps / 10} s: ${what}\n${status}`);
  };
  const drivers = (): Promise<VSphereDrivers | undefined> => kube.find(vsphereDrivers, { name: 'cluster' });
  const condition = async (type: string) => (await drivers())?.status?.conditions?.find((one) => one.type === type);

  if (!resume) {
    const home = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } } as const;
    await kube.apply(namespaces, home, { fieldManager });
    const crd = parse(readFileSync(crdFile, 'utf8'));
    await kube.apply(customResourceDefinitions, crd, { fieldManager });
  }
  if (options.start !== false) start();

  return {
    clock,
    kube,
    kubeSim,
    vsphere,
    otherVCenter: (name: string) => others.get(name),
    network,
    stubs,
    until,
    drivers,
    condition,
    start,
    operators,
    publicKey,
    capture: (): HouseState => ({ cluster: kubeSim.snapshot(), nowMs: clock.now(), keys }),
    putSecret: (given: { readonly username: string; readonly password: string }, name = 'vcenter') =>
      kube.apply(
        secrets,
        { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData: { ...given } },
        { fieldManager, force: true },
      ),
    /** Publishes a signed matrix in the ConfigMap `matrix`. */
    publish: (
      serial: number,
      releases: readonly Release[],
      change: {
        readonly sign?: boolean;
        readonly text?: string;
        /** Another key than the one that is trusted. */
        readonly signWith?: string;
      } = {},
    ) => {
      const text = change.text ?? JSON.stringify({ schemaVersion: 1, serial, published: '2026-01-01', releases });
      const signature =
        change.sign === false ? {} : { 'matrix.json.sig': signMatrix(text, [change.signWith ?? privateKey]) };
      return kube.apply(
        configMaps,
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'matrix', namespace },
          data: { 'matrix.json': text, ...signature },
        },
        { fieldManager, force: true },
      );
    },
    describe: (
      spec: { readonly [field in keyof VSphereDriversSpecInput]?: unknown } = {},
      annotations: Readonly<Record<string, string>> = {},
    ) => {
      const wanted = {
        distribution: 'Native',
        vcenters: [{ server, credentialsSecret: 'vcenter' }],
        cpi: {},
        csi: {},
        ...spec,
      };
      const object: AnyObject = {
        apiVersion: 'vdo.vmware.com/v1beta1',
        kind: 'VSphereDrivers',
        metadata: { name: 'cluster', annotations },
        spec: wanted,
      };
      return kube.apply<AnyObject>(untyped, object, { fieldManager, force: true });
    },
    /** A node whose cloud provider is done with it: node-1, node-2, … are VMs of the demonstration model. */
    joinNode: (name: string) => joinNode(kube, name),
    events: async () =>
      (await kube.list(events)).items
        .filter(({ involvedObject }) => involvedObject.kind === 'VSphereDrivers')
        .map(({ type, reason, message }) => ({ type, reason, message })),
    warnings: async () =>
      (await kube.list(events)).items
        .filter(({ type, involvedObject }) => type === 'Warning' && involvedObject.kind === 'VSphereDrivers')
        .map(({ reason, message }) => ({ reason, message })),
    becomes: (type: string, status: string, reason: string, steps?: number) =>
      until(
        `${type}=${status}/${reason}`,
        async () => {
          const found = await condition(type);
          return found?.status === status && found.reason === reason ? found : undefined;
        },
        steps,
      ),
    stop: async () => {
      stopping.abort(new Error('the test is over'));
      for (const { kill } of operators) kill();
      let ended = false;
      void Promise.allSettled([cluster, ...operators.map(({ running }) => running)]).then(() => {
        ended = true;
      });
      for (let step = 0; step < 200 && !ended; step++) await clock.advance(100);
    },
  };
};

export type SimHouse = Awaited<ReturnType<typeof createSimHouse>>;
