import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpecInput } from '@vdo/config/api/vsphere-drivers';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { configMaps } from '@vdo/kube/types/core';
import { z } from 'zod';

/** ConfigMap with the record, and Secret with the backup: in kube-system, because the operator's namespace may be deleted. */
const migrationName = 'vdo-migration';
export const recordKey = { namespace: names.systemNamespace, name: migrationName } as const;
const dataKey = 'migration.json';

export const migrationKinds = ['vdo', 'drivers', 'in-tree'] as const;
export type MigrationKind = (typeof migrationKinds)[number];

const snapshotSchema = z.object({
  /** Name → digest of what must not change; absent if there are too many. */
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
/** What a migration must not change, and which workloads serve it. */
export type Snapshot = z.infer<typeof snapshotSchema>;

const recordSchema = z.object({
  format: z.literal(1),
  kind: z.enum(migrationKinds),
  /** `undone` and `finished` are final: only the backup is still to be deleted. */
  state: z.enum(['forward', 'back', 'undone', 'finished']),
  begun: z.string(),
  distribution: z.enum(['Native', 'Upstream']),
  secretName: z.string(),
  /** The spec as it will be created. The recorded spec is used, wherever the migration is continued. */
  spec: z.unknown(),
  /** Steps that the user has confirmed. */
  confirmed: z.array(z.string()),
  before: z.object({
    /** Null: there was none. */
    operatorReplicas: z.int().nullable(),
    hadDefinition: z.boolean(),
    hadResource: z.boolean(),
    /** `SECRET/` and `SECRET/KEY`: the existing Secrets and keys of the accounts. */
    secretKeys: z.array(z.string()),
    formerOperator: z.object({ namespace: z.string(), replicas: z.int() }).nullable(),
    /** Helm releases of the drivers. */
    helm: z.array(z.object({ namespace: z.string(), name: z.string() })),
    /** The ClusterConfiguration of kubeadm before; null: it is not changed. */
    kubeadm: z.string().nullable(),
    /** The cloud provider flags of the control plane. */
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
  /** The state at the end. */
  after: snapshotSchema.exactOptional(),
});

/** Everything that cannot be read from the cluster itself: the source and the direction of the migration. Stored in the cluster. */
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
      'Continue with the release of vdoctl that started the migration. Do not delete the ConfigMap or the Secret of the same name: they are needed for undo.',
    cause,
  });

const parse = (text: string): MigrationRecord => {
  try {
    return recordSchema.parse(JSON.parse(text)) as MigrationRecord;
  } catch (error) {
    throw unreadable(error);
  }
};

/** The record of the migration in this cluster. */
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

/** Starts a migration: KubeAlreadyExists if another one has started meanwhile. The record of a finished one is replaced. */
export const createRecord = async (
  kube: KubeClient,
  record: MigrationRecord,
  stored: StoredRecord | undefined,
  signal: AbortSignal,
): Promise<void> => {
  if (stored) await kube.update(configMaps, objectOf(record, stored.resourceVersion), { signal });
  else await kube.create(configMaps, objectOf(record), { signal });
};

/** Updates the record: KubeConflict if it has changed since it was read. */
export const changeRecord = async (
  kube: KubeClient,
  { record, resourceVersion }: StoredRecord,
  change: Partial<Pick<MigrationRecord, 'state' | 'confirmed' | 'after'>>,
  signal: AbortSignal,
): Promise<void> => {
  await kube.update(configMaps, objectOf({ ...record, ...change }, resourceVersion), { signal });
};
