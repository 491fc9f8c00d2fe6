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
    .describe('Taint effect; empty: all of them.'),
});

const component = (what: string) =>
  z
    .object({
      extraArgs: z.array(z.string().max(1024)).max(32).default([]).describe('Arguments appended to the command line.'),
      env: stringMap.optional().describe('Environment variables of the container.'),
      labels: stringMap.optional().describe('Labels added to the pods.'),
      annotations: stringMap.optional().describe('Annotations added to the pods.'),
      nodeSelector: stringMap.optional().describe('Node labels the pods need, besides Linux.'),
      tolerations: z.array(toleration).max(32).default([]).describe('Tolerations added to the built-in ones.'),
      priorityClassName: objectName.optional().describe('Priority class of the pods. Default: the built-in choice.'),
      resources: z
        .object({
          requests: quantities.optional().describe('Guaranteed amounts, such as cpu: 50m.'),
          limits: quantities.optional().describe('Upper bounds, such as memory: 256Mi.'),
        })
        .optional()
        .describe('Resources of the container. Default: small requests, no CPU limit.'),
    })
    .describe(`Adjustments of ${what}.`);

export const advancedSpec = z
  .object({
    logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('How much the drivers log.'),
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
            'Volumes asked for in one query by the upstream driver, default 10000. The native one asks for pages of its own size.',
          ),
        listVolumeThreshold: z
          .int()
          .min(1)
          .max(100_000)
          .optional()
          .describe(
            'Volumes by which Kubernetes and vCenter may differ before the upstream driver refuses to list them, default 50. The native one always lists.',
          ),
        fullSyncInterval: duration
          .optional()
          .describe('How often all volume metadata is compared with vCenter. Default 30m.'),
      })
      .optional()
      .describe('Limits of the storage driver that large clusters adjust.'),
  })
  .describe('Settings that most clusters never touch.');

export type AdvancedSpec = z.infer<typeof advancedSpec>;
export type ComponentSpec = NonNullable<AdvancedSpec['cpi']>;
