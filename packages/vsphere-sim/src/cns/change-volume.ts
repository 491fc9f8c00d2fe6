import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Value } from '@vdo/vsphere/wire/schema';
import type {
  CnsAccessControlSpec,
  CnsEntityMetadata,
  CnsKubernetesEntityMetadata,
  CnsNFSAccessControlSpec,
  CnsVolumeMetadata,
} from '@vdo/vsphere/wire/types/cns';
import { authorize } from '../access/authorize.ts';
import { faults, type SimFault } from '../sim-fault.ts';
import { readPath } from '../state/property-path.ts';
import type { CnsContext } from './cns-context.ts';
import { policyOf } from './create-volume.ts';
import { takeSpace } from './disk-files.ts';
import type { Metadata, Snapshot, Volume } from './volume-store.ts';

const mib = 1024n ** 2n;

const existing = ({ volumes }: CnsContext, id: string): Volume => {
  const volume = volumes.get(id);
  if (!volume) throw faults.notFound();
  return volume;
};

export const extendVolume = (context: CnsContext, id: string, capacityMb: bigint): void => {
  const { core, volumes, principal } = context;
  const volume = existing(context, id);
  authorize(core, principal, 'Datastore.FileManagement', volume.datastore);
  if (capacityMb < volume.capacityMb) throw faults.invalidArgument('extendSpecs.capacityInMb');
  if (volume.snapshots.length > 0) throw faults.invalidState();
  takeSpace(core, volume.datastore, (capacityMb - volume.capacityMb) * mib);
  volumes.put({ ...volume, capacityMb });
  if (volume.attachedTo) growDevice(context, volume.attachedTo, capacityMb);
};

const growDevice = (
  { core }: CnsContext,
  place: { readonly vm: MoRef; readonly deviceKey: number },
  capacityMb: bigint,
): void => {
  const devices = readPath(core.store.get(place.vm)?.properties ?? {}, 'config.hardware.device') as readonly {
    readonly key: number;
  }[];
  const grown = devices?.map((device) =>
    device.key === place.deviceKey
      ? { ...device, capacityInKB: capacityMb * 1024n, capacityInBytes: capacityMb * mib }
      : device,
  );
  core.store.update(place.vm, { 'config.hardware.device': grown });
};

type Entity = Value<typeof CnsEntityMetadata>;

const entityKey = (entity: Entity): string => {
  const { entityType = '', namespace = '' } = entity as Partial<Value<typeof CnsKubernetesEntityMetadata>>;
  return [entityType, namespace, entity.entityName, entity.clusterId ?? ''].join('/');
};

/** Entities of the update replace those of the same kind, name, namespace and cluster; marked ones are deleted. */
const mergeMetadata = (before: Metadata | undefined, update: Value<typeof CnsVolumeMetadata>): Metadata => {
  const entities = new Map((before?.entityMetadata ?? []).map((entity) => [entityKey(entity), entity]));
  for (const entity of update.entityMetadata) {
    if (entity.delete) entities.delete(entityKey(entity));
    else entities.set(entityKey(entity), entity);
  }
  const clusters = new Map((before?.containerClusterArray ?? []).map((cluster) => [cluster.clusterId, cluster]));
  for (const cluster of [update.containerCluster, ...update.containerClusterArray]) {
    if (cluster.delete) clusters.delete(cluster.clusterId);
    else clusters.set(cluster.clusterId, cluster);
  }
  return {
    containerCluster:
      (update.containerCluster.delete ? before?.containerCluster : undefined) ?? update.containerCluster,
    entityMetadata: [...entities.values()],
    containerClusterArray: [...clusters.values()],
  };
};

export const updateMetadata = (
  context: CnsContext,
  id: string,
  update: Value<typeof CnsVolumeMetadata> | undefined,
): void => {
  const volume = existing(context, id);
  if (update) context.volumes.put({ ...volume, metadata: mergeMetadata(volume.metadata, update) });
};

/** Moves a block volume that may be attached. Its storage policy is the one of the call, or none: vCenter then takes the default of the datastore. */
export const relocateVolume = (
  context: CnsContext,
  id: string,
  { datastore, policyId }: { readonly datastore: MoRef; readonly policyId: string | undefined },
): void => {
  const { core, volumes } = context;
  const volume = existing(context, id);
  assertRelocatable(context, id, datastore);
  const target = core.store.get(datastore);
  const policy = policyOf(core, policyId);
  if (policy && !core.policies.isCompatible(policy, datastore))
    throw faults.cns(`The datastore does not satisfy the storage policy '${policy.name}'.`);
  const free = (readPath(target?.properties ?? {}, 'summary.freeSpace') ?? 0n) as bigint;
  if (free < volume.capacityMb * mib) throw faults.noDiskSpace(String(target?.properties['name']));
  takeSpace(core, volume.datastore, -volume.capacityMb * mib);
  takeSpace(core, datastore, volume.capacityMb * mib);
  const path = volume.path.replace(/^\[[^\]]*\]/, `[${String(target?.properties['name'])}]`);
  volumes.put({ ...volume, datastore, path, policyId });
};

