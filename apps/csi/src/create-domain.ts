import type { ActLog } from '@vdo/acts/act-log';
import type { SoleUse } from '@vdo/acts/sole-use';
import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import type { DriverConfig } from '@vdo/config/driver-config';
import { topologyLabelPrefix } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import type { CnsContainerCluster } from '@vdo/vsphere/cns/cns-types';
import { withGoOperations } from './intents/go-operations.ts';
import type { IntentStore } from './intents/volume-intent.ts';
import { createVolumeMigrations } from './intents/volume-migrations.ts';
import { createPlacer } from './placement/create-placer.ts';
import type { NodeSnapshot } from './placement/node-source.ts';
import { createOffers } from './placement/offered.ts';
import type { Placer } from './placement/placer.ts';
import { createPolicyFilter } from './placement/policy-filter.ts';
import { type ControllerService, createControllerService } from './rpc/controller-service.ts';
import { createAttachmentService } from './volumes/attachment-service.ts';
import { type ClusterCaches, type ClusterEvidence, createClusterEvidence } from './volumes/cluster-evidence.ts';
import type { CsiVCenter } from './volumes/csi-vcenter.ts';
import { createDetachEvidence, type DetachEvidence } from './volumes/detach-evidence.ts';
import { createExpandVolume } from './volumes/expand-service.ts';
import { createInTreeDisks } from './volumes/in-tree-disks.ts';
import { withInTreeVolumes } from './volumes/in-tree-volumes.ts';
import { createModifyVolume } from './volumes/modify-service.ts';
import { createNodeLocator } from './volumes/node-locator.ts';
import { createOwnVolumes } from './volumes/own-volumes.ts';
import { createPublishedNodes } from './volumes/published-nodes.ts';
import { createShareGrants } from './volumes/share-grants.ts';
import { createShareService, isPerNode } from './volumes/share-service.ts';
import { createSight } from './volumes/sight.ts';
import { createSnapshotOrder } from './volumes/snapshot-order.ts';
import { createSnapshotService } from './volumes/snapshot-service.ts';
import type { Volume, VolumeService } from './volumes/volume.ts';
import { createVolumeLocator } from './volumes/volume-locator.ts';
import { createVolumeService } from './volumes/volume-service.ts';
import { createVolumeSources } from './volumes/volume-source.ts';
import { createVolumeOperations, type VolumeOperations } from './volumes/volumes.ts';

