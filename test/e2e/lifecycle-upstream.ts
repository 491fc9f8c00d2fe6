import { type Clock, sleep } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { defaultCsiConfig, noAddressRules } from '@vdo/config/driver-config';
import { names } from '@vdo/config/names';
import { createCsiController } from '@vdo/csi/app';
import type { KubeClient } from '@vdo/kube/client';
import { type Lease, leases } from '@vdo/kube/types/cluster';
import { configMaps, nodes } from '@vdo/kube/types/core';
import { csiNodes } from '@vdo/kube/types/storage';
import type { ContainerRunner } from '@vdo/sandbox/process-kubelet/container-runner';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import type { ZoneVCenter } from './lifecycle-vcenters.ts';
import { operatorNamespace } from './operator-testbed.ts';

export interface UpstreamServerOptions {
  readonly kube: KubeClient;
  readonly zone: ZoneVCenter;
  readonly clock: Clock;
  readonly random: Random;
}

/** Of upstream's sidecars, as its manifests have it; they call themselves as their pod, and keep their Leases when they end. */
const asUpstream = { leaseDurationMs: 120_000, renewDeadlineMs: 60_000, retryPeriodMs: 30_000 } as const;

const keepingLeases = (kube: KubeClient): KubeClient => ({
  ...kube,
  update: async (resource, object, options) => {
    const isGivenBack = resource.plural === leases.plural && (object as Lease).spec?.holderIdentity === '';
    return isGivenBack ? object : kube.update(resource, object, options);
  },
});

/**
 * Serves storage in place of upstream's controller, whose programs are not here: this repository's loops, under the Leases of upstream's
 * sidecars, taken, renewed and left behind as those do.
 */
export const createUpstreamServer = ({ kube, zone, clock, random }: UpstreamServerOptions): ContainerRunner => {
  const { username, password } = zone.secret;
  return async ({ pod }, { signal }) => {
    const common = { clock, random, logger: silentLogger, metrics: createMetrics() };
    const credentials = async () => ({ username, password, version: '1' });
    const server = String(zone.spec['server']);
    const vcenter = createVCenter({ ...common, server, credentials, transport: zone.sim.handler });
    const { data } = await kube.get(configMaps, { namespace: operatorNamespace, name: names.csiClusterId });
    const controller = createCsiController({
      ...common,
      ...asUpstream,
      kube: keepingLeases(kube),
      vcenters: [vcenter],
      userOf: async () => username,
      config: {
        vcenters: [],
        labels: {},
        nodes: { internal: noAddressRules, external: noAddressRules },
        csi: defaultCsiConfig,
      },
      clusterId: data?.[names.csiClusterIdKey] ?? '',
      namespace: operatorNamespace,
      leaseNamespace: names.upstreamCsiNamespace,
      identity: pod.metadata.name ?? '',
      sidecars: 'builtin',
    });
    await controller.run(signal).finally(() => vcenter.close());
  };
};

const registerEveryMs = 500;

/**
 * Registers the driver with its kubelet in place of upstream's node pod. It looks again and again, because a kubelet takes the driver off
 * the CSINode when the former node pod ends, which may be later.
 */
export const createUpstreamNode =
  ({ kube, clock }: Pick<UpstreamServerOptions, 'kube' | 'clock'>): ContainerRunner =>
  async ({ pod }, { signal }) => {
    const key = { name: pod.spec.nodeName ?? '' };
    const { status } = await kube.get(nodes, key);
    const drivers = [{ name: names.csiDriver, nodeID: status?.nodeInfo?.systemUUID ?? '', topologyKeys: [] }];
    while (!signal.aborted) {
      const { spec } = await kube.get(csiNodes, key);
      if (!spec.drivers?.some(({ name }) => name === names.csiDriver))
        await kube.patch(csiNodes, key, { type: 'merge', body: { spec: { drivers } } });
      await sleep(clock, registerEveryMs, { signal }).catch(() => undefined);
    }
  };
