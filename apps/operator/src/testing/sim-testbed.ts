import { generateKeyPairSync } from 'node:crypto';
import type { HttpTransport } from '@vdo/base/http';
import { HttpFailure } from '@vdo/base/http-failure';
import type { Check } from '@vdo/checks/check';
import { type VSphereDrivers, type VSphereDriversSpecInput, vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { configMaps, events, secrets } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import type { StoreSnapshot } from '@vdo/kube-sim/store/store';
import type { Release } from '@vdo/releases/matrix';
import { signMatrix } from '@vdo/releases/matrix-signature';
import {
  createSimWorld,
  demoServer,
  type ProgramParts,
  type SimProgram,
  type SimWorldOptions,
  type Wire,
} from '@vdo/sim-world/create-sim-world';
import { seedCrds, seedDriverRoles, seedNamespaces } from '@vdo/sim-world/seed';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { createOperator } from '../app.ts';
import { joinNode } from './join-node.ts';
import { createStubPods, type StubPodOptions } from './stub-pods.ts';

export const namespace = 'vmware-system-vdo';
export const server = demoServer;
export const account = { username: 'administrator@vsphere.local', password: 'obviously-fake' };
const fieldManager = 'test';
const testRegistry = 'registry.test';
// As people write it: defaults are the API server's to fill in.
const { objectType: _, ...untyped } = vsphereDrivers;

/** All that outlives a process of the operator: a testbed opened from it goes on where the other stood. */
export interface TestbedState {
  readonly cluster: StoreSnapshot;
  readonly nowMs: number;
  readonly keys: MatrixKeys;
}

export interface SimTestbedOptions {
  /** Comes between the operator and what it talks to. */
  readonly wire?: Wire;
  /** The clock of a process. Default: that of the testbed. */
  readonly clockOf?: SimWorldOptions['clockOf'];
  /** Default true: the operator runs from the start. */
  readonly start?: boolean;
  readonly kubernetesVersion?: string;
  /** How many changes the API server remembers for watches. Default: the simulator's. */
  readonly historyLimit?: number;
  /** Servers that have a vCenter of their own; all other names lead to the demonstration one. */
  readonly otherVCenters?: Readonly<Record<string, VSphereModel>>;
  /** What the operator checks. Default: everything. */
  readonly checks?: readonly Check[];
  /** Between an operator's attempts to hold its Lease. Default: as shipped. */
  readonly retryPeriodMs?: number;
  /** What the pods of the drivers do while they are ready. */
  readonly whileReady?: StubPodOptions['whileReady'];
  /** Goes on from there instead of with an empty cluster. The vCenter is a new one: the operator only reads it. */
  readonly resume?: TestbedState;
  /** Where the images of the release are. Default: a registry of tests; undefined: as a build that names none. */
  readonly registry?: string | undefined;
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

/** A simulated world with operators. Pods do as the test says. */
export const createSimTestbed = async (options: SimTestbedOptions = {}) => {
  const { wire, clockOf, resume } = options;
  const registry = 'registry' in options ? options.registry : testRegistry;
  const stubs = createStubPods({ whileReady: options.whileReady });
  const world = createSimWorld({
    ...(wire ? { wire } : {}),
    ...(clockOf ? { clockOf } : {}),
    // Names and UIDs of the first testbed must not come again.
    ...(resume ? { seed: 12, nowMs: resume.nowMs } : { seed: 11 }),
    models: { [server]: demoModel(), ...options.otherVCenters },
    kube: {
      workloadOf: stubs.workloadOf,
      ...(options.kubernetesVersion ? { version: options.kubernetesVersion } : {}),
      ...(options.historyLimit ? { historyLimit: options.historyLimit } : {}),
      ...(resume ? { snapshot: resume.cluster } : {}),
    },
  });
  const { clock, client: kube } = world;
  const network = { up: true };
  const keys = resume?.keys ?? createKeys();
  const { publicKey, privateKey } = keys;
  /** All names but those of the other vCenters lead to the demonstration one. */
  const toVCenter =
    (name: string): HttpTransport =>
    async (request) => {
      if (!network.up) throw new HttpFailure('refused', 'connection refused');
      return (world.vcenters.get(name) ?? world.vc(server)).handler(request);
    };

  /** One process of the operator, with nothing in memory but what it reads. */
  const build = ({ way, connect: _byName, ...parts }: ProgramParts) => {
    return createOperator({
      ...parts,
      createVCenter: ({ server: name }, login) =>
        createVCenter({ ...parts, ...login, server: name, transport: way('vcenter', toVCenter(name)) }),
      readers: {
        connect: () => async () => {
          throw new HttpFailure('refused', 'connection refused');
        },
        readFile: async () => undefined,
      },
      probes: {},
      checks: options.checks,
      // The matrices of a testbed are its owner's: they do not continue the line of serials of the one in the image.
      matrix: { trustedKeys: [] },
      namespace,
      version: '0.1.0',
      ...(registry === undefined ? {} : { registry }),
      ...(options.retryPeriodMs === undefined ? {} : { retryPeriodMs: options.retryPeriodMs }),
    });
  };

  const operators: Pick<SimProgram, 'metrics' | 'running' | 'kill'>[] = [];
  const start = (identity = 'operator-1') => {
    const { metrics, running, stop } = world.start(identity, build);
    const operator = { metrics, running, kill: () => stop(new Error('killed')) };
    operators.push(operator);
    return operator;
  };

  const until = <T>(what: string, ask: () => Promise<T | undefined | false>, steps = 1_200): Promise<T> => {
    const tell = async () => JSON.stringify((await drivers())?.status, undefined, 1);
    return world.until(what, ask, { withinMs: steps * 100, describe: tell });
  };
  const drivers = (): Promise<VSphereDrivers | undefined> => kube.find(vsphereDrivers, { name: 'cluster' });
  const condition = async (type: string) => (await drivers())?.status?.conditions?.find((one) => one.type === type);

  if (!resume) {
    await seedNamespaces(kube, namespace);
    await seedCrds(kube, 'vdo.vmware.com_vspheredrivers.yaml');
    await seedDriverRoles(kube);
  }
  if (options.start !== false) start();

  return {
    clock,
    kube,
    kubeSim: world.kubeSim(),
    /** The API server of now: after a restore it is another one. */
    kubeSimNow: world.kubeSim,
    backUp: world.backUp,
    /** The API server comes back with what it had then; connections break, as they do. */
    restore: (snapshot: StoreSnapshot): void => {
      world.kubeSim().dropWatches();
      world.restore(snapshot);
    },
    vsphere: world.vc(server),
    otherVCenter: (name: string) => world.vcenters.get(name),
    network,
    stubs,
    until,
    drivers,
    condition,
    start,
    operators,
    publicKey,
    capture: (): TestbedState => ({ cluster: world.backUp(), nowMs: clock.now(), keys }),
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
        ...(spec.updates ? { updates: { trustedKeys: [publicKey], ...spec.updates } } : {}),
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
    /** Words of the status and of events that `vdoctl explain` does not know. */
    unexplained: world.unexplained,
    stop: world.stop,
  };
};

export type SimTestbed = Awaited<ReturnType<typeof createSimTestbed>>;
