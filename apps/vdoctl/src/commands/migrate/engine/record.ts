import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpecInput } from '@vdo/config/api/vsphere-drivers';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { configMaps } from '@vdo/kube/types/core';
import { z } from 'zod';

/** ConfigMap, and Secret with the objects as they were: in kube-system, because the operator's namespace comes and goes. */
const migrationName = 'vdo-migration';
export const recordKey = { namespace: names.systemNamespace, name: migrationName } as const;
const dataKey = 'migration.json';

export const migrationKinds = ['vdo', 'drivers', 'in-tree'] as const;
export type MigrationKind = (typeof migrationKinds)[number];

const snapshotSchema = z.object({
  /** Name → digest of what must not change; absent where there are too many. */
  volumes: z.record(z.string(), z.string()).exactOptional(),
  volumeCount: z.int(),
  volumesDigest: z.string(),
  classes: z.record(z.string(), z.string()),
  /** Name → providerID. */
  nodes: z.record(z.string(), z.string()),
  attachments: z.int(),
  /** `Deployment namespace/name` → images. */
  workloads: z.record(z.string(), z.array(z.string())),
});
/** What a migration must leave as it is, and who serves it. */
export type Snapshot = z.infer<typeof snapshotSchema>;

const recordSchema = z.object({
  format: z.literal(1),
  kind: z.enum(migrationKinds),
  /** `undone` and `finished` are ends: only what was kept for the way back is still to be removed. */
  state: z.enum(['forward', 'back', 'undone', 'finished']),
  begun: z.string(),
  distribution: z.enum(['Native', 'Upstream']),
  secretName: z.string(),
  /** As it is created; what is written there counts, whoever goes on from wherever. */
  spec: z.unknown(),
  /** Steps that a person says are done. */
  confirmed: z.array(z.string()),
  before: z.object({
    /** Null: there was none. */
    operatorReplicas: z.int().nullable(),
    hadDefinition: z.boolean(),
    hadResource: z.boolean(),
    /** `SECRET/` and `SECRET/KEY` of what the Secrets of the accounts held. */
    secretKeys: z.array(z.string()),
    formerOperator: z.object({ namespace: z.string(), replicas: z.int() }).nullable(),
    /** Releases that Helm knows of the drivers. */
    helm: z.array(z.object({ namespace: z.string(), name: z.string() })),
    /** Of kubeadm, as it was; null: it is not changed. */
    kubeadm: z.string().nullable(),
    /** What the programs of the control plane were told about the cloud. */
    programs: z.array(
      z.object({
        program: z.enum(['kube-controller-manager', 'kube-apiserver']),
        node: z.string(),
        cloudProvider: z.string().exactOptional(),
        cloudConfig: z.string().exactOptional(),
        externalVolumePlugin: z.string().exactOptional(),
        gates: z.array(z.string()),
      }),
    ),
    snapshot: snapshotSchema,
  }),
  /** How things stood at the end. */
  after: snapshotSchema.exactOptional(),
});

/** All that the cluster does not show by itself: where a migration came from, and which way it goes. Kept in the cluster. */
export type MigrationRecord = Omit<z.infer<typeof recordSchema>, 'spec'> & { readonly spec: VSphereDriversSpecInput };
export type Before = MigrationRecord['before'];

export interface StoredRecord {
  readonly record: MigrationRecord;
  readonly resourceVersion: string;
}

const unreadable = (cause: unknown): VdoError =>
  new VdoError({
    code: 'ConfigInvalid',
    message: `ConfigMap ${recordKey.namespace}/${recordKey.name}, the record of a migration, cannot be read by this release of vdoctl`,
    remedy:
      'Go on with the release by which the migration was begun. Do not delete the ConfigMap or the Secret of the same name: they hold the way back.',
    cause,
  });

const parse = (text: string): MigrationRecord => {
  try {
    return recordSchema.parse(JSON.parse(text)) as MigrationRecord;
  } catch (error) {
    throw unreadable(error);
  }
};

/** The record of the migration that was begun in this cluster, from whichever workstation. */
export const readRecord = async (kube: KubeClient, signal: AbortSignal): Promise<StoredRecord | undefined> => {
  const found = await kube.find(configMaps, recordKey, { signal });
  if (!found) return undefined;
  return {
    record: parse(found.data?.[dataKey] ?? ''),
    resourceVersion: found.metadata.resourceVersion ?? '',
  };
};

const objectOf = (record: MigrationRecord, resourceVersion?: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...recordKey, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
  data: { [dataKey]: JSON.stringify(record, undefined, 1) },
});

/** Begins a migration: KubeAlreadyExists if somebody else has begun one meanwhile. A finished one gives way. */
export const createRecord = async (
  kube: KubeClient,
  record: MigrationRecord,
  former: StoredRecord | undefined,
  signal: AbortSignal,
): Promise<void> => {
  if (former) await kube.update(configMaps, objectOf(record, former.resourceVersion), { signal });
  else await kube.create(configMaps, objectOf(record), { signal });
};

/** Changes the record that was read: KubeConflict if somebody has written since. */
export const changeRecord = async (
  kube: KubeClient,
  { record, resourceVersion }: StoredRecord,
  change: Partial<Pick<MigrationRecord, 'state' | 'confirmed' | 'after'>>,
  signal: AbortSignal,
): Promise<void> => {
  await kube.update(configMaps, objectOf({ ...record, ...change }, resourceVersion), { signal });
};
