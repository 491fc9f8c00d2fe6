import { z } from 'zod';
import { duration, objectName, stringMap } from './field-types.ts';

const quantities = z
  .record(
    z.string(),
    z
      .string()
      .max(32)
      .regex(/^[0-9]+(\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/),
  )
  .meta({ maxProperties: 8 });

const toleration = z.object({
  key: z.string().max(316).optional().describe('Taint key; empty with operator Exists tolerates every taint.'),
  operator: z.enum(['Exists', 'Equal']).default('Equal').describe('How the value is compared.'),
  value: z.string().max(63).optional().describe('Taint value, with operator Equal.'),
  effect: z
    .enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])
    .optional()
    .describe('Taint effect; if empty, all effects.'),
});

const component = (what: string) =>
  z
    .object({
      extraArgs: z.array(z.string().max(1024)).max(32).default([]).describe('Arguments appended to the command line.'),
      env: stringMap.optional().describe('Environment variables of the container.'),
      labels: stringMap.optional().describe('Labels added to the pods.'),
      annotations: stringMap.optional().describe('Annotations added to the pods.'),
      nodeSelector: stringMap.optional().describe('Node labels required by the pods, in addition to Linux.'),
      tolerations: z.array(toleration).max(32).default([]).describe('Tolerations added to the built-in ones.'),
      priorityClassName: objectName.optional().describe('PriorityClass of the pods. Default: the built-in choice.'),
      resources: z
        .object({
          requests: quantities.optional().describe('Resource requests, such as cpu: 50m.'),
          limits: quantities.optional().describe('Resource limits, such as memory: 256Mi.'),
        })
        .optional()
        .describe('Resources of the container. Default: small requests, no CPU limit.'),
    })
    .describe(`Adjustments of ${what}.`);

export const advancedSpec = z
  .object({
    logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('Log level of the drivers.'),
    kubeletPath: z
      .string()
      .max(256)
      .regex(/^\/.*[^/]$/)
      .default('/var/lib/kubelet')
      .describe('Root folder of the kubelet on the nodes.'),
    cpi: component('the cloud controller manager').optional(),
    csiController: component('the CSI controller').optional(),
    csiNode: component('the CSI node pods').optional(),
    volumes: z
      .object({
        queryLimit: z
          .int()
          .min(1)
          .max(100_000)
          .optional()
          .describe(
            'Number of volumes per query of the upstream driver; 10000 by default. The native driver uses its own page size.',
          ),
        listVolumeThreshold: z
          .int()
          .min(1)
          .max(100_000)
          .optional()
          .describe(
            'Difference in the number of volumes between Kubernetes and vCenter above which the upstream driver refuses to list them; 50 by default. The native driver always lists them.',
          ),
        fullSyncInterval: duration
          .optional()
          .describe('How often the metadata of all volumes is compared with vCenter; 30m by default.'),
        preferredDatastoresInterval: duration
          .optional()
          .describe(
            'How long the tags by which datastores are preferred in a zone are cached before they are read again; 5m by default.',
          ),
      })
      .optional()
      .describe('Limits of the storage driver for large clusters.'),
  })
  .describe('Settings that most clusters do not need.');

export type AdvancedSpec = z.infer<typeof advancedSpec>;
export type ComponentSpec = NonNullable<AdvancedSpec['cpi']>;
