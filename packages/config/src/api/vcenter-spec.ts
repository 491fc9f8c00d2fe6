import { z } from 'zod';
import { host, objectName, shortText } from './field-types.ts';

/** How the certificate of a vCenter is trusted. At most one way; none means the public certificate authorities. */
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
        'SHA-1 or SHA-256 fingerprints of accepted server certificates, with or without colons. More than one lets a certificate be renewed without an outage.',
      ),
    caBundle: z
      .string()
      .min(1)
      .max(65_536)
      .optional()
      .describe('PEM certificates of the authorities that sign the vCenter certificate.'),
    insecure: z
      .boolean()
      .default(false)
      .describe(
        'Accept any certificate. Anyone on the network path can then read the vCenter password: for labs only.',
      ),
  })
  .describe('How the certificate of the vCenter is trusted: by thumbprint, by authority or (labs) not at all.');

export const vcenterSpec = z
  .object({
    server: host.describe('Host name or IP address of the vCenter, without scheme, port or path.'),
    name: shortText
      .optional()
      .describe('Short name shown in conditions, logs and metrics. Default: the value of server.'),
    port: z.int().min(1).max(65_535).default(443).describe('TCP port of the vCenter API.'),
    credentialsSecret: objectName.describe(
      'Secret in namespace vmware-system-vdo with the keys username and password (or <server>.username and <server>.password): the account of the operator, and of each driver that names none of its own.',
    ),
    tls: tlsSpec.prefault({}),
    datacenters: z
      .array(z.string().min(1).max(256))
      .max(64)
      .default([])
      .describe('Datacenters that hold the node VMs, by name, inventory path or managed object id. Empty: all of them.')
      .meta({ 'x-kubernetes-list-type': 'set' }),
    migrationDatastoreUrl: z
      .string()
      .min(1)
      .max(512)
      .optional()
      .describe(
        'Datastore URL (ds:///vmfs/volumes/…/) where migrated in-tree volume specifications without datastore live.',
      ),
  })
  .describe('One vCenter: where it is, how it is trusted, whose account is used.');

export type VCenterSpec = z.infer<typeof vcenterSpec>;
