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
  /** What the sandbox borrows and has to restore, as text; empty: nothing. */
  readonly borrowed: readonly string[];
  /** What to do if it could not be restored. */
  readonly repair: string;
}

const contradiction = (message: string): VdoError =>
  new VdoError({ code: 'InvalidArgument', message, remedy: 'Use only one of them.' });

const checkFlags = (flags: SandboxFlags): void => {
  const { snapshot, real, kubeconfig, vcenter } = flags;
  if (real && kubeconfig !== undefined)
    throw contradiction('--real starts a local cluster, and --kubeconfig selects another one');
  if (snapshot !== undefined && (real || kubeconfig !== undefined))
    throw contradiction(
      `--snapshot saves the objects of the embedded API server, and ${real ? '--real starts' : '--kubeconfig selects'} another one`,
    );
  if (snapshot !== undefined && vcenter !== undefined)
    throw contradiction('--snapshot would write the password of the vCenter of --vcenter into a file');
  const stray = vcenter === undefined && flags.nodeVms.length > 0 && '--node-vms';
  const lost = kubeconfig === undefined && flags.context !== undefined && '--context';
  if (stray || lost)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `${stray || lost} has no effect without ${stray ? '--vcenter' : '--kubeconfig'}`,
      remedy: `Add ${stray ? '--vcenter' : '--kubeconfig'}, or remove the flag.`,
    });
};

const chooseCluster = async (flags: SandboxFlags, here: string): Promise<ClusterChoice> => {
  const { kubeconfig, snapshot: snapshotFolder } = flags;
  if (kubeconfig !== undefined) {
    const kubeconfigPath = resolve(kubeconfig);
    // Somebody may select another context in the file while the sandbox runs; use the one that the user confirmed.
    const context = flags.context ?? (await readKubeconfig(kubeconfigPath)).currentContext;
    return { kind: 'outside', kubeconfigPath, ...(context === undefined ? {} : { context }) };
  }
  if (flags.real) return { kind: 'real', part: await findParts(here) };
  return { kind: 'embedded', ...(snapshotFolder === undefined ? {} : { snapshotFolder }) };
};

/** Checks whether the sandbox can use this cluster. */
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
        message: `the cluster at ${server} already has ${taken.join(', ')}: the sandbox would change objects that it did not create`,
        remedy: 'Use a cluster without VDO. To inspect a cluster with VDO, run vdoctl status or vdoctl doctor.',
      });
    if (nodeCount > 0 && flags.vcenter === undefined)
      throw new VdoError({
        code: 'InvalidArgument',
        message: `the cluster at ${server} has ${nodeCount} nodes, whose pods cannot reach the simulated vCenter on the loopback address of this machine`,
        remedy: 'Pass the vCenter of these nodes with --vcenter, or a cluster without nodes with --kubeconfig.',
      });
    if (isLeftOver)
      context.terminal.err('An earlier sandbox in this cluster was killed; this one takes over its objects.\n');
    return { server, hasNodes: nodeCount > 0 };
  } finally {
    await kube.close();
  }
};

/** Determines cluster and vCenter, and asks before the sandbox changes something it does not own. Undefined: the user said no. */
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
  const disks = `${demo.replicas} disks of 1 GiB are created for the demo and attached to the VMs of these nodes:`;
  const borrowed = [
    ...(examined
      ? [
          `In the cluster at ${examined.server}: the operator with its CRDs and namespaces, the drivers${hasNodes ? '' : ', nodes that run on this machine, and a demo'}.`,
        ]
      : []),
    ...(vcenter.kind === 'outside' && !hasNodes
      ? [`On the vCenter ${vcenter.host}: ${disks} ${vcenter.nodes.map(({ name }) => name).join(', ')}.`]
      : []),
  ];
  const again = ['vdoctl sandbox --once --yes', ...repeatedFlags(flags)].join(' ');
  const repair = examined
    ? `To remove the leftovers, run: ${again}`
    : `To remove leftover disks, run: vdoctl sandbox clean --vcenter ${flags.vcenter ?? ''}`;
  if (borrowed.length === 0) return { cluster, vcenter, borrowed, repair };
  context.terminal.err(`${borrowed.join('\n')}\nEverything is removed at the end.\n`);
  const question = 'The sandbox changes an external system. Continue?';
  const isAllowed = await confirm(context, flags, question, 'To continue, add --yes.');
  return isAllowed ? { cluster, vcenter, borrowed, repair } : undefined;
};

/** The flags that select the same cluster and vCenter. */
const repeatedFlags = ({ kubeconfig, context, vcenter, nodeVms }: SandboxFlags): readonly string[] => [
  ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
  ...(context === undefined ? [] : ['--context', context]),
  ...(vcenter === undefined ? [] : ['--vcenter', vcenter]),
  ...nodeVms.flatMap((path) => ['--node-vms', path]),
];
