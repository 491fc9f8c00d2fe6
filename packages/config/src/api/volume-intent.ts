import { z } from 'zod';
import { apiGroups } from '../names.ts';
import { host } from './field-types.ts';

/** A volume that the storage driver is creating. The driver writes these objects and removes them; people only look. */
export const volumeIntentSchema = z
  .object({
    spec: z
      .object({
        name: z.string().min(1).max(256).describe('Name of the volume that was asked for.'),
        server: host.describe('vCenter that was asked.'),
        sizeMb: z.int().min(0).describe('Size that was asked for, in MiB.'),
        askedAt: z
          .string()
          .max(64)
          .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$/)
          .describe('When vCenter was asked, in UTC.'),
        copyOf: z.string().max(128).optional().describe('Volume that is copied by way of a temporary snapshot.'),
        kind: z.enum(['file']).optional().describe('A file share. Absent: a disk.'),
        task: z
          .string()
          .max(128)
          .optional()
          .describe("vCenter's task, once it accepted the request, such as Task:task-42."),
        instanceUuid: z
          .string()
          .max(128)
          .optional()
          .describe('Which vCenter was asked, by its own id: another one may have its name by now.'),
        claim: z
          .object({
            namespace: z.string().min(1).max(63),
            name: z.string().min(1).max(253),
            uid: z.string().min(1).max(128),
          })
          .optional()
          .describe('PersistentVolumeClaim that the volume is for.'),
        volumeId: z
          .string()
          .max(128)
          .optional()
          .describe('The volume, once it was handed over: its disk is never deleted because of this object.'),
      })
      .describe('What was asked of vCenter.'),
  })
  .describe(
    'A volume being created. It is removed when its PersistentVolume exists; one that stays tells of an interrupted creation.',
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
  { name: 'Server', type: 'string', jsonPath: '.spec.server', description: 'vCenter that was asked' },
  { name: 'Task', type: 'string', jsonPath: '.spec.task', description: "vCenter's task" },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', description: 'Age of the request' },
] as const;
