import { createHash } from 'node:crypto';
import { VdoError } from '@vdo/base/vdo-error';
import { annotationKeys, parameterKeys } from '@vdo/config/names';
import type { Node, NodeSelectorTerm, PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import { formatQuantity, parseQuantity } from '@vdo/kube/types/quantity';
import type { CsiNode, StorageClass } from '@vdo/kube/types/storage';
import { driverName } from '../../driver.ts';
import { describeSegments, type Segments, within } from '../../placement/segments.ts';
import type { VolumeUse } from '../../volumes/volume-access.ts';
import type { CopiedFrom, NewVolume, ProvisionedVolume } from '../../volumes/volumes.ts';
import { volumeUsesOf } from '../volume-use.ts';

/** Names that the volume controllers of Kubernetes share. */
export const annotations = {
  storageProvisioner: 'volume.kubernetes.io/storage-provisioner',
  betaStorageProvisioner: 'volume.beta.kubernetes.io/storage-provisioner',
  betaStorageClass: 'volume.beta.kubernetes.io/storage-class',
  selectedNode: annotationKeys.selectedNode,
  provisionedBy: 'pv.kubernetes.io/provisioned-by',
  migratedTo: annotationKeys.migratedTo,
} as const;

/** Keeps a PersistentVolume until its disk is deleted. */
export const provisionerFinalizer = 'external-provisioner.volume.kubernetes.io/finalizer';

/** Volume attribute that records which provisioner created a volume. */
const provisionerIdentityKey = 'storage.kubernetes.io/csiProvisionerIdentity';

/** What to do with a claim. */
export type ClaimDecision =
  | { readonly action: 'ignore'; readonly reason: string }
  | { readonly action: 'provision'; readonly storageClass: StorageClass; readonly selectedNode?: string };

export interface ClaimQuestion {
  readonly claim: PersistentVolumeClaim;
  readonly findClass: (name: string) => StorageClass | undefined;
  readonly volumeExists: boolean;
}

/** The volume and the PersistentVolume of a claim carry this name. */
export const volumeNameOf = (claim: PersistentVolumeClaim): string => `pvc-${claim.metadata.uid ?? ''}`;

export const storageClassNameOf = (claim: PersistentVolumeClaim): string =>
  claim.metadata.annotations?.[annotations.betaStorageClass] ?? claim.spec.storageClassName ?? '';

const provisionerOf = (claim: PersistentVolumeClaim): string | undefined =>
  claim.metadata.annotations?.[annotations.storageProvisioner] ??
  claim.metadata.annotations?.[annotations.betaStorageProvisioner];

const ignore = (reason: string): ClaimDecision => ({ action: 'ignore', reason });

const classMissing = (name: string): VdoError =>
  new VdoError({
    code: 'KubeNotFound',
    message: `StorageClass ${name} does not exist`,
    remedy: `Create StorageClass ${name}, or re-create the claim with another class.`,
    retry: 'on-change',
  });

/** Whether a volume has to be provisioned now. Throws if the claim is for this driver but its StorageClass does not exist. */
export const decideClaim = ({ claim, findClass, volumeExists }: ClaimQuestion): ClaimDecision => {
  if (claim.spec.volumeName) return ignore('has a volume');
  if (claim.metadata.deletionTimestamp) return ignore('is being deleted');
  const provisioner = provisionerOf(claim);
  if (provisioner !== driverName) return ignore(`its provisioner is ${provisioner ?? 'not set yet'}`);
  if (volumeExists) return ignore('its volume exists and is waiting to be bound');
  const className = storageClassNameOf(claim);
  const storageClass = findClass(className);
  if (!storageClass) throw classMissing(className);
  if (storageClass.provisioner !== driverName)
    return ignore(`the provisioner of its StorageClass is ${storageClass.provisioner}`);
  const selectedNode = claim.metadata.annotations?.[annotations.selectedNode];
  if (storageClass.volumeBindingMode === 'WaitForFirstConsumer' && !selectedNode)
    return ignore('is waiting for its first consumer');
  return { action: 'provision', storageClass, ...(selectedNode ? { selectedNode } : {}) };
};

export interface TopologyInput {
  readonly claimName: string;
  readonly storageClass: StorageClass;
  /** Set by the scheduler for WaitForFirstConsumer. */
  readonly selectedNode?: string;
  readonly nodes: readonly Node[];
  readonly csiNodes: readonly CsiNode[];
}

const waiting = (message: string, remedy: string): VdoError =>
  new VdoError({ code: 'VolumeNoDatastore', message, remedy });

const keysOf = (csiNode: CsiNode | undefined): readonly string[] =>
  csiNode?.spec.drivers?.find(({ name }) => name === driverName)?.topologyKeys ?? [];

const placeOf = (node: Node | undefined, keys: readonly string[]): Segments | undefined => {
  const labels = node?.metadata.labels ?? {};
  if (keys.length === 0 || keys.some((key) => labels[key] === undefined)) return undefined;
  return Object.fromEntries(keys.map((key) => [key, labels[key] ?? '']));
};

/**
 * What is still to come before the segment of a selected node is known: the driver's registration, which changes the CSINode, or labels, which
 * another watch brings. Nothing comes on a node that does not exist, or if the driver registered without topology keys.
 */
export const stillToCome = (
  node: Node | undefined,
  csiNode: CsiNode | undefined,
): 'registration' | 'labels' | undefined => {
  if (!node) return undefined;
  if (!csiNode?.spec.drivers?.some(({ name }) => name === driverName)) return 'registration';
  const keys = keysOf(csiNode);
  return keys.length > 0 && !placeOf(node, keys) ? 'labels' : undefined;
};

const keyOfPlace = (place: Segments): string => JSON.stringify(Object.entries(place).sort());

const distinct = (places: readonly Segments[]): readonly Segments[] =>
  [...new Map(places.map((place) => [keyOfPlace(place), place])).entries()]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, place]) => place);

