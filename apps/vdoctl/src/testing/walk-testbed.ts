import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '@vdo/base/clock';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { createConfigMapState } from '@vdo/kube/config-map-state';
import {
  configMaps,
  events,
  nodes,
  type PersistentVolume,
  persistentVolumes,
  pods,
  secrets,
} from '@vdo/kube/types/core';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import type { Matrix } from '@vdo/releases/matrix';
import { keyIdOf, signMatrix } from '@vdo/releases/matrix-signature';
import { demoServer } from '@vdo/sim-world/create-sim-world';
import { seedNamespaces } from '@vdo/sim-world/seed';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import { runVdoctl, type VdoctlOptions, type VdoctlRun } from './run-vdoctl.ts';
import { seedResource } from './seed-resource.ts';
import { startServedWorld } from './sim-cluster.ts';
import { administrator, serveSimVCenter } from './sim-vcenter.ts';

const namespace = 'vmware-system-vdo';
/** All commands of the walk run at this time, so that ages are always the same. */
const nowMs = Date.parse('2026-06-01T12:00:00Z');

/** Two releases of each driver: the output does not depend on the releases of the project. */
const walkMatrix = (): Matrix => {
  const { releases } = loadEmbeddedMatrix();
  const native = releases.filter(({ distribution }) => distribution === 'Native');
  const kubernetes = { min: '1.28', max: '1.60' };
  const vsphere = { min: '7.0.3', max: '9.0' };
  return {
    schemaVersion: 1,
    serial: 900,
    published: '2026-05-20',
    releases: ['9.1.0', '9.2.0', '9.3.0'].flatMap((version) =>
      native.map((release) => ({
        ...release,
        version,
        images: { vdo: { repository: 'vdo/vdo', tag: version } },
        sidecars: {},
        kubernetes,
        vsphere,
        downgradeTo: { min: '9.0.0' },
        ...(version === '9.3.0' ? { bad: 'loses snapshots' } : {}),
      })),
    ),
  };
};

const time = '2026-06-01T11:50:00Z';
const condition = (type: string, status: 'True' | 'False', message: string) => ({
  type,
  status,
  reason: 'Test',
  message,
  lastTransitionTime: time,
});

const statusOf = (server: string): VSphereDrivers['status'] => ({
  conditions: [condition('Ready', 'True', 'Everything runs.'), condition('Available', 'True', 'Drivers run.')],
  drivers: [
    { kind: 'CPI', distribution: 'Native', version: '9.1.0', controllers: { desired: 1, ready: 1 } },
    {
      kind: 'CSI',
      distribution: 'Native',
      version: '9.1.0',
      controllers: { desired: 1, ready: 1 },
      nodes: { desired: 5, ready: 5 },
    },
  ],
  versions: {
    operator: '9.0.0',
    kubernetes: 'v1.34.1',
    vcenters: [{ server, version: '8.0.3', build: '24022515' }],
    matrix: { serial: 900, source: 'ConfigMap matrix' },
  },
  nodes: { total: 5, initialized: 5 },
  checks: { lastRunTime: time, pass: 40, warn: 0, fail: 0, unknown: 0, skipped: 2 },
});

