import { sleep } from '@vdo/base/clock';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { detectCni } from '@vdo/gather/detect-cni';
import { createObjectApplier } from '@vdo/kube/apply/apply-objects';
import { diffObjects, type ObjectDiff } from '@vdo/kube/apply/diff';
import { describeRef, refOf } from '@vdo/kube/apply/object-ref';
import { waitForReady } from '@vdo/kube/apply/wait-for-ready';
import type { KubeClient } from '@vdo/kube/client';
import { nodes } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { printResult } from '../../output/print-result.ts';
import { createProgress } from '../../output/progress.ts';
import { renderTable } from '../../output/table.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import type { CniApplyFlags } from './command.ts';
import { networkIn, readManifest } from './read-manifest.ts';

type Network = Awaited<ReturnType<typeof detectCni>>;

/** A separate field manager, so that the pod network never counts as part of the operator. */
const fieldManager = 'vdoctl-cni';
const pollMs = 1_000;

const refuse = (message: string, remedy: string): VdoError =>
  new VdoError({ code: 'InvalidArgument', message, remedy });

const networkNow = async (kube: KubeClient, signal: AbortSignal): Promise<Network> =>
  detectCni(kube, (await kube.list(nodes, { signal })).items, { signal });

/** Two programs that manage one network would revert each other's changes. */
const mindOperator = async (kube: KubeClient, signal: AbortSignal): Promise<void> => {
  const resource = await kube.find(vsphereDrivers, { name: vsphereDriversName }, { signal }).catch((error: unknown) => {
    if (isVdoError(error, 'KubeResourceMissing', 'KubeForbidden')) return undefined;
    throw error;
  });
  if (resource?.spec.cni?.manifest)
    throw refuse(
      `spec.cni.manifest of VSphereDrivers ${vsphereDriversName} is set: the operator manages the pod network with that manifest`,
      'Change that manifest. Or remove spec.cni.manifest; the operator then removes the network it installed.',
    );
};

const mindOther = (running: Network, wanted: string | undefined, besideOther: boolean): void => {
  if (besideOther || running.name === 'unknown' || running.name === wanted) return;
  throw refuse(
    `${running.name} already runs in the cluster, and the manifest installs ${wanted ?? 'another one'}; with two pod networks, pods lose their network`,
    `Remove ${running.name} first, or add --beside-other if you want to install the new network beside it.`,
  );
};

const columns = [
  { title: 'action', value: ({ action }: ObjectDiff) => (action === 'none' ? 'unchanged' : action) },
  { title: 'object', value: ({ ref }: ObjectDiff) => describeRef(ref) },
  { title: 'fields', value: ({ fields }: ObjectDiff) => fields.map(({ path }) => path).join(', '), wide: true },
];

/** Applies all objects, then waits until the agents are ready and the nodes report a network. */
const bringUp = async (
  context: CliContext,
  flags: CniApplyFlags,
  { kube, objects }: { readonly kube: KubeClient; readonly objects: readonly AnyObject[] },
): Promise<Network> => {
  const { signal, clock } = context;
  const progress = createProgress(context);
  const giveUpMs = clock.monotonicMs() + flags.timeout * 1000;
  try {
    const { applyAll } = createObjectApplier({ client: kube, fieldManager, force: flags.forceConflicts, clock });
    for (const object of objects) {
      progress.update(`applying ${describeRef(refOf(object))}`);
      await applyAll([object], { signal });
    }
    progress.done(`${objects.length} objects applied`);
    if (!flags.wait) return await networkNow(kube, signal);
    const agents = objects.map(refOf).filter(({ kind }) => kind === 'DaemonSet');
    await waitForReady(kube, agents, {
      clock,
      signal,
      timeoutMs: flags.timeout * 1000,
      onProgress: (waiting) => progress.update(waiting.map(({ message }) => message).join('; ')),
    });
    for (;;) {
      const network = await networkNow(kube, signal);
      if (network.without.length === 0 || clock.monotonicMs() >= giveUpMs) return network;
      progress.update(`waiting for the network on ${network.without.slice(0, 3).join(', ')}`);
      await sleep(clock, pollMs, { signal });
    }
  } finally {
    progress.end();
  }
};

const networkLine = ({ name, version, nodes: { ready, desired } }: Network): string =>
  `${name === 'unknown' ? 'Unknown pod network' : name}${version === undefined ? '' : ` ${version}`}: ${ready} of ${desired} nodes have a network.`;

/** vdoctl cni apply */
export const cniApply: CommandRun<CniApplyFlags> = async (context, flags) => {
  const { signal, terminal } = context;
  const objects = await readManifest(flags.file, context);
  return withCluster(context, flags, async ({ kube, server }) => {
    await mindOperator(kube, signal);
    const wanted = networkIn(objects);
    mindOther(await networkNow(kube, signal), wanted, flags.besideOther);
    const diffs = await diffObjects(kube, objects, { fieldManager, force: flags.forceConflicts, signal });
    const changes = diffs.filter(({ action }) => action !== 'none');
    if (flags.dryRun) {
      printResult(context, flags.output, {
        data: {
          network: wanted ?? null,
          changes: changes.map(({ ref, action, fields }) => ({ action, ...ref, fields })),
        },
        lines: ({ wide }) => (changes.length === 0 ? ['No changes.'] : renderTable(columns, changes, { wide })),
      });
      return exitCodes.done;
    }
    const question = `Apply ${wanted ?? 'the pod network'} on ${server}: ${changes.length} of ${objects.length} objects will be created or changed. Continue?`;
    if (changes.length > 0 && !(await confirm(context, flags, question))) {
      terminal.err('Nothing was changed.\n');
      return exitCodes.failed;
    }
    const network = await bringUp(context, flags, { kube, objects });
    printResult(context, flags.output, {
      data: { applied: objects.length, changed: changes.length, network },
      lines: () => [
        networkLine(network),
        ...(network.without.length === 0 ? [] : [`Without: ${network.without.join(', ')}`]),
      ],
    });
    return flags.wait && network.without.length > 0 ? exitCodes.unhealthy : exitCodes.done;
  });
};
