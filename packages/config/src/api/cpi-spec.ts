import { z } from 'zod';
import { cidr, keptWhenEmpty, objectName, stringMap } from './field-types.ts';

const addressSide = (side: string) =>
  z
    .object({
      subnets: z
        .array(cidr)
        .max(32)
        .default([])
        .describe(`An address inside one of these networks becomes the ${side} address; the first that matches wins.`),
      network: z
        .string()
        .min(1)
        .max(256)
        .optional()
        .describe(
          `Name of the vSphere network (port group) whose address becomes the ${side} address, if no subnet matches.`,
        ),
      exclude: z
        .array(cidr)
        .max(32)
        .default([])
        .describe(`Addresses inside these networks never become the ${side} address (virtual IPs, for instance).`),
    })
    .describe(`Which address of a VM becomes the ${side} address of its node.`);

export const cpiSpec = z
  .object({
    credentialsSecret: objectName
      .optional()
      .describe(
        'Secret in namespace vmware-system-vdo with an account for this driver alone: the keys username and password, or <server>.username and <server>.password for each vCenter. It needs to read only. Default: the credentialsSecret of each vCenter.',
      ),
    replicas: z
      .int()
      .min(1)
      .max(5)
      .optional()
      .describe(
        'Number of cloud controller manager pods; one is active at a time. Default: 2 where two nodes can take them, else 1. The upstream one runs on every control-plane node instead.',
      ),
    addresses: z
      .object({
        families: z
          .array(z.enum(['IPv4', 'IPv6']))
          .min(1)
          .max(2)
          .default(['IPv4'])
          .describe('Address families of the nodes, preferred one first. Two make the nodes dual stack.')
          .meta({ 'x-kubernetes-list-type': 'set' }),
        internal: addressSide('internal').prefault({}),
        external: addressSide('external').prefault({}),
      })
      .prefault({})
      .describe('Choice of node addresses. The default takes the first usable address of each family for both sides.'),
    nodeLabels: stringMap
      .optional()
      .describe('Labels put on every node that has none of that key. Keys of kubernetes.io and k8s.io are refused.'),
  })
  .describe('The cloud controller manager. Leave it out to run CSI alone.')
  .meta(keptWhenEmpty);

export type CpiSpec = z.infer<typeof cpiSpec>;
