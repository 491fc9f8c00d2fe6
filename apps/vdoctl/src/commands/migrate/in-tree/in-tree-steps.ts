import { inTreeParameters, knownParameters } from '@vdo/checks/storage/class-parameters';
import { names } from '@vdo/config/names';
import { configMaps } from '@vdo/kube/types/core';
import type { Before } from '../engine/record.ts';
import type { Scene } from '../engine/scene.ts';
import type { Phase, Step } from '../engine/step.ts';
import type { ControlPlaneProgram, InTreeFacts, NodeState } from './in-tree-facts.ts';
import { withoutInTree } from './kubeadm-settings.ts';
import { minorOf } from './upgrade-path.ts';

const manifests = '/etc/kubernetes/manifests';
/** From this version on, Kubernetes has no in-tree provider. */
const firstWithout = 30;

const programEdits = (one: ControlPlaneProgram): readonly string[] => [
  ...(one.cloudProvider === 'vsphere'
    ? one.program === 'kube-controller-manager'
      ? ['change --cloud-provider=vsphere to --cloud-provider=external']
      : ['remove --cloud-provider=vsphere']
    : []),
  ...(one.cloudConfig === undefined ? [] : [`remove --cloud-config=${one.cloudConfig}`]),
  ...(one.externalVolumePlugin === undefined
    ? []
    : [`remove --external-cloud-volume-plugin=${one.externalVolumePlugin}`]),
  ...one.gates.map((gate) => `remove ${gate} from --feature-gates`),
];

const reversed = (one: ControlPlaneProgram): readonly string[] => [
  ...(one.cloudProvider === 'vsphere'
    ? one.program === 'kube-controller-manager'
      ? ['change --cloud-provider=external to --cloud-provider=vsphere']
      : ['add --cloud-provider=vsphere']
    : []),
  ...(one.cloudConfig === undefined ? [] : [`add --cloud-config=${one.cloudConfig}`]),
  ...(one.externalVolumePlugin === undefined ? [] : [`add --external-cloud-volume-plugin=${one.externalVolumePlugin}`]),
  ...one.gates.map((gate) => `add ${gate} to --feature-gates`),
];

const edit = ({ node, program }: ControlPlaneProgram, what: string): string =>
  `# on ${node}, in ${manifests}/${program}.yaml: ${what}`;

const programSteps = (facts: InTreeFacts, before: readonly ControlPlaneProgram[]): readonly Step[] =>
  facts.programs.map((now): Step => {
    const edits = programEdits(now);
    const recorded = before.find(({ program, node }) => program === now.program && node === now.node);
    const back = recorded ? reversed(recorded) : [];
    return {
      id: `${now.program}-${now.node}`,
      where: now.node,
      forward: {
        what: `${now.program}: ${edits.length === 0 ? 'does not use the in-tree provider' : edits.join(', ')}`,
        who: 'you',
        isDone: edits.length === 0,
        commands: edits.map((one) => edit(now, one)),
      },
      ...(back.length > 0
        ? {
            back: {
              what: `${now.program}: ${back.join(', ')}`,
              who: 'you',
              isDone: recorded !== undefined && programEdits(now).join() === programEdits(recorded).join(),
              commands: back.map((one) => edit(now, one)),
            },
          }
        : {}),
    };
  });

const kubeadmKey = { namespace: names.systemNamespace, name: 'kubeadm-config' } as const;

const writeKubeadm = async ({ kube, signal }: Scene, text: string): Promise<void> => {
  const body = { data: { ClusterConfiguration: text } };
  await kube.patch(configMaps, kubeadmKey, { type: 'merge', body }, { signal });
};

const kubeadmStep = (scene: Scene, { kubeadm }: InTreeFacts, before: string | null): readonly Step[] => {
  if (kubeadm === undefined) return [];
  const next = withoutInTree(kubeadm);
  if (next === kubeadm && before === null) return [];
  return [
    {
      id: 'kubeadm',
      where: kubeadmKey.namespace,
      forward: {
        what: 'make the same change in ConfigMap kubeadm-config, which kubeadm uses at each upgrade',
        who: 'vdoctl',
        isDone: next === kubeadm,
        perform: () => writeKubeadm(scene, next),
      },
      ...(before === null
        ? {}
        : {
            back: {
              what: 'restore ConfigMap kubeadm-config',
              who: 'vdoctl',
              isDone: kubeadm === before,
              perform: () => writeKubeadm(scene, before),
            },
          }),
    },
  ];
};

const flagsFile = '/var/lib/kubelet/kubeadm-flags.env';

