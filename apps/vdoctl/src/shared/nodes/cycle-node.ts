import { sleep } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { labelKeys } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { type Node, nodes } from '@vdo/kube/types/core';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import { cordon, type DrainOptions, drain } from './drain.ts';
import { prepareVm } from './prepare-vm.ts';
import type { VmPlan } from './vm-plan.ts';

/** A node and the changes its VM needs. */
export interface NodeCycle {
  readonly node: string;
  readonly plan: VmPlan;
}

const roleLabel = labelKeys.controlPlane;
const pollMs = 1_000;

const isReady = ({ status }: Node): boolean =>
  (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True');

/** If another control plane node is down, taking down one more may cost the quorum of etcd. */
const mindQuorum = (all: readonly Node[], node: string): void => {
  const down = all
    .filter(({ metadata }) => metadata.name !== node && metadata.labels?.[roleLabel] !== undefined)
    .filter((one) => !isReady(one))
    .map(({ metadata }) => metadata.name);
  if (down.length === 0) return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `node ${node} was not shut down: control plane ${down.length === 1 ? 'node' : 'nodes'} ${down.join(', ')} not Ready`,
    remedy: 'First repair the control plane nodes: kubectl get nodes',
  });
};

const bootOf = ({ status }: Node): unknown => (status?.nodeInfo as { readonly bootID?: unknown } | undefined)?.bootID;

/** Ready again. Until the kubelet reports its new boot ID, the condition is from before the shutdown. */
const waitReady = async (kube: KubeClient, before: Node, options: DrainOptions): Promise<void> => {
  const { clock, signal, timeout } = options;
  const name = before.metadata.name ?? '';
  const giveUpMs = clock.monotonicMs() + timeout * 1000;
  for (;;) {
    const now = await kube.get(nodes, { name }, { signal });
    if (isReady(now) && (bootOf(before) === undefined || bootOf(now) !== bootOf(before))) return;
    if (clock.monotonicMs() >= giveUpMs) {
      throw new VdoError({
        code: 'DeadlineExceeded',
        message: `node ${name} is not Ready ${timeout} s after its VM was started, and is still cordoned`,
        remedy: `Check its kubelet, then run kubectl uncordon ${name}. No further node was changed.`,
      });
    }
    options.onStep(`${name}: waiting until it is Ready`);
    await sleep(clock, pollMs, { signal });
  }
};

/** One node: cordon, drain, change, start, uncordon. If it fails before the VM is changed, the node is left as before. */
export const cycleNode = async (
  { kube, vcenter }: { readonly kube: KubeClient; readonly vcenter: Pick<FullVCenter, 'vms' | 'health'> },
  { node: name, plan }: NodeCycle,
  options: DrainOptions,
): Promise<void> => {
  const { signal } = options;
  if (!plan.powerCycle) return prepareVm(vcenter, plan, options);
  const { items } = await kube.list(nodes, { signal });
  mindQuorum(items, name);
  const before = await kube.get(nodes, { name }, { signal });
  const wasCordoned = before.spec.unschedulable === true;
  await cordon(kube, name, true, signal);
  try {
    await drain(kube, name, options);
  } catch (error) {
    // Also after Ctrl-C.
    if (!wasCordoned) await cordon(kube, name, false);
    throw error;
  }
  await prepareVm(vcenter, plan, options);
  await waitReady(kube, before, options);
  if (!wasCordoned) await cordon(kube, name, false, signal);
};
