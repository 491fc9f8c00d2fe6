import { createSeededRandom } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import { createKubeClient } from '@vdo/kube/create-client';
import { type CustomResourceDefinition, customResourceDefinitions } from '@vdo/kube/types/cluster';
import { namespaces, type Pod, persistentVolumes } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { deployments } from '@vdo/kube/types/workloads';
import { createSimTestbed, namespace, type SimTestbed, type TestbedState } from '@vdo/operator/testing/sim-testbed';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { releasesOf, renderWorld } from '@vdo/releases/testing/rendered-worlds';
import type { Wire } from '@vdo/sim-world/create-sim-world';
import { seedCrds, seedDriverRoles } from '@vdo/sim-world/seed';
import { createJourney } from '@vdo/vdoctl/commands/migrate/engine/journey';
import type { Migration } from '@vdo/vdoctl/commands/migrate/engine/migration';
import { readRecord } from '@vdo/vdoctl/commands/migrate/engine/record';
import type { Scene } from '@vdo/vdoctl/commands/migrate/engine/scene';

const kubernetesVersion = 'v1.33.4';
const operatorKey = { namespace, name: 'vdo-operator' } as const;
const definitionName = 'vspheredrivers.vdo.vmware.com';

/** The operator's Deployment, cut down to what makes it one. */
const operatorDeployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: operatorKey,
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'vdo-operator' } },
    template: {
      metadata: { labels: { app: 'vdo-operator' } },
      spec: { containers: [{ name: 'operator', image: 'registry.example/vdo:test' }] },
    },
  },
} as const;

export interface MigrationTestbed extends SimTestbed {
  /** A new process of vdoctl: it remembers nothing. */
  vdoctl(migration: Migration, options?: { readonly wire?: Wire }): ReturnType<typeof createJourney>;
  /** Lets time pass until the promise is settled. */
  settle<T>(promise: Promise<T>): Promise<T>;
  applyAll(objects: readonly AnyObject[]): Promise<void>;
}

/** A cluster whose operator lives and dies with the pods of its Deployment. */
export const createMigrationTestbed = async (resume?: TestbedState): Promise<MigrationTestbed> => {
  let opened: SimTestbed | undefined;
  let lives = 0;
  const testbed = await createSimTestbed({
    start: false,
    kubernetesVersion,
    ...(resume ? { resume } : {}),
    whileReady: async (pod: Pod, signal) => {
      if (pod.metadata.labels?.['app'] !== 'vdo-operator' || !opened) return;
      lives += 1;
      const operator = opened.start(`operator-${resume ? 'b' : 'a'}${lives}`);
      signal.addEventListener('abort', () => operator.kill(), { once: true });
    },
  });
  opened = testbed;
  const { kube, clock } = testbed;
  if (!resume) {
    await kube.delete(customResourceDefinitions, { name: definitionName });
    await kube.apply(
      namespaces,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'vmware-system-csi' } },
      { fieldManager: 'test' },
    );
    await testbed.joinNode('node-1');
  }

  const settle = async <T>(promise: Promise<T>): Promise<T> => {
    let done = false;
    const end = () => {
      done = true;
    };
    promise.then(end, end);
    for (let steps = 0; !done && steps < 60_000; steps += 1) await clock.advance(100);
    return promise;
  };
  const sceneOf = (client: KubeClient): Scene => ({
    kube: client,
    clock,
    random: createSeededRandom(5),
    signal: new AbortController().signal,
    namespace,
    timeoutMs: 1_200_000,
    releases: loadEmbeddedMatrix().releases,
    installOperator: async () => {
      await seedCrds(client, 'vdo.vmware.com_vspheredrivers.yaml');
      await seedDriverRoles(client);
      await client.apply(deployments, operatorDeployment, { fieldManager: 'vdoctl', force: true });
    },
    removeOperator: async () => {
      await client.delete(deployments, operatorKey, { propagation: 'Background' });
      await client.delete(customResourceDefinitions, { name: definitionName });
    },
  });
  return {
    ...testbed,
    settle,
    applyAll: async (objects) => {
      for (const object of objects) {
        const resource = (await kube.resourceFor(object.apiVersion, object.kind)) as Resource<AnyObject>;
        await kube.apply(resource, object, { fieldManager: 'kubectl', force: true });
      }
    },
    vdoctl: (migration, { wire } = {}) => {
      const transport = testbed.kubeSim.handler;
      const client = createKubeClient({
        transport: wire ? wire('kube', transport, 'vdoctl') : transport,
        clock,
        qps: 0,
      });
      return createJourney(sceneOf(client), migration);
    },
  };
};

