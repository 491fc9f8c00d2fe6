import type { CustomResourceDefinition } from '@vdo/kube/types/cluster';
import { snapshotGroup } from '@vdo/kube/types/snapshots';

type Schema = Readonly<Record<string, unknown>>;

const group = snapshotGroup;
const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const whole: Schema = { type: 'integer', format: 'int64' };
const map: Schema = { type: 'object', additionalProperties: text };
const time: Schema = { type: 'string', format: 'date-time' };
const policy: Schema = { type: 'string', enum: ['Delete', 'Retain'] };
const quantity: Schema = { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] };

const object = (properties: Readonly<Record<string, Schema>>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});
const rule = (condition: string, message: string): Schema => ({ rule: condition, message });
const unchanging = (name: string): Schema => ({
  ...text,
  'x-kubernetes-validations': [rule('self == oldSelf', `${name} cannot be changed`)],
});
const kept = (...names: readonly string[]): readonly Schema[] =>
  names.map((name) => rule(`!has(oldSelf.${name}) || has(self.${name})`, `${name} cannot be removed`));
const oneOf = (left: string, right: string): Schema =>
  rule(`has(self.${left}) != has(self.${right})`, `set either ${left} or ${right}, not both`);

const error = object({ time, message: text });
const column = (name: string, type: string, jsonPath: string): Schema => ({ name, type, jsonPath });
const age = column('Age', 'date', '.metadata.creationTimestamp');

interface Kind {
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly columns: readonly Schema[];
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  readonly hasStatus: boolean;
}

const snapshot: Kind = {
  kind: 'VolumeSnapshot',
  shortNames: ['vs'],
  scope: 'Namespaced',
  columns: [
    column('ReadyToUse', 'boolean', '.status.readyToUse'),
    column('SourcePVC', 'string', '.spec.source.persistentVolumeClaimName'),
    column('SourceSnapshotContent', 'string', '.spec.source.volumeSnapshotContentName'),
    column('RestoreSize', 'string', '.status.restoreSize'),
    column('SnapshotClass', 'string', '.spec.volumeSnapshotClassName'),
    column('SnapshotContent', 'string', '.status.boundVolumeSnapshotContentName'),
    column('CreationTime', 'date', '.status.creationTime'),
    age,
  ],
  properties: {
    spec: object(
      {
        source: object(
          {
            persistentVolumeClaimName: unchanging('persistentVolumeClaimName'),
            volumeSnapshotContentName: unchanging('volumeSnapshotContentName'),
          },
          {
            'x-kubernetes-validations': [
              ...kept('persistentVolumeClaimName', 'volumeSnapshotContentName'),
              oneOf('persistentVolumeClaimName', 'volumeSnapshotContentName'),
            ],
          },
        ),
        volumeSnapshotClassName: {
          ...text,
          'x-kubernetes-validations': [rule('size(self) > 0', 'volumeSnapshotClassName must not be empty')],
        },
      },
      { required: ['source'] },
    ),
    status: object({
      boundVolumeSnapshotContentName: text,
      creationTime: time,
      error,
      readyToUse: flag,
      restoreSize: quantity,
      volumeGroupSnapshotName: text,
    }),
  },
  required: ['spec'],
  hasStatus: true,
};

const content: Kind = {
  kind: 'VolumeSnapshotContent',
  shortNames: ['vsc', 'vscs'],
  scope: 'Cluster',
  columns: [
    column('ReadyToUse', 'boolean', '.status.readyToUse'),
    column('RestoreSize', 'integer', '.status.restoreSize'),
    column('DeletionPolicy', 'string', '.spec.deletionPolicy'),
    column('Driver', 'string', '.spec.driver'),
    column('VolumeSnapshotClass', 'string', '.spec.volumeSnapshotClassName'),
    column('VolumeSnapshot', 'string', '.spec.volumeSnapshotRef.name'),
    column('VolumeSnapshotNamespace', 'string', '.spec.volumeSnapshotRef.namespace'),
    age,
  ],
  properties: {
    spec: object(
      {
        deletionPolicy: policy,
        driver: text,
        source: object(
          { snapshotHandle: unchanging('snapshotHandle'), volumeHandle: unchanging('volumeHandle') },
          {
            'x-kubernetes-validations': [
              ...kept('snapshotHandle', 'volumeHandle'),
              oneOf('snapshotHandle', 'volumeHandle'),
            ],
          },
        ),
        sourceVolumeMode: unchanging('sourceVolumeMode'),
        volumeSnapshotClassName: text,
        volumeSnapshotRef: object(
          {
            apiVersion: text,
            fieldPath: text,
            kind: text,
            name: text,
            namespace: text,
            resourceVersion: text,
            uid: text,
          },
          {
            'x-kubernetes-map-type': 'atomic',
            // `namespace` is a reserved word in CEL and is written like this.
            'x-kubernetes-validations': [
              rule('has(self.name) && has(self.__namespace__)', 'volumeSnapshotRef needs name and namespace'),
            ],
          },
        ),
      },
      {
        required: ['deletionPolicy', 'driver', 'source', 'volumeSnapshotRef'],
        'x-kubernetes-validations': kept('sourceVolumeMode'),
      },
    ),
    status: object({
      creationTime: whole,
      error,
      readyToUse: flag,
      restoreSize: { ...whole, minimum: 0 },
      snapshotHandle: text,
      volumeGroupSnapshotHandle: text,
    }),
  },
  required: ['spec'],
  hasStatus: true,
};

const snapshotClass: Kind = {
  kind: 'VolumeSnapshotClass',
  shortNames: ['vsclass', 'vsclasses'],
  scope: 'Cluster',
  columns: [column('Driver', 'string', '.driver'), column('DeletionPolicy', 'string', '.deletionPolicy'), age],
  properties: { apiVersion: text, kind: text, driver: text, deletionPolicy: policy, parameters: map },
  required: ['driver', 'deletionPolicy'],
  hasStatus: false,
};

const pluralOf = (singular: string): string => (singular.endsWith('s') ? `${singular}es` : `${singular}s`);

const toCrd = ({
  kind,
  shortNames,
  scope,
  columns,
  properties,
  required,
  hasStatus,
}: Kind): CustomResourceDefinition => {
  const singular = kind.toLowerCase();
  const plural = pluralOf(singular);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      // The API server requires it in groups of k8s.io; this is where the API was approved.
      annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-csi/external-snapshotter/pull/814' },
    },
    spec: {
      group,
      scope,
      names: { kind, listKind: `${kind}List`, plural, singular, shortNames },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          additionalPrinterColumns: columns,
          ...(hasStatus ? { subresources: { status: {} } } : {}),
          schema: { openAPIV3Schema: object(properties, { required }) },
        },
      ],
    },
  };
};

/** The CustomResourceDefinitions of the snapshot API, version v1: classes, contents, snapshots. */
export const snapshotCrds: readonly CustomResourceDefinition[] = [snapshotClass, content, snapshot].map(toCrd);
