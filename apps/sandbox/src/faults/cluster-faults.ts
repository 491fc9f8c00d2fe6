import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { events, nodes, pods } from '@vdo/kube/types/core';
import type { Broken, Fault } from './fault.ts';
import type { FaultName } from './fault-catalogue.ts';

const nothingTo = (what: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `the cluster has no ${what}`,
    remedy: 'Wait until vdoctl status shows Healthy.',
  });

/** Faults of the cluster, with administrator permissions. */
export const clusterFaults = (
  kube: KubeClient,
  /** `nodeNames`: the nodes that the sandbox runs. */
  options: {
    readonly namespace: string;
    readonly nodeNames: readonly string[];
    readonly clock: Clock;
    readonly random: Random;
  },
): Partial<Record<FaultName, Fault>> => {
  const { namespace, nodeNames, clock, random } = options;
  const setReady = (name: string, status: 'True' | 'Unknown', reason: string, message: string) =>
    kube.patch(
      nodes,
      { name },
      { type: 'merge', body: { status: { conditions: [{ type: 'Ready', status, reason, message }] } } },
      { subresource: 'status' },
    );
  /** Like the node controller: if a node is silent, its pods are no longer ready either. */
  const markPods = async (nodeName: string, status: 'True' | 'False'): Promise<void> => {
    const { items } = await kube.list(pods, { fieldSelector: `spec.nodeName=${nodeName}` });
    for (const { metadata, status: before } of items) {
      const conditions = before?.conditions?.map((one) =>
        one.type === 'Ready' ? { ...one, status, lastTransitionTime: new Date(clock.now()).toISOString() } : one,
      );
      const key = { name: metadata.name ?? '', namespace: metadata.namespace ?? '' };
      await kube.patch(pods, key, { type: 'merge', body: { status: { conditions } } }, { subresource: 'status' });
    }
  };
  const recordEvent = async (name: string, reason: string): Promise<void> => {
    const time = new Date(clock.now()).toISOString();
    await kube.create(events, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${random.uuid()}`, namespace: 'default' },
      involvedObject: { kind: 'Node', name, uid: name },
      type: 'Normal',
      reason,
      message: `Node ${name} status is now: ${reason}`,
      source: { component: 'node-controller' },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    });
  };
  /** A node with volumes, preferably one without controllers: these keep working, so that the fault is reported. */
  const chooseNode = async (): Promise<string> => {
    const { items } = await kube.list(pods);
    const guests = items.filter(({ metadata }) => !metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet'));
    const runs = (name: string, isIt: (place: string) => boolean): boolean =>
      guests.some(({ metadata, spec }) => spec.nodeName === name && isIt(metadata.namespace ?? ''));
    const free = nodeNames.filter((name) => !runs(name, (place) => place === namespace));
    return free.findLast((name) => runs(name, () => true)) ?? free.at(-1) ?? nodeNames.at(-1) ?? '';
  };
  const silence = async (): Promise<Broken> => {
    const name = await chooseNode();
    if (!(await kube.find(nodes, { name }))) throw nothingTo(`node ${name}`);
    await setReady(name, 'Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.');
    await markPods(name, 'False');
    await recordEvent(name, 'NodeNotReady');
    return {
      reported: `Node ${name} and its pods are no longer Ready.`,
      heal: async () => {
        await setReady(name, 'True', 'KubeletReady', 'the process kubelet is ready');
        await markPods(name, 'True');
        await recordEvent(name, 'NodeReady');
      },
    };
  };
  return {
    ...(nodeNames.length === 0 ? {} : { 'node-notready': silence }),
    'csi-controller-killed': async () => {
      const { items } = await kube.list(pods, { namespace });
      const name = items.find((pod) => /csi-controller/.test(pod.metadata.name ?? ''))?.metadata.name;
      if (name === undefined) throw nothingTo('pod of the storage controller');
      await kube.delete(pods, { namespace, name }, { gracePeriodSeconds: 0 });
      return { reported: `Pod ${namespace}/${name} was deleted without a grace period.` };
    },
  };
};
