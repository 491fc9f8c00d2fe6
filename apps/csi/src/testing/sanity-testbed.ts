import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { every } from '@vdo/base/async/every';
import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { defaultCsiConfig, noAddressRules } from '@vdo/config/driver-config';
import { Identity, Node } from '@vdo/csi-proto/gen/csi-pb';
import { createOperationObserver } from '@vdo/csi-proto/rpc/operation-observer';
import { serveGrpc } from '@vdo/csi-proto/rpc/serve-grpc';
import { toGrpcService } from '@vdo/csi-proto/rpc/to-grpc-service';
import type { KubeClient } from '@vdo/kube/client';
import { persistentVolumes } from '@vdo/kube/types/core';
import { createMounter } from '@vdo/linux-disks/mounter';
import { createCommandRunner } from '@vdo/linux-disks/run-command';
import { attachLoopDisk, type LoopDisk, makeLoopSysfs } from '@vdo/linux-disks/testing/loop-disk';
import { createSimWorldOn, demoServer } from '@vdo/sim-world/create-sim-world';
import { seedNode } from '@vdo/sim-world/seed';
import { createVCenter, type VCenterOptions } from '@vdo/vsphere/create-vcenter';
import type { VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import { createCsiController } from '../app.ts';
import { createFileIntentStore } from '../intents/file-intent-store.ts';
import { createNodeService } from '../node/node-service.ts';
import { createStagedDisks } from '../node/volumes/staged-disks.ts';
import { createIdentityService } from '../rpc/identity-service.ts';

const clock = createSystemClock();
const account = { username: 'csi@vsphere.local', password: 'obviously-fake-csi', version: '1' };

/** Gives the disks of the simulated node VM a body: a loop device for each, there while it is attached. */
const embodyDisks = async (
  sim: VSphereSim,
  machine: { readonly folder: string; readonly devRoot: string; readonly sysfsRoot: string },
  signal: AbortSignal,
): Promise<void> => {
  const disks = new Map<string, { readonly disk: LoopDisk; bytes: number }>();
  const follow = async () => {
    const attached = new Map(sim.volumes.list().flatMap((one) => (one.attachedTo ? [[one.id, one] as const] : [])));
    for (const [id, { disk }] of disks) {
      if (attached.has(id)) continue;
      disks.delete(id);
      await disk.detach();
    }
    for (const [id, { diskUuid, capacityMb }] of attached) {
      const bytes = Number(capacityMb) * 1024 * 1024;
      const known = disks.get(id);
      if (!known) disks.set(id, { disk: await attachLoopDisk({ ...machine, diskUuid, bytes }), bytes });
      else if (known.bytes !== bytes) {
        known.bytes = bytes;
        await known.disk.grow(bytes);
      }
    }
  };
  await every(follow, { clock, periodMs: 20 }, signal);
  for (const { disk } of disks.values()) await disk.detach();
};

/**
 * A cluster in which something happens: a cache is proven current as soon as the next change comes, and by a bookmark after two seconds
 * where none does, which csi-sanity would wait for with each of its volumes.
 */
const liveliness = async (kube: KubeClient, signal: AbortSignal): Promise<void> => {
  const name = 'of-somebody-else';
  await kube.create(persistentVolumes, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      csi: { driver: 'another.example.com', volumeHandle: name },
    },
  });
  let beats = 0;
  const beat = async () => {
    beats += 1;
    const body = { metadata: { annotations: { 'example.com/beat': String(beats) } } };
    await kube.patch(persistentVolumes, { name }, { type: 'merge', body });
  };
  await every(beat, { clock, periodMs: 100 }, signal);
};

/** A vCenter of another kind than ours, whose disks have no body. */
export interface Elsewhere {
  readonly nodeUuid: string;
  readonly vcenter: Pick<VCenterOptions, 'server' | 'port' | 'tls' | 'credentials'>;
}

/** Controller and node role as csi-sanity meets them: real sockets, real mounts, a simulated vCenter. Needs root. */
export const startSanityTestbed = async (folder: string, elsewhere?: Elsewhere) => {
  const uuid = elsewhere?.nodeUuid ?? demoUuid(1);
  const devRoot = join(folder, 'dev');
  const sysfsRoot = join(folder, 'sys');
  await mkdir(devRoot, { recursive: true });
  await makeLoopSysfs(sysfsRoot);
  const world = createSimWorldOn(clock);
  await seedNode(world.client, 'node-1', uuid);
  const controllerEndpoint = `unix://${join(folder, 'controller.sock')}`;
  const nodeEndpoint = `unix://${join(folder, 'node.sock')}`;
  const { built: controller } = world.start('sanity', ({ connect, ...parts }) => {
    const vcenter = elsewhere
      ? createVCenter({ ...parts, ...elsewhere.vcenter })
      : connect({ ...parts, server: demoServer, credentials: async () => account });
    const { run, notReady } = createCsiController({
      ...parts,
      vcenters: [vcenter],
      userOf: async () => account.username,
      config: {
        vcenters: [],
        labels: {},
        nodes: { internal: noAddressRules, external: noAddressRules },
        csi: defaultCsiConfig,
      },
      clusterId: 'sanity',
      namespace: 'default',
      leaseNamespace: 'default',
      sidecars: 'external',
      csiEndpoint: controllerEndpoint,
      intents: createFileIntentStore(join(folder, 'intents')),
    });
    return { notReady, run: (signal: AbortSignal) => run(signal).then(() => vcenter.close()) };
  });
  const sim = world.vc();
  if (!elsewhere) void world.alongside((signal) => embodyDisks(sim, { folder, devRoot, sysfsRoot }, signal));
  void world.alongside((signal) => liveliness(world.client, signal));
  const run = createCommandRunner(process.env);
  const observer = createOperationObserver({ clock, logger: silentLogger, metrics: createMetrics() });
  const lifetime = new AbortController();
  const options = { observer, lifetime: lifetime.signal };
  const identity = createIdentityService({
    topology: false,
    onlineExpansion: true,
    ready: () => true,
  });
  const node = createNodeService({
    run,
    mounter: createMounter(run),
    clock,
    sysfsRoot,
    stagedDisks: createStagedDisks(join(folder, 'staged')),
    devRoot,
    nodeUuid: async () => uuid,
  });
  const server = await serveGrpc({
    endpoint: nodeEndpoint,
    clock,
    services: [toGrpcService(Identity, identity, options), toGrpcService(Node, node, options)],
  });
  await world.until('the controller is ready', () => !controller.notReady());

  return {
    sim,
    controllerEndpoint,
    nodeEndpoint,
    stop: async () => {
      await server.close();
      lifetime.abort();
      await world.stop();
    },
  };
};
