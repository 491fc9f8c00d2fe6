import { createHash } from 'node:crypto';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { nodes, type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import { storageClasses, volumeAttachments } from '@vdo/kube/types/storage';
import { type DaemonSet, type Deployment, daemonSets, deployments } from '@vdo/kube/types/workloads';
import { canonical } from './canonical.ts';
import type { Snapshot } from './record.ts';

/** A ConfigMap can hold 1 MiB: above this number of volumes, only the count and one digest of all are stored. */
const listedAtMost = 5_000;

const digest = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex').slice(0, 16);

/** Disk, claim and size of a volume: a migration must not change any of them. */
const identityOf = ({ metadata, spec, status }: PersistentVolume): unknown => {
  const { claimRef, ...rest } = spec as unknown as { claimRef?: Readonly<Record<string, unknown>> };
  const { namespace, name, uid } = claimRef ?? {};
  return { uid: metadata.uid, ...rest, claim: { namespace, name, uid }, phase: status?.phase };
};

const isOfVSphere = ({ spec }: PersistentVolume): boolean =>
  spec.csi?.driver === names.csiDriver || (spec as { vsphereVolume?: unknown }).vsphereVolume !== undefined;

const workloadNames: ReadonlySet<string> = new Set([
  names.cpi,
  names.csiController,
  names.csiNode,
  names.snapshotController,
  names.operator,
  names.upstreamOperator,
]);

const imagesOf = (kind: string, items: readonly (Deployment | DaemonSet)[]): readonly [string, string[]][] =>
  items
    .filter(({ metadata }) => workloadNames.has(metadata.name ?? ''))
    .map(({ metadata, spec }) => [
      `${kind} ${metadata.namespace}/${metadata.name}`,
      spec.template.spec.containers.map(({ image }) => image ?? ''),
    ]);

/** Reads what a migration must not change: volumes, classes, nodes; and the workloads that serve them. */
export const readSnapshot = async (kube: KubeClient, signal: AbortSignal): Promise<Snapshot> => {
  const call = { signal };
  const volumes: [string, string][] = [];
  for await (const { items } of kube.pages(persistentVolumes, call))
    for (const volume of items.filter(isOfVSphere))
      volumes.push([volume.metadata.name ?? '', digest(identityOf(volume))]);
  const [classes, listed, attachments, controllers, agents] = await Promise.all([
    kube.list(storageClasses, call),
    kube.list(nodes, call),
    kube.list(volumeAttachments, call),
    kube.list(deployments, call),
    kube.list(daemonSets, call),
  ]);
  const sorted = volumes.sort(([left], [right]) => left.localeCompare(right));
  const ofVSphere = classes.items.filter(
    ({ provisioner }) => provisioner === names.csiDriver || provisioner === names.inTreeProvisioner,
  );
  return {
    ...(sorted.length > listedAtMost ? {} : { volumes: Object.fromEntries(sorted) }),
    volumeCount: sorted.length,
    volumesDigest: digest(sorted),
    classes: Object.fromEntries(
      ofVSphere.map(({ metadata, apiVersion: _a, kind: _k, ...rest }) => [metadata.name ?? '', digest(rest)]),
    ),
    nodes: Object.fromEntries(listed.items.map(({ metadata, spec }) => [metadata.name ?? '', spec?.providerID ?? ''])),
    attachments: attachments.items.filter(({ spec }) => spec.attacher === names.csiDriver).length,
    workloads: Object.fromEntries([
      ...imagesOf('Deployment', controllers.items),
      ...imagesOf('DaemonSet', agents.items),
    ]),
  };
};

const differing = (
  what: string,
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): readonly string[] =>
  Object.entries(before).flatMap(([name, value]) => {
    if (now[name] === undefined) return [`${what} ${name} does not exist any more`];
    return now[name] === value ? [] : [`${what} ${name} differs from before`];
  });

/** The differences from a snapshot. New volumes and nodes are ignored; a node may get its providerID. Pure. */
export const differencesOf = (before: Snapshot, now: Snapshot): readonly string[] => {
  const initialized = Object.fromEntries(Object.entries(before.nodes).filter(([, id]) => id !== ''));
  return [
    ...(before.volumes && now.volumes
      ? differing('PersistentVolume', before.volumes, now.volumes)
      : before.volumesDigest === now.volumesDigest
        ? []
        : [`not all of the ${before.volumeCount} PersistentVolumes are unchanged (${now.volumeCount} now)`]),
    ...differing('StorageClass', before.classes, now.classes),
    ...differing('providerID of node', initialized, now.nodes),
  ];
};