/** What vCenter checks before it begins to copy: kind, privileges, snapshots and the datastore. */
const assertRelocatable = (context: CnsContext, id: string, datastore: MoRef): void => {
  const { core, principal } = context;
  const volume = existing(context, id);
  const target = core.store.get(datastore);
  if (!target) throw faults.notFound();
  if (volume.type !== 'BLOCK') throw faults.cns(`Volume ${id} is not a block volume.`);
  for (const place of [volume.datastore, datastore]) authorize(core, principal, 'Datastore.FileManagement', place);
  authorize(core, principal, 'Datastore.AllocateSpace', datastore);
  const vm = volume.attachedTo?.vm;
  if (vm) {
    authorize(core, principal, 'Resource.ColdMigrate', vm);
    const power = readPath(core.store.get(vm)?.properties ?? {}, 'runtime.powerState');
    if (power === 'poweredOn') authorize(core, principal, 'Resource.HotMigrate', vm);
  }
  if (volume.snapshots.length > 0) throw faults.cns(`Volume ${id} has ${volume.snapshots.length} snapshots.`);
  const isUsable =
    readPath(target.properties, 'summary.accessible') === true &&
    readPath(target.properties, 'summary.maintenanceMode') === 'normal';
  if (!isUsable) throw faults.cns(`Datastore ${String(target.properties['name'])} is not available.`);
};

export const setPolicy = (context: CnsContext, id: string, policyId: string | undefined): void => {
  const volume = existing(context, id);
  authorize(context.core, context.principal, 'Datastore.FileManagement', volume.datastore);
  const policy = policyOf(context.core, policyId);
  if (policy && !context.core.policies.isCompatible(policy, volume.datastore))
    throw faults.cns(`The datastore of the volume does not satisfy the storage policy '${policy.name}'.`);
  context.volumes.put({ ...volume, policyId });
};

/** Adds the permissions of a list to a file share, and removes those that are marked for deletion. */
export const configureAcl = (
  context: CnsContext,
  id: string,
  changes: readonly Value<typeof CnsAccessControlSpec>[],
): void => {
  const volume = existing(context, id);
  if (volume.type !== 'FILE') throw faults.notSupported();
  const permissions = new Map(volume.netPermissions.map((permission) => [permission.ips, permission]));
  for (const change of changes) {
    if (change.$type !== 'CnsNFSAccessControlSpec') throw faults.invalidArgument('accessControlSpecList');
    const { netPermission, delete: remove } = change as Value<typeof CnsNFSAccessControlSpec>;
    // One address or network each.
    if (!/^[\da-f.:/*]+$/i.test(netPermission.ips)) throw faults.invalidArgument('netPermission.ips');
    if (remove) permissions.delete(netPermission.ips);
    else permissions.set(netPermission.ips, netPermission);
  }
  context.volumes.put({ ...volume, netPermissions: [...permissions.values()] });
};

/** vSphere keeps at most 32 snapshots of a disk. */
const maxSnapshots = 32;

export const createSnapshot = (
  context: CnsContext,
  id: string,
  wanted: { readonly id?: string | undefined; readonly description: string },
): Snapshot => {
  const { core, volumes, principal } = context;
  const volume = volumes.get(id);
  if (!volume) throw faults.cnsVolumeNotFound(id);
  authorize(core, principal, 'Datastore.FileManagement', volume.datastore);
  if (volume.type === 'FILE') throw faults.notSupported();
  if (volume.snapshots.some((snapshot) => snapshot.id === wanted.id))
    throw faults.cnsSnapshotCreated(id, wanted.id ?? '', volume.datastore);
  if (volume.snapshots.length >= maxSnapshots)
    throw faults.cns(`Volume ${id} has ${maxSnapshots} snapshots, which is the limit.`);
  const snapshot = {
    id: wanted.id ?? core.random.uuid(),
    description: wanted.description,
    createTime: new Date(core.clock.now()),
  };
  volumes.put({ ...volume, snapshots: [...volume.snapshots, snapshot] });
  return snapshot;
};

/**
 * NotFound is the documented fault of the call. 7.0 Update 3 reports an invalid argument without its name, as the Go driver found out
 * (github.com/kubernetes-sigs/vsphere-csi-driver/pull/1506). Faults that are named after what is missing are those of queries.
 */
const nothingToDelete = ({ core }: CnsContext): SimFault =>
  core.profile.apiVersion.startsWith('7.') ? faults.invalidParameter() : faults.notFound();

export const deleteSnapshot = (context: CnsContext, id: string, snapshotId: string): void => {
  const volume = context.volumes.get(id);
  if (!volume) throw nothingToDelete(context);
  authorize(context.core, context.principal, 'Datastore.FileManagement', volume.datastore);
  if (!volume.snapshots.some((snapshot) => snapshot.id === snapshotId)) throw nothingToDelete(context);
  const snapshots = volume.snapshots.filter((snapshot) => snapshot.id !== snapshotId);
  context.volumes.put({ ...volume, snapshots });
};
