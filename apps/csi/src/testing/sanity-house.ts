import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { every } from '@vdo/base/async/every';
import { createSystemClock, sleep } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { defaultCsiConfig, noAddressRules } from '@vdo/config/driver-config';
import { Identity, Node } from '@vdo/csi-proto/gen/csi-pb';
import { createOperationObserver } from '@vdo/csi-proto/rpc/operation-observer';
import { serveGrpc } from '@vdo/csi-proto/rpc/serve-grpc';
import { toGrpcService } from '@vdo/csi-proto/rpc/to-grpc-service';
import { createKubeClient } from '@vdo/kube/create-client';
import { nodes } from '@vdo/kube/types/core';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { createMounter } from '@vdo/linux-disks/mounter';
import { createCommandRunner } from '@vdo/linux-disks/run-command';
import { attachLoopDisk, type LoopDisk, makeLoopSysfs } from '@vdo/linux-disks/testing/loop-disk';
import { createVCenter, type VCenterOptions } from '@vdo/vsphere/create-vcenter';
import { createVSphereSim, type VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { createCsiController } from '../app.ts';
import { createFileIntentStore } from '../intents/file-intent-store.ts';
import { createNodeService } from '../node/node-service.ts';
import { createStagedDisks } from '../node/volumes/staged-disks.ts';
import { createIdentityService } from '../rpc/identity-service.ts';

const clock = createSystemClock();
const random = createSystemRandom();
const nodeUuid = '42120000-0000-4000-8000-000000000001';
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

/** A vCenter of another kind than ours, whose disks have no body. */
export interface Elsewhere {
  readonly nodeUuid: string;
  readonly vcenter: Pick<VCenterOptions, 'server' | 'port' | 'tls' | 'credentials'>;
}

/** Controller and node role as csi-sanity meets them: real sockets, real mounts, a simulated vCenter. Needs root. */
export const startSanityHouse = async (folder: string, elsewhere?: Elsewhere) => {
  const stop = new AbortController();
  const { signal } = stop;
  const uuid = elsewhere?.nodeUuid ?? nodeUuid;
  const devRoot = join(folder, 'dev');
  const sysfsRoot = join(folder, 'sys');
  await mkdir(devRoot, { recursive: true });
  await makeLoopSysfs(sysfsRoot);
  const kubeSim = createKubeSim({ clock, random, logger: silentLogger });
  const kube = createKubeClient({ transport: kubeSim.handler, clock, qps: 0 });
  await kube.create(nodes, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-1' },
    spec: { providerID: `vsphere://${uuid}` },
  });
  const sim = createVSphereSim({ model: demoModel(), clock, random });
  const metrics = createMetrics();
  const common = { clock, random, logger: silentLogger, metrics };
  const vcenter = createVCenter({
    ...common,
    ...(elsewhere?.vcenter ?? {
      server: 'vc.example.com',
      credentials: async () => account,
      transport: sim.handler,
    }),
  });
  const controllerEndpoint = `unix://${join(folder, 'controller.sock')}`;
  const nodeEndpoint = `unix://${join(folder, 'node.sock')}`;
  const controller = createCsiController({
    ...common,
    kube,
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
    identity: 'sanity',
    sidecars: 'external',
    csiEndpoint: controllerEndpoint,
    intents: createFileIntentStore(join(folder, 'intents')),
  });
  const running = [
    controller.run(signal),
    ...(elsewhere ? [] : [embodyDisks(sim, { folder, devRoot, sysfsRoot }, signal)]),
  ];
  const run = createCommandRunner(process.env);
  const options = { observer: createOperationObserver(common), lifetime: signal };
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
  while (controller.notReady()) await sleep(clock, 20);

  return {
    sim,
    controllerEndpoint,
    nodeEndpoint,
    stop: async () => {
      await server.close();
      stop.abort();
      await Promise.all(running);
      await vcenter.close();
    },
  };
};