/** Begins, or goes on with, a migration and takes it as far as it goes. */
export const goForward = async (testbed: MigrationTestbed, migration: Migration, options: { wire?: Wire } = {}) => {
  const journey = testbed.vdoctl(migration, options);
  const stored = await readRecord(testbed.kube, new AbortController().signal);
  const station = await journey.observe(stored);
  if (!stored) await journey.begin(station, { distribution: 'Upstream', secretName: 'vcenter' }, undefined);
  return journey.forward(() => {});
};

const isOurMark = (key: string) => /^(app\.kubernetes\.io|vdo\.vmware\.com)\//.test(key);
export const withoutMarks = <T>(value: T): T => {
  if (Array.isArray(value)) return value.map(withoutMarks) as T;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !isOurMark(key));
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutMarks(one)])) as T;
};

/** The Go drivers as their manifests bring them: same names, places and selectors, none of our labels, a release back. */
export const upstreamManifests = (csiVersion?: string): readonly AnyObject[] => {
  const cpi = releasesOf('cpi', 'Upstream').find(({ version }) => version.startsWith('1.33.'));
  const csi = releasesOf('csi', 'Upstream').find(({ version }) => version === (csiVersion ?? '3.5.0'));
  if (!cpi || !csi) throw new Error(`the embedded matrix has no CSI ${csiVersion} or no CPI 1.33`);
  const spec = { vcenters: [{ server: 'vc.example.com', credentialsSecret: 'vcenter' }] };
  return renderWorld('Upstream', { ...spec, images: {} }, { releases: { cpi, csi } }).map(withoutMarks);
};

export const seedVolumes = async (kube: KubeClient): Promise<void> => {
  for (const name of ['pv-1', 'pv-2'])
    await kube.create(persistentVolumes, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: `handle-of-${name}` },
      },
    });
};

export const v1alpha1Crds = (['VDOConfig', 'VsphereCloudConfig'] as const).map(
  (kind) =>
    ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${kind.toLowerCase()}s.vdo.vmware.com` },
      spec: {
        group: 'vdo.vmware.com',
        scope: 'Namespaced',
        names: { plural: `${kind.toLowerCase()}s`, kind, listKind: `${kind}List`, singular: kind.toLowerCase() },
        versions: [
          {
            name: 'v1alpha1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    }) as unknown as CustomResourceDefinition,
);

/** What controllers and programs write about objects, not who made them. */
const passing = /\/(events|leases|pods|replicasets|controllerrevisions|endpoints|endpointslices|csinodes)$/;
const volatile = new Set(['uid', 'resourceVersion', 'generation', 'managedFields', 'creationTimestamp']);
const revision = 'deployment.kubernetes.io/revision';

/** Every object of the cluster as people want it, by its place. */
export const wantedState = (testbed: SimTestbed): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(testbed.capture().cluster.buckets)
      .filter(([bucket]) => !passing.test(bucket))
      .flatMap(([bucket, objects]) =>
        objects.map(({ metadata, status: _, ...rest }) => {
          const meta = Object.fromEntries(Object.entries(metadata).filter(([key]) => !volatile.has(key)));
          const annotations = Object.fromEntries(
            Object.entries(metadata.annotations ?? {}).filter(([key]) => key !== revision),
          );
          const place = `${bucket} ${metadata.namespace ?? ''}/${metadata.name}`;
          return [place, { ...rest, metadata: { ...meta, annotations } }];
        }),
      ),
  );
