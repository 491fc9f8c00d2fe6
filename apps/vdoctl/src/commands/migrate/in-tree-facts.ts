import { isVdoError } from '@vdo/base/vdo-error';
import { type VSphereDrivers, vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { annotationKeys, labelKeys, names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import {
  configMaps,
  type Node,
  nodes,
  type PersistentVolume,
  type Pod,
  persistentVolumes,
  pods,
} from '@vdo/kube/types/core';
import { type CsiNode, csiNodes, type StorageClass, storageClasses } from '@vdo/kube/types/storage';

export interface InTreeVolume {
  readonly name: string;
  readonly path: string;
  readonly claim: string | null;
  /** Kubernetes gives it to the storage driver. */
  readonly migrated: boolean;
}

/** A static pod of the control plane, and what it is told about the cloud. */
export interface ControlPlaneProgram {
  readonly program: 'kube-controller-manager' | 'kube-apiserver';
  readonly node: string;
  readonly cloudProvider?: string;
  readonly cloudConfig?: string;
  /** The feature gate that leaves volumes to the in-tree provider. */
  readonly keepsVolumes: boolean;
}

export interface NodeState {
  readonly name: string;
  readonly isControlPlane: boolean;
  /** `v1.29.4`; empty if it has not reported. */
  readonly kubelet: string;
  readonly hasDriver: boolean;
  /** Its kubelet gives volumes of the in-tree provider to the storage driver. */
  readonly migrates: boolean;
}

export interface InTreeFacts {
  readonly kubernetesVersion: string;
  /** The cluster knows VSphereDrivers: the operator is installed. */
  readonly hasDefinition: boolean;
  readonly resource?: VSphereDrivers;
  readonly volumes: readonly InTreeVolume[];
  readonly classes: readonly StorageClass[];
  /** Pods whose own spec names a disk, which is never migrated. */
  readonly inlinePods: readonly string[];
  readonly programs: readonly ControlPlaneProgram[];
  readonly nodes: readonly NodeState[];
  /** kubeadm would write the old settings again. */
  readonly kubeadmIsOld: boolean;
}

const migratedTo = annotationKeys.migratedTo;
const migratedPlugins = 'storage.alpha.kubernetes.io/migrated-plugins';
const roleLabel = labelKeys.controlPlane;

const volumeOf = ({ metadata, spec }: PersistentVolume): readonly InTreeVolume[] => {
  const { vsphereVolume, claimRef } = spec as {
    vsphereVolume?: { volumePath?: string };
    claimRef?: { namespace?: string; name?: string };
  };
  if (vsphereVolume?.volumePath === undefined) return [];
  return [
    {
      name: metadata.name ?? '',
      path: vsphereVolume.volumePath,
      claim: claimRef ? `${claimRef.namespace}/${claimRef.name}` : null,
      migrated: metadata.annotations?.[migratedTo] === names.csiDriver,
    },
  ];
};

const programOf = (pod: Pod): readonly ControlPlaneProgram[] => {
  const program = pod.metadata.labels?.['component'];
  if (program !== 'kube-controller-manager' && program !== 'kube-apiserver') return [];
  const words = pod.spec.containers.flatMap(({ command = [], args = [] }) => [...command, ...args]);
  const flag = (name: string): string | undefined => {
    const at = words.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
    const word = words[at];
    return word === undefined ? undefined : word.includes('=') ? word.slice(word.indexOf('=') + 1) : words[at + 1];
  };
  const [cloudProvider, cloudConfig] = [flag('cloud-provider'), flag('cloud-config')];
  return [
    {
      program,
      node: pod.spec.nodeName ?? pod.metadata.name ?? '',
      ...(cloudProvider ? { cloudProvider } : {}),
      ...(cloudConfig ? { cloudConfig } : {}),
      keepsVolumes: /CSIMigrationvSphere=false/.test(flag('feature-gates') ?? ''),
    },
  ];
};

const stateOf = ({ metadata, status }: Node, known: ReadonlyMap<string, CsiNode>): NodeState => {
  const name = metadata.name ?? '';
  const csiNode = known.get(name);
  const plugins = csiNode?.metadata.annotations?.[migratedPlugins]?.split(',') ?? [];
  return {
    name,
    isControlPlane: metadata.labels?.[roleLabel] !== undefined,
    kubelet: (status?.nodeInfo as { readonly kubeletVersion?: string } | undefined)?.kubeletVersion ?? '',
    hasDriver: csiNode?.spec.drivers?.some(({ name: driver }) => driver === names.csiDriver) ?? false,
    migrates: plugins.includes(names.inTreeProvisioner),
  };
};

/** In YAML of either version the provider follows its key within some words. */
const namesTheProvider = (configuration: string): boolean =>
  configuration
    .split('cloud-provider')
    .slice(1)
    .some((after) => after.slice(0, 47).includes('vsphere'));

const nameOf = ({ metadata }: Pod): string => `${metadata.namespace}/${metadata.name}`;

/** Looks at everything in the cluster that the in-tree provider has left its mark on. */
export const readInTreeFacts = async (kube: KubeClient, signal: AbortSignal): Promise<InTreeFacts> => {
  const call = { signal };
  const volumes: InTreeVolume[] = [];
  for await (const { items } of kube.pages(persistentVolumes, call)) volumes.push(...items.flatMap(volumeOf));
  const inlinePods: string[] = [];
  const programs: ControlPlaneProgram[] = [];
  for await (const { items } of kube.pages(pods, call)) {
    inlinePods.push(...items.filter(({ spec }) => spec.volumes?.some((one) => 'vsphereVolume' in one)).map(nameOf));
    programs.push(...items.filter(({ metadata }) => metadata.namespace === names.systemNamespace).flatMap(programOf));
  }
  const [kubernetesVersion, classes, listed, registered, kubeadm] = await Promise.all([
    kube.serverVersion(call),
    kube.list(storageClasses, call),
    kube.list(nodes, call),
    kube.list(csiNodes, call),
    kube.find(configMaps, { namespace: names.systemNamespace, name: 'kubeadm-config' }, call),
  ]);
  const byName = new Map(registered.items.map((one) => [one.metadata.name ?? '', one]));
  let hasDefinition = true;
  const resource = await kube.find(vsphereDrivers, { name: vsphereDriversName }, call).catch((error: unknown) => {
    if (!isVdoError(error, 'KubeResourceMissing')) throw error;
    hasDefinition = false;
    return undefined;
  });
  return {
    kubernetesVersion,
    hasDefinition,
    ...(resource ? { resource } : {}),
    volumes,
    classes: classes.items.filter(({ provisioner }) => provisioner === names.inTreeProvisioner),
    inlinePods,
    programs: programs.sort((left, right) =>
      `${left.node} ${left.program}`.localeCompare(`${right.node} ${right.program}`),
    ),
    nodes: listed.items.map((node) => stateOf(node, byName)),
    kubeadmIsOld: namesTheProvider(kubeadm?.data?.['ClusterConfiguration'] ?? ''),
  };
};
