import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { createApplier } from '@vdo/kube/apply/create-applier';
import type { KubeClient } from '@vdo/kube/client';
import { createController } from '@vdo/kube/create-controller';
import { createInformer } from '@vdo/kube/create-informer';
import { createLeaderElector } from '@vdo/kube/create-leader-elector';
import { createEventRecorder } from '@vdo/kube/events';
import { startHealthServer } from '@vdo/kube/serving/health-server';
import { nodes, secrets } from '@vdo/kube/types/core';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import type { Matrix } from '@vdo/releases/matrix';
import { driverLabel } from '@vdo/releases/render/labels';
import { decideNodes } from './decisions/nodes.ts';
import { createVCenterPool, type VCenterFactory } from './gather/vcenter-pool.ts';
import { createReconcile } from './reconcile.ts';
import { sameNode, slimNode, slimSecret } from './slim-objects.ts';

export interface OperatorOptions {
  readonly kube: KubeClient;
  readonly createVCenter: VCenterFactory;
  readonly matrix: { readonly document: Matrix; readonly source: string };
  readonly namespace: string;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Unique among all replicas. */
  readonly identity: string;
  /** Default true. */
  readonly leaderElect?: boolean;
  /** Absent: health and metrics are not served. */
  readonly serving?: { readonly host: string; readonly port: number };
}

export const fieldManager = 'vdo-operator';
/** Bursts of changes (a rollout, a hundred nodes) become one look. */
const settleMs = 100;

/** The operator: watches the resource and all that bears on it, and reconciles while it holds the Lease. */
export const createOperator = (options: OperatorOptions): { run(signal: AbortSignal): Promise<void> } => {
  const { kube, namespace, clock, random, logger, metrics, identity } = options;
  const common = { client: kube, clock, random, logger };
  const drivers = { namespace, labelSelector: driverLabel };
  const resources = createInformer({ ...common, resource: vsphereDrivers });
  const nodeInformer = createInformer({ ...common, resource: nodes, transform: slimNode });
  const others = [
    createInformer({ ...common, resource: secrets, namespace, transform: slimSecret }),
    createInformer({ ...common, resource: deployments, ...drivers }),
    createInformer({ ...common, resource: daemonSets, ...drivers }),
  ];
  const informers = [resources, nodeInformer, ...others];
  const recorder = createEventRecorder({ ...common, component: fieldManager, instance: identity });
  const applier = createApplier({
    client: kube,
    fieldManager,
    inventory: { namespace, name: 'vdo-inventory' },
    clock,
    logger,
  });
  const vcenters = createVCenterPool(options.createVCenter);

  const reconcile = createReconcile({
    kube,
    namespace,
    vcenters,
    matrix: options.matrix,
    clock,
    operatorVersion: options.version,
    apply: async (objects, call) => {
      await applier.apply(objects, call);
    },
    removeAll: async (call) => (await applier.removeAll(call)).remaining.length === 0,
    nodes: () => decideNodes(nodeInformer.list(), clock.now()),
    recordEvent: (resource, event) => recorder.record(resource, event),
  });
  const controller = createController({ name: 'vspheredrivers', reconcile, clock, random, logger, metrics });
  resources.onChange(({ object }) => controller.enqueue(object.metadata.name ?? ''));
  const lookSoon = () => controller.enqueue(vsphereDriversName, { afterMs: settleMs });
  for (const informer of others) informer.onChange(lookSoon);
  nodeInformer.onChange(({ object, previous }) => {
    if (!previous || !sameNode(previous, object)) lookSoon();
  });

  const work = async (signal: AbortSignal): Promise<void> => {
    await Promise.all(informers.map((informer) => informer.waitForSync({ signal })));
    await controller.run(signal);
  };
  const lead = (signal: AbortSignal): Promise<void> => {
    if (options.leaderElect === false) return work(signal);
    const lease = { namespace, name: fieldManager };
    return createLeaderElector({ ...common, lease, identity, metrics }).run(signal, work);
  };

  const serve = async () => {
    if (!options.serving) return undefined;
    const notListed = () => resources.lastError()?.message ?? (resources.hasSynced() ? undefined : 'not listed yet');
    const server = await startHealthServer({ ...options.serving, metrics, ready: { vspheredrivers: notListed } });
    logger.info('serving health and metrics', { url: server.url });
    return server;
  };

  return {
    run: async (signal) => {
      const server = await serve();
      const done = new AbortController();
      const watching = AbortSignal.any([signal, done.signal]);
      const watches = Promise.all(informers.map((informer) => informer.run(watching)));
      try {
        await lead(signal);
      } finally {
        done.abort();
        await watches;
        await recorder.flush();
        await vcenters.close();
        await server?.close();
      }
    },
  };
};