export interface DomainDeps {
  readonly kube: KubeClient;
  readonly vcenters: readonly CsiVCenter[];
  readonly userOf: (server: string, options: { readonly signal: AbortSignal }) => Promise<string>;
  readonly config: DriverConfig;
  readonly clusterId: string;
  /** Namespace of the Go driver. */
  readonly leaseNamespace: string;
  readonly intents: IntentStore;
  readonly nodes: () => NodeSnapshot;
  /** Whether a PersistentVolume of this cluster refers to the volume. */
  readonly isDeclared: (volume: Volume) => boolean;
  /** The cluster's objects for volumes and attachments. */
  readonly caches: ClusterCaches;
  readonly random: Random;
  /** Records what was deleted, with the evidence. */
  readonly actLog?: ActLog;
  readonly soleUse: SoleUse;
  /** Node IDs by the file share that is published to them; none by default. */
  readonly shareAttachments?: () => ReadonlyMap<string, readonly string[]>;
  /** Puts operations of callers from outside into traces; the loops do so themselves. */
  readonly traced: (operations: VolumeOperations) => VolumeOperations;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Domain {
  readonly service: VolumeService;
  /** The operations on volumes; `service` has the layer below them. */
  readonly operations: VolumeOperations;
  readonly hasAttachDoubts: () => boolean;
  readonly evidence: ClusterEvidence;
  readonly detachEvidence: DetachEvidence;
  readonly controller: ControllerService;
  readonly placer: Placer;
  /** Datacenters to search, per vCenter. */
  readonly datacentersOf: (server: string) => readonly string[];
  /** How volumes are registered with a vCenter. */
  readonly clusterOn: (server: string, options: { readonly signal: AbortSignal }) => Promise<CnsContainerCluster>;
}

/** Combines volumes, attachments, shares and snapshots into the CSI controller. */
export const createDomain = (deps: DomainDeps): Domain => {
  const { kube, vcenters, userOf, config, clusterId, clock, logger, nodes: nodeSnapshot } = deps;
  const servers = vcenters.map(({ server }) => server);
  const intents = withGoOperations(deps.intents, { kube, namespace: deps.leaseNamespace, servers, clock, logger });
  const datacenters = new Map(config.vcenters.map((vcenter) => [vcenter.server, vcenter.datacenters]));
  const datacentersOf = (server: string) => datacenters.get(server) ?? [];
  const clusterOn = async (server: string, options: { readonly signal: AbortSignal }) => ({
    clusterId,
    vSphereUser: await userOf(server, options),
    distribution: config.csi.clusterDistribution ?? 'Kubernetes',
  });
  const netPermissions = config.csi.netPermissions.map(({ ips, permissions: access, rootSquash }) => ({
    ips,
    access,
    rootSquash,
  }));
  const inTreeDatastoreUrl = config.vcenters.find((vcenter) => vcenter.migrationDatastoreUrl)?.migrationDatastoreUrl;
  const fileDatastoreUrls = config.csi.fileVolumeDatastoreUrls;
  const perNode = isPerNode(netPermissions);
  const placer = createPlacer({
    vcenters,
    datacentersOf,
    nodes: nodeSnapshot,
    fileDatastoreUrls,
    fileClusters: config.csi.fileVolumeClusters,
    sharesPerNode: perNode,
    preferredMaxAgeMs: config.csi.preferredDatastoresIntervalMinutes * 60_000,
    topologyLabels: config.csi.topologyCategories.map(({ name, label }) => label ?? `${topologyLabelPrefix}${name}`),
    clock,
    logger,
  });
  const sight = createSight({ vcenters, clock });
  const locator = createVolumeLocator({ vcenters, clusterId, sight });
  const policies = createPolicyFilter({ clock });
  const evidence = createClusterEvidence(deps);
  const detachEvidence = createDetachEvidence(deps);
  const order = createSnapshotOrder({ vcenters, intents, clock, logger });
  const service = createVolumeService({
    vcenters,
    evidence,
    caches: deps.caches,
    locator,
    sources: createVolumeSources({ ...deps, clusterOn, locator, evidence, intents, order, sight }),
    policies,
    placer,
    intents,
    clusterId,
    clusterOn,
    sight,
    ...(netPermissions.length > 0 ? { netPermissions } : {}),
    fileVolumes: config.csi.fileVolumes,
    clock,
    logger,
  });
  const nodes = createNodeLocator({
    vcenters,
    datacentersOf,
    nodeIds: () => nodeSnapshot().nodes.flatMap(({ query }) => (query ? [query.uuid ?? query.key] : [])),
    clock,
  });
  const grants = createShareGrants(deps);
  const own = createOwnVolumes(service, clusterId);
  const publishedNodes = createPublishedNodes({
    vcenters,
    nodes,
    ...(deps.shareAttachments ? { ofShares: deps.shareAttachments } : {}),
  });
  const attachments = createAttachmentService({
    vcenters,
    volumes: own,
    nodes,
    evidence,
    detachEvidence,
    clock,
  });
  const plain = createVolumeOperations({
    service,
    own,
    attachments,
    shares: createShareService({ vcenters, nodes, netPermissions, clusterId, evidence, grants }),
    expandVolume: createExpandVolume({ vcenters, volumes: own, publishedNodes }),
    modifyVolume: createModifyVolume({ vcenters, volumes: own, policies }),
    snapshots: createSnapshotService({
      vcenters,
      volumes: service,
      clusterId,
      evidence,
      order,
      sight,
      limits: config.csi.snapshots,
    }),
    publishedNodes,
    placer,
    policies,
    vcenters,
    ...(inTreeDatastoreUrl === undefined ? {} : { inTreeDatastoreUrl }),
  });
  const migrated = (): VolumeOperations => {
    const migrations = createVolumeMigrations(kube);
    const disks = createInTreeDisks({ vcenters, locator, migrations, datacentersOf, clusterOn, logger });
    return withInTreeVolumes(plain, disks);
  };
  const operations = config.csi.inTreeMigration ? migrated() : plain;
  const controller = createControllerService({ volumes: deps.traced(operations), offers: createOffers(deps) });
  const { hasDoubts: hasAttachDoubts } = attachments;
  return {
    service,
    operations,
    hasAttachDoubts,
    evidence,
    detachEvidence,
    controller,
    placer,
    datacentersOf,
    clusterOn,
  };
};
