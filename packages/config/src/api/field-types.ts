import { z } from 'zod';

// Go's RE2 in the API server reads the patterns: no look-around, no back references.
// Every string and list is bounded, because the API server refuses CEL rules on unbounded values.

export const objectName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/);

export const host = z
  .string()
  .min(1)
  .max(253)
  .regex(
    /^([A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?|[0-9A-Fa-f:.]+)$/,
    'must be a host name or an IP address, without scheme, brackets, port or path',
  );

export const shortText = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/);

export const versionText = z
  .string()
  .max(64)
  .regex(/^v?[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.+-]*)?$/);

export const duration = z
  .string()
  .max(32)
  .regex(/^([0-9]+h)?([0-9]+m)?([0-9]+s)?$/)
  .min(2);

export const cidr = z
  .string()
  .min(3)
  .max(64)
  .regex(/^[0-9A-Fa-f:.]+\/[0-9]{1,3}$/);

export const dateTime = z.string().max(64).meta({ format: 'date-time' });

/**
 * For optional objects that people write as `{}`. Otherwise an API server removes them when the resource is
 * applied again by server-side apply (kubernetes/kubernetes#135841).
 */
export const keptWhenEmpty = { 'x-kubernetes-map-type': 'atomic' } as const;

export const stringMap = z.record(z.string(), z.string().max(4096)).meta({ maxProperties: 64 });

/** The source of a document: exactly one of the three (a CEL rule). */
export const documentSource = z.object({
  url: z
    .string()
    .max(2048)
    .regex(/^https?:\/\/.+$/)
    .optional()
    .describe('HTTP(S) address of the document.'),
  configMap: z
    .object({
      name: objectName.describe('Name of a ConfigMap in namespace vmware-system-vdo.'),
      key: z
        .string()
        .min(1)
        .max(253)
        .optional()
        .describe('Key in the ConfigMap. Default: its only key other than signatures.'),
    })
    .optional()
    .describe('A key of a ConfigMap in namespace vmware-system-vdo.'),
  file: z
    .string()
    .max(1024)
    .regex(/^\/.+$/)
    .optional()
    .describe('Absolute path of a file in the operator container, usually a mounted volume.'),
});

export type DocumentSource = z.infer<typeof documentSource>;
