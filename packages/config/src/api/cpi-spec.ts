import { z } from 'zod';
import { cidr, keptWhenEmpty, objectName, stringMap } from './field-types.ts';

const addressSide = (side: string) =>
  z
    .object({
      subnets: z
        .array(cidr)
        .max(32)
        .default([])
        .describe(`An address in one of these networks becomes the ${side} address; the first match is used.`),
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
        .describe(`Addresses in these networks never become the ${side} address, for example virtual IPs.`),
    })
    .describe(`Which address of a VM becomes the ${side} address of its node.`);

export const cpiSpec = z
  .object({
    credentialsSecret: objectName
      .optional()
      .describe(
        'Secret in namespace vmware-system-vdo with an account only for this driver, with the keys username and password, or <server>.username and <server>.password for each vCenter. The account needs only read access. Default: the credentialsSecret of each vCenter.',
      ),
    replicas: z
      .int()
      .min(1)
      .max(5)
      .optional()
      .describe(
        'Number of cloud controller manager pods; one is active at a time. Default: 2 if two nodes can run them, otherwise 1. The upstream cloud controller manager runs on every control-plane node instead.',
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
      .describe(
        'Selection of node addresses. The default is the first usable address of each family, both internal and external.',
      ),
    nodeLabels: stringMap
      .optional()
      .describe(
        'Labels added to every node that does not have the key. Keys in the domains kubernetes.io and k8s.io are not allowed.',
      ),
  })
  .describe('The cloud controller manager. Omit it to run only CSI.')
  .meta(keptWhenEmpty);

export type CpiSpec = z.infer<typeof cpiSpec>;
