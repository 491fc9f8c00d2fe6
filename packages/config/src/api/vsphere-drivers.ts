import { z } from 'zod';
import { apiGroups } from '../names.ts';
import { advancedSpec } from './advanced-spec.ts';
import { cpiSpec } from './cpi-spec.ts';
import { csiSpec } from './csi-spec.ts';
import { documentSource } from './field-types.ts';
import { topologySpec } from './topology-spec.ts';
import { imagesSpec, updatesSpec } from './updates-spec.ts';
import { vcenterSpec } from './vcenter-spec.ts';
import { type VSphereDriversStatus, vsphereDriversStatus } from './vsphere-drivers-status.ts';

export const vsphereDriversSpec = z
  .object({
    distribution: z
      .enum(['Native', 'Upstream'])
      .describe(
        'Which drivers are installed: Native are the drivers of this project, Upstream those of the Kubernetes project. There is no default until Native has been run on a live vCenter.',
      ),
    vcenters: z
      .array(vcenterSpec)
      .min(1)
      .max(5)
      .describe('The vCenters that run the nodes of this cluster.')
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['server'] }),
    cpi: cpiSpec.optional(),
    csi: csiSpec.optional(),
    cni: z
      .object({
        manifest: documentSource
          .extend({
            digest: z
              .string()
              .max(71)
              .regex(/^sha256:[0-9a-f]{64}$/)
              .optional()
              .describe(
                'Digest of the document. Required for a url, which must begin with https://, unless a key in updates.trustedKeys signed the document. The signature has the same name with .sig appended.',
              ),
          })
          .optional()
          .describe(
            'Manifest of a CNI that the operator installs, upgrades and removes. It needs the separate CNI ClusterRole.',
          ),
      })
      .optional()
      .describe('The pod network. It is always detected and reported; VDO manages it only if a manifest is set.'),
    topology: topologySpec.optional(),
    updates: updatesSpec.prefault({}),
    images: imagesSpec.prefault({}),
    deletionPolicy: z
      .enum(['Protect', 'Orphan'])
      .default('Protect')
      .describe(
        'What happens when this resource is deleted: Protect waits until no volume or attachment of the driver is left; Orphan removes the drivers at once and keeps the volumes.',
      ),
    advanced: advancedSpec.prefault({}),
  })
  .describe('Desired state of the cluster.');

/** The spec with all defaults, as the API server stores it. */
export type VSphereDriversSpec = z.infer<typeof vsphereDriversSpec>;
/** The spec as people write it. */
export type VSphereDriversSpecInput = z.input<typeof vsphereDriversSpec>;

/** The custom resource without metadata: the source of the CRD's schema. */
export const vsphereDriversSchema = z
  .object({
    spec: vsphereDriversSpec,
    status: vsphereDriversStatus.optional().describe('Observed state of the cluster.'),
  })
  .describe('The vSphere drivers of this cluster: one resource, named cluster.');

/** JSON Schema of the resource as people write it. */
export const vsphereDriversJsonSchema = (): unknown => z.toJSONSchema(vsphereDriversSchema, { io: 'input' });

export interface VSphereDriversMeta {
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

/** The one custom resource of VDO, as read from the API server. */
export interface VSphereDrivers {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: VSphereDriversMeta;
  readonly spec: VSphereDriversSpec;
  readonly status?: VSphereDriversStatus;
}

/** The only valid name of the resource. */
export const vsphereDriversName = 'cluster';

/** Fits `Resource<VSphereDrivers>` of packages/kube. */
export const vsphereDrivers: {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly objectType?: VSphereDrivers;
} = {
  group: apiGroups.vdo,
  version: 'v1beta1',
  plural: 'vspheredrivers',
  kind: 'VSphereDrivers',
  namespaced: false,
};

export const vsphereDriversNames = {
  singular: 'vspheredrivers',
  listKind: 'VSphereDriversList',
  shortNames: ['vdo'],
  categories: ['vsphere'],
} as const;

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date';
  readonly jsonPath: string;
  readonly description: string;
  /** Columns with a priority above 0 are shown only with `-o wide`. */
  readonly priority?: number;
}

export const vsphereDriversPrinterColumns: readonly PrinterColumn[] = [
  {
    name: 'Ready',
    type: 'string',
    jsonPath: '.status.conditions[?(@.type=="Ready")].status',
    description: 'Whether everything works.',
  },
  { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason', description: 'Reason.' },
  {
    name: 'CPI',
    type: 'string',
    jsonPath: '.status.drivers[?(@.kind=="CPI")].version',
    description: 'Release of the cloud controller manager.',
  },
  {
    name: 'CSI',
    type: 'string',
    jsonPath: '.status.drivers[?(@.kind=="CSI")].version',
    description: 'Release of the storage driver.',
  },
  { name: 'Nodes', type: 'integer', jsonPath: '.status.nodes.initialized', description: 'Initialized nodes.' },
  { name: 'Failing', type: 'integer', jsonPath: '.status.checks.fail', description: 'Failed checks.' },
  {
    name: 'Distribution',
    type: 'string',
    jsonPath: '.spec.distribution',
    description: 'Distribution of the drivers.',
    priority: 1,
  },
  {
    name: 'Message',
    type: 'string',
    jsonPath: '.status.conditions[?(@.type=="Ready")].message',
    description: 'Explanation.',
    priority: 1,
  },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', description: 'Age of the resource.' },
];
