import { z } from 'zod';
import { host, objectName, shortText } from './field-types.ts';

/** How the certificate of a vCenter is trusted. At most one of the fields; without any, the public certificate authorities are trusted. */
const tlsSpec = z
  .object({
    thumbprints: z
      .array(
        z
          .string()
          .min(40)
          .max(95)
          .regex(/^[0-9A-Fa-f: ]+$/),
      )
      .max(8)
      .default([])
      .describe(
        'SHA-1 or SHA-256 thumbprints of accepted server certificates, with or without colons. With more than one, a certificate can be renewed without an outage.',
      ),
    caBundle: z
      .string()
      .min(1)
      .max(65_536)
      .optional()
      .describe('PEM certificates of the CAs that sign the vCenter certificate.'),
    insecure: z
      .boolean()
      .default(false)
      .describe(
        'Accept any certificate. Anyone on the network path can then read the vCenter password: for labs only.',
      ),
  })
  .describe('How the certificate of the vCenter is verified: by thumbprint, by CA or, for labs only, not at all.');

export const vcenterSpec = z
  .object({
    server: host.describe('Host name or IP address of the vCenter, without scheme, port or path.'),
    name: shortText
      .optional()
      .describe('Short name shown in conditions, logs and metrics. Default: the value of server.'),
    port: z.int().min(1).max(65_535).default(443).describe('TCP port of the vCenter API.'),
    credentialsSecret: objectName.describe(
      'Secret in namespace vmware-system-vdo with the keys username and password (or <server>.username and <server>.password): the account of the operator, and of each driver without its own credentialsSecret.',
    ),
    tls: tlsSpec.prefault({}),
    datacenters: z
      .array(z.string().min(1).max(256))
      .max(64)
      .default([])
      .describe('Datacenters of the node VMs, by name, inventory path or managed object ID. If empty, all datacenters.')
      .meta({ 'x-kubernetes-list-type': 'set' }),
    migrationDatastoreUrl: z
      .string()
      .min(1)
      .max(512)
      .optional()
      .describe(
        'Datastore URL (ds:///vmfs/volumes/…/) for migrated in-tree volumes whose specification has no datastore.',
      ),
  })
  .describe('One vCenter: its address, how its certificate is verified, and the account.');

export type VCenterSpec = z.infer<typeof vcenterSpec>;
