import { inTreeParameters, knownParameters } from '@vdo/checks/storage/class-parameters';
import { names } from '@vdo/config/names';
import { productNumbers } from '@vdo/config/product-version';
import type { ControlPlaneProgram, InTreeFacts, NodeState } from './in-tree-facts.ts';
import {
  driversStep,
  inOrder,
  type MigratedAccount,
  type MigrationPlan,
  operatorStep,
  resourceStep,
  type StepDraft,
  secretSteps,
} from './migration-step.ts';

export interface PlanInput {
  readonly facts: InTreeFacts;
  readonly namespace: string;
  readonly secretName: string;
  readonly accounts: readonly MigratedAccount[];
}

const manifests = '/etc/kubernetes/manifests';
/** Since then Kubernetes has no in-tree provider: what runs uses none. */
const withoutInTree = 30;

const minorOf = (version: string): number => productNumbers(version)?.[1] ?? 0;

const programEdits = ({
  program,
  cloudProvider,
  cloudConfig,
  keepsVolumes,
}: ControlPlaneProgram): readonly string[] => [
  ...(cloudProvider === 'vsphere'
    ? program === 'kube-controller-manager'
      ? ['--cloud-provider=vsphere becomes --cloud-provider=external']
      : ['remove --cloud-provider=vsphere']
    : []),
  ...(cloudConfig === undefined ? [] : [`remove --cloud-config=${cloudConfig}`]),
  ...(keepsVolumes ? ['remove CSIMigrationvSphere=false from --feature-gates'] : []),
];

const programSteps = ({ facts }: PlanInput): readonly StepDraft[] =>
  facts.programs.map((one) => {
    const edits = programEdits(one);
    return {
      what: `${one.program}: ${edits.length === 0 ? 'uses no in-tree provider' : edits.join(', ')}`,
      where: one.node,
      who: 'you',
      isDone: edits.length === 0,
      commands: edits.map((edit) => `# on ${one.node}, in ${manifests}/${one.program}.yaml: ${edit}`),
    };
  });

const kubeadmStep = ({ facts }: PlanInput): readonly StepDraft[] =>
  facts.kubeadmIsOld
    ? [
        {
          what: 'the same in the configuration of kubeadm, which writes those files anew at each upgrade',
          where: names.systemNamespace,
          who: 'you',
          isDone: false,
          commands: [
            'kubectl -n kube-system edit configmap kubeadm-config',
            'vdoctl kubeadm config --kubernetes VERSION',
          ],
        },
      ]
    : [];

const kubeletStep = ({ name, kubelet }: NodeState): StepDraft => {
  const isNew = minorOf(kubelet) >= withoutInTree;
  return {
    what: 'kubelet: --cloud-provider=external instead of vsphere, no --cloud-config, with its pods elsewhere',
    where: name,
    who: 'you',
    // The API does not show the flags of a kubelet.
    isDone: isNew ? true : undefined,
    commands: [
      `kubectl drain ${name} --ignore-daemonsets --delete-emptydir-data`,
      `# on ${name}, where kubeadm keeps the flags; then the same in what made the node`,
      `sed -i -e 's/--cloud-provider=vsphere/--cloud-provider=external/' -e 's/ --cloud-config=[^ "]*//' /var/lib/kubelet/kubeadm-flags.env`,
      'systemctl restart kubelet',
      `kubectl uncordon ${name}`,
    ],
  };
};

const volumeStep = ({ facts }: PlanInput): StepDraft => {
  const { volumes, nodes } = facts;
  const behind = nodes.filter(({ hasDriver, migrates }) => !hasDriver || !migrates).map(({ name }) => name);
  const waiting = volumes.filter(({ migrated }) => !migrated).length;
  const isDone = behind.length === 0 && waiting === 0;
  return {
    what: isDone
      ? `all ${volumes.length} volumes of the in-tree provider are served by the storage driver`
      : `volumes of the in-tree provider go to the storage driver: ${volumes.length - waiting} of ${volumes.length} do, ${nodes.length - behind.length} of ${nodes.length} nodes are ready`,
    where: behind.length === 0 ? 'cluster' : behind.slice(0, 3).join(', ') + (behind.length > 3 ? ', …' : ''),
    who: 'you',
    isDone,
    commands: ['kubectl get csinodes -o yaml | grep migrated-plugins', 'vdoctl volumes', 'vdoctl doctor'],
  };
};

const blockersOf = ({ facts }: PlanInput): readonly string[] => [
  ...facts.inlinePods.map(
    (pod) =>
      `pod ${pod} names a disk in its own spec, which no driver takes over: give it a PersistentVolumeClaim first`,
  ),
  ...facts.classes.flatMap(({ metadata, parameters = {} }) => {
    const served = [...knownParameters, ...inTreeParameters];
    const unserved = Object.keys(parameters).filter((key) => !served.includes(key.toLowerCase()));
    return unserved.length === 0
      ? []
      : [
          `StorageClass ${metadata.name} has ${unserved.join(', ')}, which only the in-tree provider knew: make a storage policy of it and a class of csi.vsphere.vmware.com`,
        ];
  }),
  ...facts.volumes
    .filter(({ path }) => !/^\[[^\]]+\]\s*\S+\.vmdk$/.test(path))
    .map(({ name, path }) => `PersistentVolume ${name} has the path ${path}, not "[DATASTORE] FOLDER/FILE.vmdk"`),
];

/** What has to be done, in order, and how far it is. Pure. */
export const planInTree = (input: PlanInput): MigrationPlan => {
  const { nodes, resource } = input.facts;
  const kubelets = (isControlPlane: boolean): readonly StepDraft[] =>
    nodes.filter((node) => node.isControlPlane === isControlPlane).map(kubeletStep);
  return {
    steps: inOrder([
      [operatorStep(input.facts.hasDefinition)],
      [...secretSteps({ ...input, source: 'the file' }), resourceStep(resource, 'the file')],
      [driversStep(resource, 'wait until both drivers run')],
      [...programSteps(input), ...kubeadmStep(input)],
      kubelets(true),
      kubelets(false),
      [volumeStep(input)],
    ]),
    blockers: blockersOf(input),
  };
};
