import { z } from 'zod';

const category = z.string().min(1).max(256);

export const topologySpec = z
  .object({
    region: category
      .optional()
      .describe('vSphere tag category whose tag names the region of a host; it becomes topology.kubernetes.io/region.'),
    zone: category
      .optional()
      .describe('vSphere tag category whose tag names the zone of a host; it becomes topology.kubernetes.io/zone.'),
    categories: z
      .array(
        z.object({
          name: category.describe('Name of the vSphere tag category.'),
          label: z
            .string()
            .min(1)
            .max(316)
            .regex(/^[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?$/)
            .optional()
            .describe(
              'Node label for the tags of the category. Default: topology.csi.vmware.com/ and the name of the category.',
            ),
        }),
      )
      .max(5)
      .default([])
      .describe('Tag categories that the storage driver uses to place volumes. If empty, region and zone.')
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
  })
  .describe('Zones and regions, read from vSphere tags. Omit it if there are none.');
