import { readFileSync } from 'node:fs';
import { yamlValue, yamlValues } from '@vdo/base/yaml';
import type { KubeClient } from '@vdo/kube/client';
import {
  type ClusterRole,
  type CustomResourceDefinition,
  clusterRoles,
  customResourceDefinitions,
} from '@vdo/kube/types/cluster';
import { namespaces, nodes } from '@vdo/kube/types/core';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';

const asTest = { fieldManager: 'test', force: true } as const;
const crdFolder = new URL('../../../deploy/crds/', import.meta.url);
const operatorFile = new URL('../../../deploy/operator.yaml', import.meta.url);

export const seedNamespaces = async (client: KubeClient, ...names: readonly string[]): Promise<void> => {
  for (const name of names)
    await client.apply(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, asTest);
};

/** Cached, because to read one takes longer than a thousand requests, and a process may create many worlds. */
const read = new Map<string, CustomResourceDefinition>();
const readCrd = (file: string): CustomResourceDefinition => {
  const crd = read.get(file) ?? (yamlValue(readFileSync(new URL(file, crdFolder), 'utf8')) as CustomResourceDefinition);
  read.set(file, crd);
  return crd;
};

/** Installs the CRDs of these files below deploy/crds. */
export const seedCrds = async (client: KubeClient, ...files: readonly string[]): Promise<void> => {
  for (const file of files) await client.apply(customResourceDefinitions, readCrd(file), asTest);
};

let roles: readonly ClusterRole[] | undefined;
const readRoles = (): readonly ClusterRole[] => {
  roles ??= (yamlValues(readFileSync(operatorFile, 'utf8')) as readonly ClusterRole[]).filter(
    ({ metadata }) => metadata.labels?.['vdo.vmware.com/driver-role'] !== undefined,
  );
  return roles;
};

/** The roles from the operator's manifests that it binds to the drivers. */
export const seedDriverRoles = async (client: KubeClient): Promise<void> => {
  for (const role of readRoles()) await client.apply(clusterRoles, role, asTest);
};

/** An initialized node whose VM has this UUID. */
export const seedNode = async (client: KubeClient, name: string, uuid: string): Promise<void> => {
  const spec = { providerID: `vsphere://${uuid}` };
  await client.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec });
};

/** Such nodes for VMs of the demo model. */
export const seedNodes = async (client: KubeClient, ...indexes: readonly number[]): Promise<void> => {
  for (const index of indexes) await seedNode(client, `node-${index}`, demoUuid(index));
};
