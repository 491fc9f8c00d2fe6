import { z } from 'zod';
import { documentSource, duration, objectName, versionText } from './field-types.ts';

export const updatesSpec = z
  .object({
    policy: z
      .enum(['Automatic', 'Manual', 'Pinned'])
      .default('Automatic')
      .describe(
        'Automatic: the newest compatible release is installed. Manual: newer releases are only announced; the running one stays. Pinned: exactly the releases in versions.',
      ),
    versions: z
      .object({
        cpi: versionText.optional().describe('Release of the cloud controller manager.'),
        csi: versionText.optional().describe('Release of the storage driver.'),
      })
      .optional()
      .describe(
        'Requested releases. Required with policy Pinned. With policy Manual, setting a newer release starts the upgrade.',
      ),
    matrix: documentSource
      .optional()
      .describe(
        'Source of the compatibility matrix; its signature has the same name with .sig appended. Default: the address set with --matrix-url, otherwise the matrix in the operator image.',
      ),
    trustedKeys: z
      .array(z.string().min(1).max(1024))
      .max(8)
      .default([])
      .describe(
        'Ed25519 public keys (PEM) that may sign the matrix. The matrix in the operator image needs no signature.',
      ),
    progressDeadline: duration
      .default('10m')
      .describe(
        'How long the rollout of a new release may make no progress before it is rolled back to the last good release. A rollout that makes progress may take longer.',
      ),
    interval: duration.default('6h').describe('How often the matrix is read again, such as 6h or 1h30m.'),
    window: z
      .object({
        days: z
          .array(z.enum(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']))
          .max(7)
          .default([])
          .describe('Days on which upgrades may start. If empty, every day.')
          .meta({ 'x-kubernetes-list-type': 'set' }),
        start: z
          .string()
          .max(5)
          .regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/)
          .describe('Start of the window, HH:MM in UTC.'),
        duration: duration.default('4h').describe('Length of the window.'),
      })
      .optional()
      .describe('When an automatic upgrade may start. Default: at any time. The first installation does not wait.'),
  })
  .describe('Which releases of the drivers run, and when they change.');

export const imagesSpec = z
  .object({
    registry: z
      .string()
      .min(1)
      .max(512)
      .regex(/^[A-Za-z0-9][-A-Za-z0-9._:/]*[A-Za-z0-9]$/)
      .optional()
      .describe(
        'Registry mirror, a host with optional port and path. It replaces the registry host of every image. Required unless the VDO release (for Native) or the compatibility matrix (for Upstream) sets a registry.',
      ),
    pullSecrets: z
      .array(objectName)
      .max(8)
      .default([])
      .describe('Secrets of type kubernetes.io/dockerconfigjson in namespace vmware-system-vdo.')
      .meta({ 'x-kubernetes-list-type': 'set' }),
    pullPolicy: z
      .enum(['Always', 'IfNotPresent', 'Never'])
      .default('IfNotPresent')
      .describe('When the kubelet pulls the images.'),
  })
  .describe('Where the images of the drivers are pulled from.');

export type UpdatesSpec = z.infer<typeof updatesSpec>;
export type ImagesSpec = z.infer<typeof imagesSpec>;