/** Each term allows all combinations of its values: zone in [a, b] and rack in [1] are two topology segments. */
const allowedPlaces = (storageClass: StorageClass): readonly Segments[] =>
  (storageClass.allowedTopologies ?? []).flatMap(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.reduce<readonly Segments[]>(
      (places, { key, values }) => places.flatMap((place) => values.map((value) => ({ ...place, [key]: value }))),
      [{}],
    ),
  );

// The names of a StatefulSet's claims end in an ordinal. Successive claims start at successive segments, so they are spread evenly.
const offsetOf = (claimName: string, places: number): number => {
  const [, base = claimName, ordinal = '0'] = /^(.*?)-(\d+)$/.exec(claimName) ?? [];
  const hash = createHash('sha256').update(base).digest().readUInt32BE();
  return (hash + Number(ordinal)) % places;
};

const ofSelectedNode = (name: string, input: TopologyInput, allowed: readonly Segments[]): readonly Segments[] => {
  const node = input.nodes.find(({ metadata }) => metadata.name === name);
  const keys = keysOf(input.csiNodes.find(({ metadata }) => metadata.name === name));
  const place = placeOf(node, keys);
  if (!place)
    throw waiting(
      `node ${name} was selected, but its topology segment is not known: CSINode has the keys [${keys.join(', ')}], but the node does not have these labels`,
      'Wait until the driver has registered on that node, and check that its VM or host has tags of the topology categories.',
    );
  if (allowed.length > 0 && !allowed.some((one) => within(place, one)))
    throw waiting(
      `node ${name} in ${describeSegments(place)} is outside the allowedTopologies of StorageClass ${input.storageClass.metadata.name}`,
      'Widen allowedTopologies in a new StorageClass, or keep the pod off that node.',
    );
  return [place];
};

/** The topology segments that have nodes of this driver, without duplicates. */
export const inhabitedPlaces = (nodes: readonly Node[], csiNodes: readonly CsiNode[]): readonly Segments[] => {
  const byName = new Map(nodes.map((node) => [node.metadata.name, node]));
  return distinct(
    csiNodes.flatMap((csiNode) => {
      const place = placeOf(byName.get(csiNode.metadata.name), keysOf(csiNode));
      return place ? [place] : [];
    }),
  );
};

/**
 * The topology segments in which a volume may be created: the segment of the selected node; else those that the class allows; else those
 * that have a node of this driver, starting with one that depends on the claim's name. While no node has reported its segment, the result
 * is empty: only a datastore that all nodes share can then be used, and no segment is recorded. Preferred segments come first.
 */
export const decideTopology = (input: TopologyInput): readonly Segments[] => {
  const allowed = distinct(allowedPlaces(input.storageClass));
  if (input.selectedNode !== undefined) return ofSelectedNode(input.selectedNode, input, allowed);
  const places = allowed.length > 0 ? allowed : inhabitedPlaces(input.nodes, input.csiNodes);
  const offset = offsetOf(input.claimName, Math.max(1, places.length));
  return [...places.slice(offset), ...places.slice(0, offset)];
};

export interface VolumeRequestInput {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
  /** Acceptable topology segments, preferred ones first; all by default. */
  readonly topologies?: readonly Segments[];
  readonly source?: CopiedFrom;
  /** Parameters of the claim's VolumeAttributesClass. */
  readonly mutableParameters?: Readonly<Record<string, string>>;
}

/** File system of volumes whose class does not set one. */
const defaultFsType = 'ext4';
const reservedPrefix = parameterKeys.prefix;
const fsTypeKey = `${reservedPrefix}fstype`;

const invalid = (claim: PersistentVolumeClaim, observed: string, remedy: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `claim ${claim.metadata.namespace}/${claim.metadata.name} ${observed}`,
    remedy,
  });

