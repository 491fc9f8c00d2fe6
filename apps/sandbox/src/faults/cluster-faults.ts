import { VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { nodes, pods } from '@vdo/kube/types/core';
import type { Broken, Fault } from './fault.ts';
import type { FaultName } from './fault-catalogue.ts';

const nothingTo = (what: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `the cluster has no ${what}`,
    remedy: 'Wait until the sandbox is Healthy: vdoctl status.',
  });

/** Faults of the cluster, with the rights of an administrator. */
export const clusterFaults = (
  kube: KubeClient,
  /** `nodeNames`: those that the sandbox runs. */
  { namespace, nodeNames }: { readonly namespace: string; readonly nodeNames: readonly string[] },
): Partial<Record<FaultName, Fault>> => {
  const setReady = (name: string, status: 'True' | 'Unknown', reason: string, message: string) =>
    kube.patch(
      nodes,
      { name },
      { type: 'merge', body: { status: { conditions: [{ type: 'Ready', status, reason, message }] } } },
      { subresource: 'status' },
    );
  const silence = async (name: string): Promise<Broken> => {
    if (!(await kube.find(nodes, { name }))) throw nothingTo(`node ${name}`);
    await setReady(name, 'Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.');
    return {
      told: `The node ${name} is not Ready any more.`,
      heal: async () => {
        await setReady(name, 'True', 'KubeletReady', 'the process kubelet is ready');
      },
    };
  };
  const last = nodeNames.at(-1);
  return {
    ...(last === undefined ? {} : { 'node-notready': () => silence(last) }),
    'csi-controller-killed': async () => {
      const { items } = await kube.list(pods, { namespace });
      const name = items.find((pod) => /csi-controller/.test(pod.metadata.name ?? ''))?.metadata.name;
      if (name === undefined) throw nothingTo('pod of the storage controller');
      await kube.delete(pods, { namespace, name }, { gracePeriodSeconds: 0 });
      return { told: `The pod ${namespace}/${name} was deleted without a warning.` };
    },
  };
};
