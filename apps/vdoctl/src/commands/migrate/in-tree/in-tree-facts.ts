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
import type { ListedVolume } from '../engine/migration.ts';

/** A static pod of the control plane, and its cloud provider flags. */
export interface ControlPlaneProgram {
  readonly program: 'kube-controller-manager' | 'kube-apiserver';
  readonly node: string;
  readonly cloudProvider?: string;
  readonly cloudConfig?: string;
  readonly externalVolumePlugin?: string;
  /** Feature gates that only the in-tree provider needs, such as `DisableCloudProviders=false`. */
  readonly gates: readonly string[];
}

export interface NodeState {
  readonly name: string;
  readonly isControlPlane: boolean;
  /** `v1.29.4`; empty if it has not reported. */
  readonly kubelet: string;
  readonly hasDriver: boolean;
  /** Its kubelet routes volumes of the in-tree provider to the storage driver. */
  readonly migrates: boolean;
}

export interface InTreeFacts {
  readonly volumes: readonly ListedVolume[];
  readonly classes: readonly StorageClass[];
  /** Pods whose own spec refers to a disk; such volumes are never migrated. */
  readonly inlinePods: readonly string[];
  readonly programs: readonly ControlPlaneProgram[];
  readonly nodes: readonly NodeState[];
  /** ClusterConfiguration of kubeadm, which writes the flags of the control plane again at each upgrade. */
  readonly kubeadm?: string;
}

const migratedTo = annotationKeys.migratedTo;
const migratedPlugins = 'storage.alpha.kubernetes.io/migrated-plugins';
const roleLabel = labelKeys.controlPlane;

const volumeOf = ({ metadata, spec }: PersistentVolume): readonly ListedVolume[] => {
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

/** Kubernetes 1.29 needs the first two for the in-tree provider; 1.31 and later do not start if one is set to false. */
const inTreeGates = /^(DisableCloudProviders|DisableKubeletCloudCredentialProviders|CSIMigration(vSphere)?)=false$/;

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
  const externalVolumePlugin = flag('external-cloud-volume-plugin');
  return [
    {
      program,
      node: pod.spec.nodeName ?? pod.metadata.name ?? '',
      ...(cloudProvider ? { cloudProvider } : {}),
      ...(cloudConfig ? { cloudConfig } : {}),
      ...(externalVolumePlugin ? { externalVolumePlugin } : {}),
      gates: (flag('feature-gates') ?? '').split(',').filter((gate) => inTreeGates.test(gate.trim())),
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

const nameOf = ({ metadata }: Pod): string => `${metadata.namespace}/${metadata.name}`;

/** Reads all objects of the cluster that the in-tree provider affects. */
export const readInTreeFacts = async (kube: KubeClient, signal: AbortSignal): Promise<InTreeFacts> => {
  const call = { signal };
  const volumes: ListedVolume[] = [];
  for await (const { items } of kube.pages(persistentVolumes, call)) volumes.push(...items.flatMap(volumeOf));
  const inlinePods: string[] = [];
  const programs: ControlPlaneProgram[] = [];
  for await (const { items } of kube.pages(pods, call)) {
    inlinePods.push(...items.filter(({ spec }) => spec.volumes?.some((one) => 'vsphereVolume' in one)).map(nameOf));
    programs.push(...items.filter(({ metadata }) => metadata.namespace === names.systemNamespace).flatMap(programOf));
  }
  const [classes, listed, registered, kubeadm] = await Promise.all([
    kube.list(storageClasses, call),
    kube.list(nodes, call),
    kube.list(csiNodes, call),
    kube.find(configMaps, { namespace: names.systemNamespace, name: 'kubeadm-config' }, call),
  ]);
  const settings = kubeadm?.data?.['ClusterConfiguration'];
  const byName = new Map(registered.items.map((one) => [one.metadata.name ?? '', one]));
  return {
    volumes,
    classes: classes.items.filter(({ provisioner }) => provisioner === names.inTreeProvisioner),
    inlinePods,
    programs: programs.sort((left, right) =>
      `${left.node} ${left.program}`.localeCompare(`${right.node} ${right.program}`),
    ),
    nodes: listed.items.map((node) => stateOf(node, byName)),
    ...(settings === undefined ? {} : { kubeadm: settings }),
  };
};
