import { z } from 'zod';
import { apiGroups } from '../names.ts';
import { host } from './field-types.ts';

/** A volume that the storage driver is creating. The driver writes and deletes these objects; users only read them. */
export const volumeIntentSchema = z
  .object({
    spec: z
      .object({
        name: z.string().min(1).max(256).describe('Name of the requested volume.'),
        server: host.describe('vCenter that received the request.'),
        sizeMb: z.int().min(0).describe('Requested size in MiB.'),
        askedAt: z
          .string()
          .max(64)
          .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$/)
          .describe('Time of the request, in UTC.'),
        copyOf: z.string().max(128).optional().describe('Volume that is copied through a temporary snapshot.'),
        kind: z.enum(['file']).optional().describe('A file share. If absent, a disk.'),
        task: z
          .string()
          .max(128)
          .optional()
          .describe("vCenter's task, once it accepted the request, such as Task:task-42."),
        instanceUuid: z
          .string()
          .max(128)
          .optional()
          .describe('Instance UUID of the vCenter that received the request: another vCenter may have its name now.'),
        claim: z
          .object({
            namespace: z.string().min(1).max(63),
            name: z.string().min(1).max(253),
            uid: z.string().min(1).max(128),
          })
          .optional()
          .describe('PersistentVolumeClaim for which the volume is created.'),
        volumeId: z
          .string()
          .max(128)
          .optional()
          .describe(
            'The volume, after it was handed over to Kubernetes: its disk is never deleted because of this object.',
          ),
      })
      .describe('The request to vCenter.'),
  })
  .describe(
    'A volume that is being created. The object is removed when its PersistentVolume exists; an object that stays shows that the creation was interrupted.',
  );

export const volumeIntentResource = {
  group: apiGroups.vdo,
  version: 'v1beta1',
  plural: 'volumeintents',
  kind: 'VolumeIntent',
  namespaced: true,
} as const;

export const volumeIntentNames = { singular: 'volumeintent', listKind: 'VolumeIntentList' } as const;

export const volumeIntentPrinterColumns = [
  { name: 'Server', type: 'string', jsonPath: '.spec.server', description: 'vCenter that received the request' },
  { name: 'Task', type: 'string', jsonPath: '.spec.task', description: "vCenter's task" },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', description: 'Age of the request' },
] as const;
