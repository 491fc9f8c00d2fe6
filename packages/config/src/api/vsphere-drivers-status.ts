import { z } from 'zod';
import { dateTime } from './field-types.ts';

export const conditionTypes = [
  'Ready',
  'Available',
  'Progressing',
  'Degraded',
  'Upgradeable',
  'Stalled',
  'VCenterReachable',
  'CredentialsValid',
  'PrivilegesSufficient',
  'NodesInitialized',
  'StorageReady',
] as const;

export type ConditionType = (typeof conditionTypes)[number];

const text = z.string().max(4096);
const count = z.int().min(0).max(1_000_000);

const conditionStatus = z.object({
  type: z.string().max(316).describe('Type of the condition.'),
  status: z.enum(['True', 'False', 'Unknown']).describe('Status of the condition.'),
  reason: z
    .string()
    .min(1)
    .max(1024)
    .regex(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/)
    .describe('Reason in CamelCase, for programs.'),
  message: z.string().max(32_768).describe('Explanation with the remedy.'),
  lastTransitionTime: dateTime.describe('When the status last changed.'),
  observedGeneration: z
    .int()
    .min(0)
    .optional()
    .describe('The generation of the resource that the condition refers to.'),
});

const readyCount = z.object({
  desired: count.describe('Desired pods.'),
  ready: count.describe('Ready pods.'),
});

export const driverStatus = z.object({
  kind: z.enum(['CPI', 'CSI', 'CNI']).describe('Which driver.'),
  distribution: z.string().max(64).optional().describe('Native or Upstream; the name of the CNI for kind CNI.'),
  version: z.string().max(128).optional().describe('Running release, read from the cluster.'),
  target: z.string().max(128).optional().describe('Release that is being rolled out, if it differs.'),
  available: z
    .string()
    .max(128)
    .optional()
    .describe('Newest compatible release, if the update policy does not install it.'),
  controllers: readyCount.optional().describe('Controller pods.'),
  nodes: readyCount.optional().describe('Node pods.'),
});

export const failingCheck = z.object({
  id: z.string().max(64).describe('ID of the check, such as credentials/login.'),
  result: z.enum(['Warn', 'Fail', 'Unknown']).describe('Result.'),
  reason: z.string().max(128).describe('Reason in CamelCase, for programs.'),
  message: text.describe('What was observed and what was expected.'),
  remedy: text.describe('What to do.'),
  commands: z.array(text).max(10).optional().describe('Commands for it, in order, ready to run.'),
  docs: z.string().max(256).optional().describe('Link to the description of the check.'),
  object: z
    .object({
      kind: z.string().max(64).describe('Kind, such as Node, Secret or VCenter.'),
      name: z.string().max(256).describe('Name.'),
      namespace: z.string().max(63).optional().describe('Namespace, if the object is namespaced.'),
    })
    .optional()
    .describe('The object that was checked.'),
});

export const vsphereDriversStatus = z.object({
  observedGeneration: z.int().min(0).optional().describe('The generation of the spec that this status refers to.'),
  conditions: z
    .array(conditionStatus)
    .max(32)
    .optional()
    .describe('Overall state, compatible with kstatus: wait for Ready.')
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] }),
  drivers: z
    .array(driverStatus)
    .max(8)
    .optional()
    .describe('The drivers in the cluster.')
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['kind'] }),
  versions: z
    .object({
      operator: z.string().max(128).optional().describe('Version of the operator.'),
      kubernetes: z.string().max(128).optional().describe('Version of the API server.'),
      vcenters: z
        .array(
          z.object({
            server: z.string().max(253).describe('Server, as in the spec.'),
            version: z.string().max(64).optional().describe('Version, such as 8.0.3.'),
            build: z.string().max(64).optional().describe('Build number.'),
          }),
        )
        .max(16)
        .optional()
        .describe('Versions of the vCenters.')
        .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['server'] }),
      matrix: z
        .object({
          serial: z.int().min(0).describe('Serial number of the compatibility matrix in use.'),
          source: z.string().max(2048).describe('Source of the matrix.'),
        })
        .optional()
        .describe('The compatibility matrix in use.'),
    })
    .optional()
    .describe('Versions on which the selection of releases depends.'),
  checks: z
    .object({
      pass: count.describe('Checks that passed.'),
      warn: count.describe('Checks that warn.'),
      fail: count.describe('Checks that failed.'),
      unknown: count.describe('Checks whose facts could not be read.'),
      skipped: count.describe('Checks that do not apply.'),
      lastRunTime: dateTime.optional().describe('When checks last ran.'),
      failing: z
        .array(failingCheck)
        .max(50)
        .optional()
        .describe('The worst results, at most 50, each with its remedy.'),
    })
    .optional()
    .describe('Health checks.'),
  nodes: z
    .object({
      total: count.describe('Nodes of the cluster.'),
      initialized: count.describe('Nodes with a provider ID and without the uninitialized taint.'),
      failing: z
        .array(
          z.object({
            name: z.string().max(253).describe('Name of the node.'),
            reason: z.string().max(128).describe('Reason in CamelCase, for programs.'),
            message: text.describe('What is wrong.'),
            remedy: text.describe('What to do.'),
          }),
        )
        .max(50)
        .optional()
        .describe('Nodes with a problem, at most 50.')
        .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
    })
    .optional()
    .describe('State of the nodes.'),
  volumes: z
    .object({
      total: count.describe('PersistentVolumes of the driver.'),
      attachments: count.describe('VolumeAttachments of the driver.'),
      unplaced: count.describe('PersistentVolumes whose vCenter, of several, is unknown.'),
      vcenters: z
        .array(
          z.object({
            server: z.string().max(253).describe('Server, as in the spec.'),
            instanceUuid: z
              .string()
              .max(64)
              .optional()
              .describe('Instance UUID of the vCenter, which stays the same if its name changes.'),
            volumes: count.describe('PersistentVolumes with disks on this vCenter.'),
          }),
        )
        .max(16)
        .describe('Volumes per vCenter, including a vCenter that was removed from the spec.')
        .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['server'] }),
      countedAt: dateTime.describe('When they were counted; the time of an unchanged count is updated once an hour.'),
    })
    .optional()
    .describe(
      'Volumes and attachments that need the storage driver. While there are any, the driver and its vCenters are not removed.',
    ),
});

export type VSphereDriversStatus = z.infer<typeof vsphereDriversStatus>;
export type DriverStatus = z.infer<typeof driverStatus>;
export type FailingCheck = z.infer<typeof failingCheck>;
