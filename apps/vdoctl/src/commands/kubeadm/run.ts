import { before } from '@vdo/base/cut-text';
import { VdoError } from '@vdo/base/vdo-error';
import { yamlValue } from '@vdo/base/yaml';
import { names } from '@vdo/config/names';
import { productNumbers } from '@vdo/config/product-version';
import { configMaps } from '@vdo/kube/types/core';
import { stringify } from 'yaml';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import type { ClusterFlags } from '../../cli/options.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import type { KubeadmFlags } from './command.ts';

const oldest = 28;
/** kubeadm v1beta4 was introduced with Kubernetes 1.31; there, extra arguments are lists. */
const listArgsSince = 31;
/** Since 1.33, "external" is the only cloud provider of the kubelet; the flag is still required for the taint. */
const cloudProviderArg = { 'cloud-provider': 'external' };

/** kubeadm requires a version with the patch number. */
const requireFull = (version: string): void => {
  if (/^v?\d+\.\d+\.\d+/.test(version)) return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `--kubernetes ${version} has no patch version, which kubeadm requires`,
    remedy: `Use a full version, such as ${version.replace(/^v/, '')}.1. kubeadm version -o short prints the version of kubeadm.`,
  });
};

const minorOf = (version: string): number => {
  const numbers = productNumbers(version);
  if (numbers && numbers[0] === 1 && numbers[1] >= oldest) return numbers[1];
  throw new VdoError({
    code: 'InvalidArgument',
    message: `--kubernetes ${version} is not a Kubernetes version that VDO supports`,
    remedy: `Use 1.${oldest} or later, such as 1.34.1.`,
  });
};

type Args = Readonly<Record<string, string>>;
const argsFor = (minor: number, args: Args): unknown =>
  minor >= listArgsSince ? Object.entries(args).map(([name, value]) => ({ name, value })) : args;

/** The content of the file. */
export interface KubeadmSettings extends Omit<KubeadmFlags, keyof ClusterFlags> {
  readonly kubernetes: string;
  /** The file is for nodes that join an existing cluster. */
  readonly joins?: boolean;
}

const nodeRegistration = (flags: KubeadmSettings, minor: number): Readonly<Record<string, unknown>> => ({
  criSocket: flags.criSocket,
  // The kubelet registers the node with the taint that the cloud controller manager removes.
  kubeletExtraArgs: argsFor(minor, cloudProviderArg),
});

/** The three documents of the file, for one Kubernetes version. */
export const kubeadmDocuments = (flags: KubeadmSettings): readonly unknown[] => {
  const minor = minorOf(flags.kubernetes);
  const apiVersion = `kubeadm.k8s.io/${minor >= listArgsSince ? 'v1beta4' : 'v1beta3'}`;
  requireFull(flags.kubernetes);
  const registration = nodeRegistration(flags, minor);
  // A node name is for one node only: the first node of a new cluster, or the next node of an existing one.
  const named = flags.nodeName === undefined ? registration : { name: flags.nodeName, ...registration };
  const { joins = false } = flags;
  return [
    { apiVersion, kind: 'InitConfiguration', nodeRegistration: joins ? registration : named },
    {
      apiVersion,
      kind: 'ClusterConfiguration',
      kubernetesVersion: flags.kubernetes.startsWith('v') ? flags.kubernetes : `v${flags.kubernetes}`,
      ...(flags.clusterName === undefined ? {} : { clusterName: flags.clusterName }),
      ...(flags.controlPlaneEndpoint === undefined ? {} : { controlPlaneEndpoint: flags.controlPlaneEndpoint }),
      networking: { podSubnet: flags.podSubnet ?? '10.244.0.0/16' },
      controllerManager: { extraArgs: argsFor(minor, cloudProviderArg) },
    },
    {
      apiVersion,
      kind: 'JoinConfiguration',
      discovery: {
        bootstrapToken: {
          apiServerEndpoint: flags.controlPlaneEndpoint ?? 'CONTROL_PLANE_ADDRESS:6443',
          token: 'TOKEN_OF_KUBEADM_TOKEN_CREATE',
          caCertHashes: ['sha256:HASH_PRINTED_BY_KUBEADM_INIT'],
        },
      },
      nodeRegistration: joins ? named : registration,
    },
  ];
};

const header = `# For kubeadm init --config and kubeadm join --config. Before a join, replace the words in capital letters.
# Nodes register with the taint node.cloudprovider.kubernetes.io/uninitialized; the cloud controller manager of VDO removes it.
`;

interface ClusterConfiguration {
  readonly clusterName?: string;
  readonly controlPlaneEndpoint?: string;
  readonly networking?: { readonly podSubnet?: string };
}

/** The settings that kubeadm stored when it created the cluster, if any. Flags override them. */
const settingsOfCluster = (context: CliContext, flags: KubeadmFlags): Promise<KubeadmSettings> =>
  withCluster(context, flags, async ({ kube }) => {
    const { signal } = context;
    const [version, noted] = await Promise.all([
      kube.serverVersion({ signal }),
      kube.find(configMaps, { namespace: names.systemNamespace, name: 'kubeadm-config' }, { signal }),
    ]);
    const { clusterName, controlPlaneEndpoint, networking } = (yamlValue(
      noted?.data?.['ClusterConfiguration'] ?? '{}',
    ) ?? {}) as ClusterConfiguration;
    return {
      ...(clusterName ? { clusterName } : {}),
      ...(controlPlaneEndpoint ? { controlPlaneEndpoint } : {}),
      ...(networking?.podSubnet ? { podSubnet: networking.podSubnet } : {}),
      ...flags,
      // Vendors append their own suffix to the version, which kubeadm does not accept.
      kubernetes: before(version, '+', '-'),
      joins: true,
    };
  });

/** vdoctl kubeadm config */
export const kubeadmConfig: CommandRun<KubeadmFlags> = async (context, flags) => {
  const { kubernetes } = flags;
  const settings = kubernetes === undefined ? await settingsOfCluster(context, flags) : { ...flags, kubernetes };
  const documents = kubeadmDocuments(settings).map((document) =>
    stringify(document, { lineWidth: 0, aliasDuplicateObjects: false }),
  );
  context.terminal.out(header + documents.join('---\n'));
  return 0;
};