const bytesOf = (claim: PersistentVolumeClaim, field: 'requests' | 'limits'): bigint => {
  const text = claim.spec.resources?.[field]?.storage;
  if (text === undefined) return 0n;
  const bytes = parseQuantity(text);
  if (bytes === undefined)
    throw invalid(claim, `has resources.${field}.storage "${text}"`, 'Use a quantity such as 10Gi.');
  return bytes;
};

/** File system of a claim's volume by its class; empty for raw block volumes. */
const fsTypeOf = (claim: PersistentVolumeClaim, storageClass: StorageClass): string => {
  if (claim.spec.volumeMode === 'Block') return '';
  const given = Object.entries(storageClass.parameters ?? {}).find(([key]) => key.toLowerCase() === fsTypeKey)?.[1];
  return given || defaultFsType;
};

const usesOf = (claim: PersistentVolumeClaim, storageClass: StorageClass): readonly VolumeUse[] => {
  const uses = volumeUsesOf(claim.spec, fsTypeOf(claim, storageClass));
  if (uses.length === 0) throw invalid(claim, 'has no accessModes', 'Set spec.accessModes to [ReadWriteOnce].');
  return uses;
};

/** Converts a claim to a request, as the upstream csi-provisioner does. Throws for a claim that cannot be provisioned. */
export const toNewVolume = (input: VolumeRequestInput): NewVolume => {
  const { claim, storageClass, topologies = [], source, mutableParameters } = input;
  if (claim.spec.selector)
    throw invalid(claim, 'has a selector', 'Remove spec.selector: new volumes have no labels that could match.');
  // Keys with the reserved prefix are for the provisioner, not for the driver.
  const parameters = Object.fromEntries(
    Object.entries(storageClass.parameters ?? {}).filter(([key]) => !key.toLowerCase().startsWith(reservedPrefix)),
  );
  const name = volumeNameOf(claim);
  return {
    name,
    size: { requiredBytes: bytesOf(claim, 'requests'), limitBytes: bytesOf(claim, 'limits') },
    uses: usesOf(claim, storageClass),
    parameters: {
      ...parameters,
      [`${reservedPrefix}pvc/name`]: claim.metadata.name ?? '',
      [`${reservedPrefix}pvc/namespace`]: claim.metadata.namespace ?? '',
      [`${reservedPrefix}pv/name`]: name,
    },
    ...(mutableParameters ? { mutableParameters } : {}),
    ...(source ? { source } : {}),
    topologies,
  };
};

export interface PersistentVolumeInput {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
  readonly volume: ProvisionedVolume;
  /** instanceUuid of the vCenter on which the volume was created, if it is known. */
  readonly instanceUuid?: string | undefined;
  /** Identity of the provisioner, recorded in the volume's attributes. */
  readonly identity: string;
}

const termOf = (place: Segments): NodeSelectorTerm => ({
  matchExpressions: Object.entries(place).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
});

/** The PersistentVolume of a provisioned volume, with the claim it is for. */
export const toPersistentVolume = (input: PersistentVolumeInput): PersistentVolume => {
  const { claim, storageClass, volume, instanceUuid, identity } = input;
  const reclaimPolicy = storageClass.reclaimPolicy ?? 'Delete';
  const fsType = fsTypeOf(claim, storageClass);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: volumeNameOf(claim),
      annotations: {
        [annotations.provisionedBy]: driverName,
        ...(instanceUuid ? { [annotationKeys.vcenterInstance]: instanceUuid } : {}),
      },
      ...(reclaimPolicy === 'Delete' ? { finalizers: [provisionerFinalizer] } : {}),
    },
    spec: {
      capacity: { storage: formatQuantity(volume.sizeBytes) },
      accessModes: claim.spec.accessModes ?? [],
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: storageClassNameOf(claim),
      volumeMode: claim.spec.volumeMode ?? 'Filesystem',
      ...(claim.spec.volumeAttributesClassName
        ? { volumeAttributesClassName: claim.spec.volumeAttributesClassName }
        : {}),
      ...(storageClass.mountOptions ? { mountOptions: storageClass.mountOptions } : {}),
      claimRef: {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        namespace: claim.metadata.namespace ?? '',
        name: claim.metadata.name ?? '',
        uid: claim.metadata.uid ?? '',
        ...(claim.metadata.resourceVersion ? { resourceVersion: claim.metadata.resourceVersion } : {}),
      },
      csi: {
        driver: driverName,
        volumeHandle: volume.id,
        ...(fsType ? { fsType } : {}),
        volumeAttributes: { ...volume.context, [provisionerIdentityKey]: identity },
      },
      ...(volume.topology ? { nodeAffinity: { required: { nodeSelectorTerms: [termOf(volume.topology)] } } } : {}),
    },
  };
};
