import { sleep } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { labelKeys } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { type Node, nodes } from '@vdo/kube/types/core';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import { cordon, type DrainOptions, drain } from './drain.ts';
import { prepareVm } from './prepare-vm.ts';
import type { VmPlan } from './vm-plan.ts';

/** A node and what its VM needs. */
export interface NodeCycle {
  readonly node: string;
  readonly plan: VmPlan;
}

const roleLabel = labelKeys.controlPlane;
const pollMs = 1_000;

const isReady = ({ status }: Node): boolean =>
  (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True');

/** With another control-plane node down, taking one more may cost the quorum of etcd. */
const mindQuorum = (all: readonly Node[], node: string): void => {
  const down = all
    .filter(({ metadata }) => metadata.name !== node && metadata.labels?.[roleLabel] !== undefined)
    .filter((one) => !isReady(one))
    .map(({ metadata }) => metadata.name);
  if (down.length === 0) return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `node ${node} stays on: of the control plane ${down.join(', ')} ${down.length === 1 ? 'is' : 'are'} not Ready`,
    remedy: 'Bring the control plane up first: kubectl get nodes',
  });
};

const bootOf = ({ status }: Node): unknown => (status?.nodeInfo as { readonly bootID?: unknown } | undefined)?.bootID;

/** Ready once more: until the kubelet has reported its new boot, the last word is from before. */
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
        message: `node ${name} is not Ready ${timeout} s after its VM was started; it is still cordoned`,
        remedy: `Look at its kubelet; then kubectl uncordon ${name}. No other node was touched after it.`,
      });
    }
    options.onStep(`${name}: waiting until it is Ready`);
    await sleep(clock, pollMs, { signal });
  }
};

/** One node: out of service, changed, back. What fails before its VM is touched leaves the node as it was. */
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
