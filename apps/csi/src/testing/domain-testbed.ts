import { withoutClusterId } from '@vdo/acts/sole-use';
import type { Clock } from '@vdo/base/clock';
import { openFence } from '@vdo/base/fence';
import type { HttpTransport } from '@vdo/base/http';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { type DriverConfig, defaultCsiConfig, noAddressRules } from '@vdo/config/driver-config';
import { type VolumeCapability, VolumeCapability_AccessMode_Mode } from '@vdo/csi-proto/gen/csi-pb';
import { type CustomResourceDefinition, customResourceDefinitions } from '@vdo/kube/types/cluster';
import type { Resource } from '@vdo/kube/types/resource';
import { createSimWorldOn, type ProgramParts } from '@vdo/sim-world/create-sim-world';
import { seedNamespaces } from '@vdo/sim-world/seed';
import { passTime } from '@vdo/sim-world/until';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { createDomain } from '../create-domain.ts';
import { createMemoryIntentStore } from '../intents/memory-intent-store.ts';
import type { IntentStore, VolumeIntent } from '../intents/volume-intent.ts';
import { createClusterInformers } from '../loops/create-cluster-informers.ts';
import type { CallContext } from '../volumes/call-context.ts';

export const leaseNamespace = 'vmware-system-csi';
const csiAccount = { username: 'csi@vsphere.local', password: 'obviously-fake-csi' };

export interface DomainTestbedOptions {
  /** One vCenter each, `vc1.example.com` and so on. Default: one of the demo model. */
  readonly models?: readonly VSphereModel[];
  readonly csi?: Partial<DriverConfig['csi']>;
  /** Datacenters of the configuration. Default: none named. */
  readonly datacenters?: readonly string[];
  /** Of each vCenter: where volumes of in-tree classes without a datastore go. Default: none. */
  readonly migrationDatastoreUrl?: string;
  /** Number of the demo model's nodes. Default 5. */
  readonly nodes?: number;
  /** Topology labels by node number. */
  readonly labels?: Readonly<Record<number, Readonly<Record<string, string>>>>;
  /** Survives "restarts". */
  readonly kept?: Map<string, VolumeIntent>;
  /** Between a process and its vCenters. */
  readonly wire?: (transport: HttpTransport, identity: string) => HttpTransport;
  /** Volumes that PersistentVolumes of the cluster name. */
  readonly declared?: ReadonlySet<string>;
  /** Default: that of the demo model. */
  readonly account?: { readonly username: string; readonly password: string };
}

export const nodeId = demoUuid;

/** As protobuf hands it over. */
export const capability = (
  mode: keyof typeof VolumeCapability_AccessMode_Mode = 'SINGLE_NODE_WRITER',
  access: { readonly block?: true; readonly fsType?: string } = {},
): VolumeCapability =>
  ({
    accessMode: { mode: VolumeCapability_AccessMode_Mode[mode] },
    accessType: access.block
      ? { case: 'block', value: {} }
      : { case: 'mount', value: { fsType: access.fsType ?? '', mountFlags: [], volumeMountGroup: '' } },
  }) as unknown as VolumeCapability;

const definitionOf = ({ group, version, plural, kind, namespaced }: Resource): CustomResourceDefinition =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }) as unknown as CustomResourceDefinition;