/** A cluster with everything that a command can show, its vCenter, and input files. */
export const startWalkTestbed = async () => {
  const { world, cluster } = await startServedWorld(
    { [demoServer]: demoModel() },
    { podLogs: ({ metadata }) => `first line of ${metadata.name}\nsecond line\n` },
  );
  const vcenter = await serveSimVCenter(world.vc());
  const folder = await mkdtemp(join(tmpdir(), 'vdoctl-walk-'));
  const { kube } = cluster;
  const { server, port, thumbprint } = vcenter;
  const vcenters = [{ server, port, credentialsSecret: 'vcenter', tls: { thumbprints: [thumbprint] } }];
  await seedResource(kube, { distribution: 'Native', vcenters, cpi: {}, csi: {} }, statusOf(server));
  await seedNamespaces(kube, namespace);
  const inNamespace = (name: string) => ({ name, namespace });
  await kube.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: inNamespace('vcenter'),
    stringData: { ...administrator },
  });
  await kube.create(configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: inNamespace('vsphere-csi-cluster-id'),
    data: { clusterID: 'this-cluster' },
  });
  for (const index of [1, 2]) {
    const uuid = demoUuid(index);
    const name = `node-${index}`;
    await kube.create(nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name },
      spec: { providerID: `vsphere://${uuid}` },
    });
    const status = {
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [{ type: 'InternalIP', address: `10.10.1.${10 + index}` }],
      nodeInfo: { systemUUID: uuid },
    };
    await kube.patch(nodes, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
  }
  await kube.create(persistentVolumes, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'pv-1' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: '00000000-0000-4000-8000-000000000001' },
    },
  } as unknown as PersistentVolume);
  await kube.create(events, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: inNamespace('upgraded'),
    involvedObject: { kind: 'VSphereDrivers', name: 'cluster' },
    reason: 'Upgraded',
    message: 'CSI runs 9.1.0.',
    type: 'Normal',
    count: 2,
    lastTimestamp: time,
    reportingComponent: 'vdo-operator',
  });
  for (const name of ['vdo-operator-7f9c-abcde', 'vsphere-csi-controller-5d4f-fghij'])
    await kube.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...inNamespace(name), labels: { 'app.kubernetes.io/part-of': 'vdo' } },
      spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'x' }] },
    });
  const note = (name: string) => createConfigMapState<unknown>({ client: kube, namespace, name, key: 'state' }, {});
  const matrix = walkMatrix();
  await note('vdo-matrix').save({ lastGood: { matrix, source: 'ConfigMap matrix' } });
  const good = matrix.releases.find(({ driver }) => driver === 'csi');
  await note('vdo-releases').save({ csi: { good, former: [{ ...good, version: '9.0.9' }], bad: [] } });
  const at = (name: string): string => join(folder, name);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const publisher = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const text = JSON.stringify(matrix);
  await writeFile(at('publisher.pem'), publisher);
  for (const name of ['matrix.json', 'unsigned.json']) await writeFile(at(name), text);
  const signed = signMatrix(text, [privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()]);
  await writeFile(at('matrix.json.sig'), signed);
  await writeFile(at('cni.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: net, namespace: kube-system}\n');
  const clock = { ...createSystemClock(), now: () => nowMs };

  /** Addresses, folders and fingerprints differ between runs: golden files have placeholders for them. */
  const tidy = (text: string): string =>
    text
      .replaceAll(cluster.server, 'https://CLUSTER')
      .replaceAll(`${folder}/`, 'FOLDER/')
      .replaceAll(thumbprint, 'THUMBPRINT')
      .replaceAll(keyIdOf(publisher), 'KEYID')
      .replaceAll(`${server}:${port}`, 'VCENTER:PORT')
      .replaceAll(server, 'VCENTER')
      .replaceAll(new RegExp(`\\b${port}\\b`, 'g'), 'PORT')
      .replaceAll(/\b20(?!26-06-01)\d\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/v1\.\d+\.\d+(\+[\w.]+)?/g, 'vKUBERNETES');

  return {
    at,
    kube,
    publisher,
    kubeconfig: cluster.kubeconfig,
    vcenterFlags: vcenter.flags,
    run: async (argv: readonly string[], options: VdoctlOptions = {}): Promise<VdoctlRun> => {
      const { exitCode, out, err } = await runVdoctl(argv, {
        clock,
        ...options,
        env: { ...vcenter.env, ...options.env },
      });
      return { exitCode, out: tidy(out), err: tidy(err) };
    },
    stop: async () => {
      await Promise.all([cluster.stop(), vcenter.stop(), rm(folder, { recursive: true, force: true })]);
    },
  };
};