const kubeletCommands = (node: string, script: string): readonly string[] => [
  `kubectl drain ${node} --ignore-daemonsets --delete-emptydir-data`,
  `# on ${node}, if kubeadm manages the flags; make the same change in the node template`,
  script,
  'systemctl restart kubelet',
  `kubectl uncordon ${node}`,
];

/** Kubernetes 1.29 has the provider only behind two feature gates; a kubelet of 1.31 or later does not start if one is set to false. */
const kubeletGates =
  "-e 's/DisableCloudProviders=false,\\?//' -e 's/DisableKubeletCloudCredentialProviders=false,\\?//'";

const kubeletStep = ({ name, kubelet }: NodeState): Step => {
  const minor = minorOf(kubelet);
  const gates = minor === 29 ? ` ${kubeletGates}` : '';
  return {
    id: `kubelet-${name}`,
    where: name,
    forward: {
      what: `drain the node, then kubelet: set --cloud-provider=external, remove --cloud-config${gates ? ' and DisableCloudProviders=false' : ''}`,
      who: 'you',
      // The API does not show the flags of a kubelet.
      isDone: minor >= firstWithout ? true : undefined,
      commands: kubeletCommands(
        name,
        `cp ${flagsFile} ${flagsFile}.in-tree && sed -i -e 's/--cloud-provider=vsphere/--cloud-provider=external/' -e 's/ --cloud-config=[^ "]*//'${gates} ${flagsFile}`,
      ),
    },
    ...(minor >= firstWithout
      ? {}
      : {
          back: {
            what: 'drain the node, then kubelet: restore the previous flags',
            who: 'you',
            isDone: undefined,
            commands: kubeletCommands(name, `cp ${flagsFile}.in-tree ${flagsFile}`),
          },
        }),
  };
};

const volumeStep = ({ volumes, nodes }: InTreeFacts): Step => {
  const behind = nodes.filter(({ hasDriver, migrates }) => !hasDriver || !migrates).map(({ name }) => name);
  const waiting = volumes.filter(({ migrated }) => !migrated).length;
  const isDone = behind.length === 0 && waiting === 0;
  return {
    id: 'volumes',
    where: behind.length === 0 ? 'cluster' : behind.slice(0, 3).join(', ') + (behind.length > 3 ? ', …' : ''),
    forward: {
      what: isDone
        ? `all ${volumes.length} in-tree volumes are served by the storage driver`
        : `wait until the storage driver serves the in-tree volumes: ${volumes.length - waiting} of ${volumes.length} volumes, ${nodes.length - behind.length} of ${nodes.length} nodes are ready`,
      who: 'you',
      isDone,
      commands: ['kubectl get csinodes -o yaml | grep migrated-plugins', 'vdoctl volumes', 'vdoctl doctor'],
    },
  };
};

/** The manual steps after the drivers run: settings of the control plane and the kubelets. */
export const inTreePhases = (scene: Scene, facts: InTreeFacts, before: Before | undefined): readonly Phase[] => {
  const kubelets = (isControlPlane: boolean): Phase =>
    facts.nodes.filter((node) => node.isControlPlane === isControlPlane).map(kubeletStep);
  return [
    [...programSteps(facts, before?.programs ?? []), ...kubeadmStep(scene, facts, before?.kubeadm ?? null)],
    kubelets(true),
    kubelets(false),
    [volumeStep(facts)],
  ];
};

/** What would break or be lost, and what to do about it. Pure. */
export const inTreeBlockers = (facts: InTreeFacts): readonly string[] => [
  ...facts.inlinePods.map(
    (pod) =>
      `pod ${pod} refers to a disk in its own spec, which no driver can take over: change it to use a PersistentVolumeClaim first`,
  ),
  ...facts.classes.flatMap(({ metadata, parameters = {} }) => {
    const served = [...knownParameters, ...inTreeParameters];
    const unserved = Object.keys(parameters).filter((key) => !served.includes(key.toLowerCase()));
    return unserved.length === 0
      ? []
      : [
          `StorageClass ${metadata.name} has ${unserved.join(', ')}, which only the in-tree provider supports: create a storage policy, and a StorageClass of csi.vsphere.vmware.com that uses it`,
        ];
  }),
  ...facts.volumes
    .filter(({ path }) => !/^\[[^\]]+\]\s*\S+\.vmdk$/.test(path))
    .map(({ name, path }) => `PersistentVolume ${name} has the path ${path}, not "[DATASTORE] FOLDER/FILE.vmdk"`),
];
