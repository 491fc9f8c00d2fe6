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
  type: z.string().max(316).describe('What the condition is about.'),
  status: z.enum(['True', 'False', 'Unknown']).describe('Whether it holds.'),
  reason: z
    .string()
    .min(1)
    .max(1024)
    .regex(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/)
    .describe('Why, in one word for programs.'),
  message: z.string().max(32_768).describe('Why, for people, with the remedy.'),
  lastTransitionTime: dateTime.describe('When the status last changed.'),
  observedGeneration: z.int().min(0).optional().describe('The generation of the resource this is about.'),
});

const readyCount = z.object({
  desired: count.describe('Pods that should run.'),
  ready: count.describe('Pods that are ready.'),
});

export const driverStatus = z.object({
  kind: z.enum(['CPI', 'CSI', 'CNI']).describe('Which driver.'),
  distribution: z.string().max(64).optional().describe('Native or Upstream; the name of the CNI for kind CNI.'),
  version: z.string().max(128).optional().describe('Release that runs, read from the cluster.'),
  target: z.string().max(128).optional().describe('Release that is being rolled out, if it is another one.'),
  available: z.string().max(128).optional().describe('Newest compatible release, if the policy does not install it.'),
  controllers: readyCount.optional().describe('Controller pods.'),
  nodes: readyCount.optional().describe('Node pods.'),
});

export const failingCheck = z.object({
  id: z.string().max(64).describe('Check, such as credentials/login.'),
  result: z.enum(['Warn', 'Fail', 'Unknown']).describe('Outcome.'),
  reason: z.string().max(128).describe('Why, in one word for programs.'),
  message: text.describe('What was observed and what was expected.'),
  remedy: text.describe('What helps, in words.'),
  commands: z.array(text).max(10).optional().describe('Commands that do it, in order, ready to run.'),
  docs: z.string().max(256).optional().describe('Where the check is described.'),
  object: z
    .object({
      kind: z.string().max(64).describe('Kind, such as Node, Secret or VCenter.'),
      name: z.string().max(256).describe('Name.'),
      namespace: z.string().max(63).optional().describe('Namespace, of a namespaced object.'),
    })
    .optional()
    .describe('What the check looked at.'),
});

export const vsphereDriversStatus = z.object({
  observedGeneration: z.int().min(0).optional().describe('The generation of the spec this status is about.'),
  conditions: z
    .array(conditionStatus)
    .max(32)
    .optional()
    .describe('State of the whole, kstatus compatible: wait for Ready.')
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] }),
  drivers: z
    .array(driverStatus)
    .max(8)
    .optional()
    .describe('The drivers, as they run.')
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
          source: z.string().max(2048).describe('Where it came from.'),
        })
        .optional()
        .describe('The compatibility matrix in use.'),
    })
    .optional()
    .describe('Versions that the choice of releases rests on.'),
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
        .describe('The worst of them, at most 50, each with its remedy.'),
    })
    .optional()
    .describe('Health checks.'),
  nodes: z
    .object({
      total: count.describe('Nodes of the cluster.'),
      initialized: count.describe('Nodes that have a provider id and no uninitialized taint.'),
      failing: z
        .array(
          z.object({
            name: z.string().max(253).describe('Name of the node.'),
            reason: z.string().max(128).describe('Why, in one word for programs.'),
            message: text.describe('What is wrong.'),
            remedy: text.describe('What helps.'),
          }),
        )
        .max(50)
        .optional()
        .describe('Nodes with a problem, at most 50.')
        .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
    })
    .optional()
    .describe('Nodes, as the cloud controller manager left them.'),
  volumes: z
    .object({
      total: count.describe('PersistentVolumes of the driver.'),
      attachments: count.describe('VolumeAttachments of the driver.'),
      unplaced: count.describe('PersistentVolumes of which it is not known on which of several vCenters they are.'),
      vcenters: z
        .array(
          z.object({
            server: z.string().max(253).describe('Server, as in the spec.'),
            instanceUuid: z.string().max(64).optional().describe('Which vCenter it is, whatever its name.'),
            volumes: count.describe('PersistentVolumes whose disks it has.'),
          }),
        )
        .max(16)
        .describe('Where they are; also on a vCenter that fell out of the spec.')
        .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['server'] }),
      countedAt: dateTime.describe('When they were counted; the same count an hour long keeps its time.'),
    })
    .optional()
    .describe('What needs the storage driver: while there is any, the driver and its vCenters are not given up.'),
});

export type VSphereDriversStatus = z.infer<typeof vsphereDriversStatus>;
export type DriverStatus = z.infer<typeof driverStatus>;
export type FailingCheck = z.infer<typeof failingCheck>;
