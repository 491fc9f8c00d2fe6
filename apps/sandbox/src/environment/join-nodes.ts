import { taintKeys } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { type Node, nodes } from '@vdo/kube/types/core';

const waiting = { key: taintKeys.uninitialized, value: 'true', effect: 'NoSchedule' } as const;

export interface JoiningNode {
  readonly name: string;
  readonly uuid: string;
  /** Runs no pods: it is cordoned. */
  readonly hollow: boolean;
}

/** Marks sandbox nodes in an external cluster: cleanup finds them by it, and other pods avoid them. */
export const sandboxMark = 'vdo.vmware.com/sandbox';

/** The taint that kubelet registers with `--cloud-provider=external`. */
const registration = ({ name, hollow }: JoiningNode, isMarked: boolean): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    labels: {
      'kubernetes.io/os': 'linux',
      'kubernetes.io/hostname': name,
      ...(isMarked ? { [sandboxMark]: 'true' } : {}),
    },
  },
  spec: {
    taints: [waiting, ...(isMarked ? [{ key: sandboxMark, value: 'true', effect: 'NoSchedule' } as const] : [])],
    ...(hollow ? { unschedulable: true } : {}),
  },
});

/** Registers VMs as nodes, unless they exist already. */
export const joinNodes = async (
  kube: KubeClient,
  joining: readonly JoiningNode[],
  { signal, isMarked = false }: { readonly signal: AbortSignal; readonly isMarked?: boolean },
): Promise<void> => {
  const kubeletVersion = await kube.serverVersion({ signal });
  for (const node of joining) {
    const { name, uuid } = node;
    if (await kube.find(nodes, { name }, { signal })) continue;
    const created = await kube.create(nodes, registration(node, isMarked), { signal });
    const status: Node['status'] = {
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'the process kubelet is ready' }],
      nodeInfo: { systemUUID: uuid, kubeletVersion, operatingSystem: 'linux' },
    };
    await kube.patch(nodes, { name }, { type: 'merge', body: { status } }, { subresource: 'status', signal });
    // A real API server taints each new node until a controller sees it Ready; this kubelet reports that.
    const taints = (created.spec.taints ?? []).filter(({ key }) => key !== taintKeys.notReady);
    if (taints.length !== created.spec.taints?.length)
      await kube.patch(nodes, { name }, { type: 'merge', body: { spec: { taints } } }, { signal });
  }
};