/** The CSI controller on simulated vCenters and a simulated cluster, without loops. */
export const createDomainTestbedOn = <C extends Clock>(clock: C, options: DomainTestbedOptions = {}) => {
  const { models = [demoModel()], kept = new Map<string, VolumeIntent>(), wire = (transport) => transport } = options;
  const account = { ...(options.account ?? csiAccount), version: '1' };
  const servers = models.map((_model, index) => `vc${index + 1}.example.com`);
  const world = createSimWorldOn(clock, {
    seed: 11,
    models: Object.fromEntries(models.map((model, index) => [servers[index] ?? '', model])),
    wire: (to, transport, identity) => (to === 'vcenter' ? wire(transport, identity) : transport),
  });
  const { client: kube } = world;
  const indexes = Array.from({ length: options.nodes ?? 5 }, (_, index) => index + 1);
  let nodes = indexes.map((index) => ({
    name: `node-${index}`,
    labels: options.labels?.[index] ?? {},
    query: { key: `node-${index}`, uuid: nodeId(index) },
  }));
  let version = 1;
  const config: DriverConfig = {
    vcenters: servers.map((server) => ({
      name: server,
      server,
      port: 443,
      tls: { thumbprints: [], insecure: true },
      datacenters: options.datacenters ?? [],
      soapRoundtripCount: 3,
      ipFamilies: ['ipv4'],
      credentials: { kind: 'inline', username: account.username, password: account.password },
      ...(options.migrationDatastoreUrl === undefined ? {} : { migrationDatastoreUrl: options.migrationDatastoreUrl }),
    })),
    labels: {},
    nodes: { internal: noAddressRules, external: noAddressRules },
    csi: { ...defaultCsiConfig, ...options.csi },
  };
  type Wrap = (store: IntentStore) => IntentStore;
  const build = ({ connect, ...parts }: ProgramParts, wrap: Wrap = (store) => store) => {
    const vcenters = servers.map((server) => connect({ ...parts, server, credentials: async () => account }));
    const { logger, random } = parts;
    const informers = createClusterInformers({ client: parts.kube, clock: parts.clock, random, logger });
    const domain = createDomain({
      ...parts,
      soleUse: withoutClusterId,
      caches: informers,
      vcenters,
      userOf: async () => account.username,
      config,
      clusterId: 'cluster-a',
      leaseNamespace,
      intents: wrap(createMemoryIntentStore(kept)),
      nodes: () => ({ version: String(version), nodes }),
      traced: (operations) => operations,
      isDeclared: ({ id }) => options.declared?.has(id) ?? false,
    });
    const run = async (signal: AbortSignal): Promise<void> => {
      await Promise.allSettled([
        ...vcenters.map(({ nodes: inventory }) => inventory.run(signal)),
        ...informers.all.map((informer) => informer.run(signal)),
      ]);
      await Promise.all(vcenters.map((vcenter) => vcenter.close()));
    };
    return { vcenters, domain, run };
  };
  /** Another process over the same cluster and vCenters. */
  const start = (identity: string, wrap?: Wrap) => {
    const { built, kill } = world.start(identity, (parts) => build(parts, wrap));
    return { ...built.domain, kill };
  };
  const { vcenters, domain } = world.start('domain', (parts) => build(parts)).built;
  const context: CallContext = {
    signal: new AbortController().signal,
    lifetime: new AbortController().signal,
    fence: openFence,
  };

  /** Lets time pass until the work has ended. */
  const run = async <T>(work: Promise<T>, maxMs = 600_000): Promise<T> => {
    let over = false;
    const end = () => {
      over = true;
    };
    work.then(end, end);
    for (let passedMs = 0; !over && passedMs < maxMs; passedMs += 100) await passTime(clock, 100);
    if (!over) throw new Error(`not over after ${maxMs} ms`);
    return work;
  };

  return {
    ...domain,
    clock,
    kube,
    sim: world.vc(),
    sims: [...world.vcenters.values()],
    context,
    vcenters,
    kept,
    run,
    start,
    /** Changes the nodes of the cluster. */
    setNodes: (change: (before: typeof nodes) => typeof nodes) => {
      nodes = change(nodes);
      version++;
    },
    define: async (resource: Resource) => {
      await kube.create(customResourceDefinitions, definitionOf(resource));
      await passTime(clock, 1000);
    },
    namespace: (name: string) => seedNamespaces(kube, name),
    /** Creates a volume, 1 GiB unless told otherwise. */
    create: (name: string, request: Record<string, unknown> = {}) =>
      run(
        domain.controller.createVolume(
          {
            name,
            capacityRange: { requiredBytes: 1n << 30n, limitBytes: 0n },
            volumeCapabilities: [capability()],
            parameters: {},
            mutableParameters: {},
            ...request,
          } as never,
          context,
        ),
      ).then(({ volume }) => {
        if (!volume) throw new Error('no volume');
        return { ...volume, volumeId: volume.volumeId ?? '' };
      }),
    publish: (volumeId: string, index: number, request: Record<string, unknown> = {}) =>
      run(
        domain.controller.controllerPublishVolume(
          { volumeId, nodeId: nodeId(index), volumeCapability: capability(), readonly: false, ...request } as never,
          context,
        ),
      ),
    unpublish: (volumeId: string, index: number) =>
      run(domain.controller.controllerUnpublishVolume({ volumeId, nodeId: nodeId(index) } as never, context)),
    remove: (volumeId: string) => run(domain.controller.deleteVolume({ volumeId } as never, context)),
    /** Calls any other method. */
    call: <M extends keyof typeof domain.controller>(
      method: M,
      request: Record<string, unknown>,
    ): ReturnType<(typeof domain.controller)[M]> =>
      run(
        (domain.controller[method] as (request: unknown, context: CallContext) => Promise<unknown>)(request, context),
      ) as ReturnType<(typeof domain.controller)[M]>,
    close: world.stop,
  };
};

/** The same on a virtual clock. */
export const createDomainTestbed = (options?: DomainTestbedOptions) =>
  createDomainTestbedOn(createVirtualClock(), options);

export type DomainTestbed = ReturnType<typeof createDomainTestbed>;
