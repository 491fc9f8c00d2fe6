import { resolve } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';
import { connectKube } from '@vdo/kube/connect-kube';
import { readKubeconfig } from '@vdo/kube/kube-config/kubeconfig-file';
import { demo } from '@vdo/sandbox/environment/demo-objects';
import { examineCluster } from '@vdo/sandbox/environment/outside-cluster';
import type { ClusterChoice, VCenterChoice } from '@vdo/sandbox/sandbox-options';
import type { CliContext } from '../../cli/context.ts';
import { confirm } from '../../output/confirm.ts';
import type { SandboxFlags } from './commands.ts';
import { findOutsideVCenter } from './outside-vcenter.ts';
import { findParts } from './repository.ts';

export interface Places {
  readonly cluster: ClusterChoice;
  readonly vcenter: VCenterChoice;
  /** What is not the sandbox's own and has to be left as it was found, in words; empty: nothing. */
  readonly borrowed: readonly string[];
  /** What to do if it could not be left so. */
  readonly repair: string;
}

const contradiction = (message: string): VdoError =>
  new VdoError({ code: 'InvalidArgument', message, remedy: 'Leave one of them out.' });

const checkFlags = (flags: SandboxFlags): void => {
  const { snapshot, real, kubeconfig, vcenter } = flags;
  if (real && kubeconfig !== undefined)
    throw contradiction('--real starts a cluster of its own, and --kubeconfig names another one');
  if (snapshot !== undefined && (real || kubeconfig !== undefined))
    throw contradiction(
      `--snapshot keeps the objects of the embedded API server, and ${real ? '--real starts' : '--kubeconfig names'} another one`,
    );
  if (snapshot !== undefined && vcenter !== undefined)
    throw contradiction('--snapshot would write the password of the vCenter of --vcenter into a file');
  const stray = vcenter === undefined && flags.nodeVms.length > 0 && '--node-vms';
  const lost = kubeconfig === undefined && flags.context !== undefined && '--context';
  if (stray || lost)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `${stray || lost} says nothing without ${stray ? '--vcenter' : '--kubeconfig'}`,
      remedy: `Add ${stray ? '--vcenter' : '--kubeconfig'}, or leave it out.`,
    });
};

const chooseCluster = async (flags: SandboxFlags, here: string): Promise<ClusterChoice> => {
  const { kubeconfig, snapshot: snapshotFolder } = flags;
  if (kubeconfig !== undefined) {
    const kubeconfigPath = resolve(kubeconfig);
    // Somebody may choose another context of the file while the sandbox runs: that is not the one that was agreed to.
    const context = flags.context ?? (await readKubeconfig(kubeconfigPath)).currentContext;
    return { kind: 'outside', kubeconfigPath, ...(context === undefined ? {} : { context }) };
  }
  if (flags.real) return { kind: 'real', part: await findParts(here) };
  return { kind: 'embedded', ...(snapshotFolder === undefined ? {} : { snapshotFolder }) };
};

/** Looks at a cluster that is not ours: whether it can be borrowed at all. */
const examine = async (
  context: CliContext,
  flags: SandboxFlags,
  choice: ClusterChoice & { readonly kind: 'outside' },
  namespace: string,
): Promise<{ readonly server: string; readonly hasNodes: boolean }> => {
  const { clock, env, signal } = context;
  const kube = await connectKube({ ...choice, env, clock });
  try {
    const { server } = kube;
    const { nodeCount, taken, isLeftOver } = await examineCluster(kube, namespace, signal);
    if (taken.length > 0)
      throw new VdoError({
        code: 'InvalidArgument',
        message: `the cluster at ${server} has ${taken.join(', ')} already: the sandbox would change what is not its own`,
        remedy: 'Name a cluster without VDO. To look at one that has it: vdoctl status, vdoctl doctor.',
      });
    if (nodeCount > 0 && flags.vcenter === undefined)
      throw new VdoError({
        code: 'InvalidArgument',
        message: `the cluster at ${server} has ${nodeCount} nodes of its own, whose pods do not reach the simulated vCenter on the loopback address of this machine`,
        remedy: 'Name the vCenter of its nodes with --vcenter, or a cluster without nodes with --kubeconfig.',
      });
    if (isLeftOver) context.terminal.err('An earlier sandbox was cut short in this cluster; this one takes it up.\n');
    return { server, hasNodes: nodeCount > 0 };
  } finally {
    await kube.close();
  }
};

/** Finds out where the sandbox works, and asks before it touches what is not its own. Undefined: the answer was no. */
export const choosePlaces = async (
  context: CliContext,
  flags: SandboxFlags,
  options: { readonly here: string; readonly namespace: string },
): Promise<Places | undefined> => {
  checkFlags(flags);
  const cluster = await chooseCluster(flags, options.here);
  const examined = cluster.kind === 'outside' ? await examine(context, flags, cluster, options.namespace) : undefined;
  const hasNodes = examined?.hasNodes ?? false;
  const vcenter: VCenterChoice =
    flags.vcenter === undefined
      ? { kind: 'simulated' }
      : { kind: 'outside', ...(await findOutsideVCenter(context, { ...flags, vcenter: flags.vcenter }, { hasNodes })) };
  const disks = `${demo.replicas} disks of 1 GiB are made for the demo and attached to VMs of these nodes:`;
  const borrowed = [
    ...(examined
      ? [
          `In the cluster at ${examined.server}: the operator with its definitions and namespaces, the drivers${hasNodes ? '' : ', nodes that run on this machine, and a demo'}.`,
        ]
      : []),
    ...(vcenter.kind === 'outside' && !hasNodes
      ? [`On the vCenter ${vcenter.host}: ${disks} ${vcenter.nodes.map(({ name }) => name).join(', ')}.`]
      : []),
  ];
  const again = ['vdoctl sandbox --once --yes', ...repeatedFlags(flags)].join(' ');
  const repair = examined
    ? `What is left there is taken up and removed by: ${again}`
    : `Disks that are left there are removed by: vdoctl sandbox clean --vcenter ${flags.vcenter ?? ''}`;
  if (borrowed.length === 0) return { cluster, vcenter, borrowed, repair };
  context.terminal.err(`${borrowed.join('\n')}\nAll of it is removed again at the end.\n`);
  const question = 'The sandbox changes what is not its own. Go on?';
  const isAllowed = await confirm(context, flags, question, 'Add --yes if that is what you want.');
  return isAllowed ? { cluster, vcenter, borrowed, repair } : undefined;
};

/** The flags that lead to the same places. */
const repeatedFlags = ({ kubeconfig, context, vcenter, nodeVms }: SandboxFlags): readonly string[] => [
  ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
  ...(context === undefined ? [] : ['--context', context]),
  ...(vcenter === undefined ? [] : ['--vcenter', vcenter]),
  ...nodeVms.flatMap((path) => ['--node-vms', path]),
];
