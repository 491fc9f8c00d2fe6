import { readFileSync } from 'node:fs';
import { HttpFailure } from '@vdo/base/http-failure';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { type VSphereDrivers, type VSphereDriversSpecInput, vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { createKubeClient } from '@vdo/kube/create-client';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { events, namespaces, nodes, secrets } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import { createLoginGuard } from '@vdo/vsphere/session/login-guard';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { parse } from 'yaml';
import { createOperator } from '../app.ts';
import { readCredentials } from '../gather/credentials.ts';

export const namespace = 'vmware-system-vdo';
export const server = 'vc.example.com';
export const account = { username: 'administrator@vsphere.local', password: 'obviously-fake' };
const fieldManager = 'test';
// As people write it: defaults are the API server's to fill in.
const { objectType: _, ...untyped } = vsphereDrivers;
const crdFile = new URL('../../../../deploy/crds/vdo.vmware.com_vspheredrivers.yaml', import.meta.url);

/** Simulated cluster and vCenter with the operator in one process, on a virtual clock. Pods are ready as soon as they run. */
export const createSimHouse = async () => {
  const clock = createVirtualClock();
  const random = createSeededRandom(11);
  const kubeSim = createKubeSim({
    clock,
    random,
    logger: silentLogger,
    workloadOf:
      () =>
      async (_pod, { ready, signal }) => {
        ready();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      },
  });
  const kube = createKubeClient({ transport: kubeSim.handler, clock, qps: 0 });
  const vsphere = createVSphereSim({ model: demoModel(), clock, random });
  const network = { up: true };
  const loginGuard = createLoginGuard({ clock, logger: silentLogger });
  const metrics = createMetrics();
  const operator = createOperator({
    kube,
    createVCenter: (spec) =>
      createVCenter({
        server: spec.server,
        credentials: ({ signal }) => readCredentials(kube, spec, { namespace, ...(signal ? { signal } : {}) }),
        transport: async (request) => {
          if (!network.up) throw new HttpFailure('refused', 'connection refused');
          return vsphere.handler(request);
        },
        clock,
        random,
        logger: silentLogger,
        metrics,
        loginGuard,
      }),
    matrix: { document: loadEmbeddedMatrix(), source: 'the operator image' },
    namespace,
    version: '0.1.0',
    clock,
    random,
    logger: silentLogger,
    metrics,
    identity: 'operator-1',
  });

  const stopping = new AbortController();
  const running = [kubeSim.run(stopping.signal), operator.run(stopping.signal)];
  const until = async <T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> => {
    for (let step = 0; step < 1_200; step++) {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
      await clock.advance(100);
    }
    throw new Error(
      `never happened within two minutes: ${what}\n${JSON.stringify((await drivers())?.status, undefined, 1)}`,
    );
  };
  const drivers = (): Promise<VSphereDrivers | undefined> => kube.find(vsphereDrivers, { name: 'cluster' });
  const condition = async (type: string) => (await drivers())?.status?.conditions?.find((one) => one.type === type);

  await kube.apply(
    namespaces,
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { fieldManager },
  );
  const crd = parse(readFileSync(crdFile, 'utf8'));
  await kube.apply(customResourceDefinitions, crd, { fieldManager });

  return {
    clock,
    kube,
    kubeSim,
    vsphere,
    network,
    until,
    drivers,
    condition,
    putSecret: (given: { readonly username: string; readonly password: string }) =>
      kube.apply(
        secrets,
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'vcenter', namespace }, stringData: { ...given } },
        { fieldManager, force: true },
      ),
    describe: (spec: { readonly [field in keyof VSphereDriversSpecInput]?: unknown } = {}) => {
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
        metadata: { name: 'cluster' },
        spec: wanted,
      };
      return kube.apply<AnyObject>(untyped, object, { fieldManager, force: true });
    },
    /** A node whose cloud provider is done with it. */
    joinNode: (name: string) =>
      kube.create(nodes, {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, labels: { 'kubernetes.io/os': 'linux' } },
        spec: { providerID: 'vsphere://42120000-0000-4000-8000-000000000001' },
      }),
    warnings: async () =>
      (await kube.list(events)).items
        .filter(({ type, involvedObject }) => type === 'Warning' && involvedObject.kind === 'VSphereDrivers')
        .map(({ reason, message }) => ({ reason, message })),
    becomes: (type: string, status: string, reason: string) =>
      until(`${type}=${status}/${reason}`, async () => {
        const found = await condition(type);
        return found?.status === status && found.reason === reason ? found : undefined;
      }),
    stop: async () => {
      stopping.abort(new Error('the test is over'));
      let ended = false;
      void Promise.allSettled(running).then(() => {
        ended = true;
      });
      for (let step = 0; step < 200 && !ended; step++) await clock.advance(100);
    },
  };
};

export type SimHouse = Awaited<ReturnType<typeof createSimHouse>>;
