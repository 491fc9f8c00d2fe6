import { sleep } from '@vdo/base/clock';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { customResourceDefinitions, leases } from '@vdo/kube/types/cluster';
import { nodes, persistentVolumes, pods, secrets } from '@vdo/kube/types/core';
import { csiNodes } from '@vdo/kube/types/storage';
import { volume } from '../../../stories/operator/calls/volume.ts';
import { account, namespace } from '../../../stories/operator/create-operator-story.ts';
import type { Trouble } from '../../../stories/troubles.ts';
import { observeReality } from '../invariants/reality.ts';
import { hinder, takeOverMs } from '../life.ts';
import { endAfter, type OperatorHappening, pick } from './step.ts';

// What happens around the operator without anybody meaning it.

/** Two nodes are there from the start, a third comes and goes. */
export const nodeComesOrGoes: OperatorHappening = async ({ life, dice }) => {
  const name = pick(['node-2', 'node-3'], dice[0]);
  if (await life.story.kube.delete(nodes, { name })) {
    // As the kubelet's registration goes with its node.
    await life.story.kube.delete(csiNodes, { name });
    return `${name} leaves`;
  }
  await life.story.joinNode(name);
  return `${name} joins`;
};

const driver = 'csi.vsphere.vmware.com';
export const volumeComesOrGoes: OperatorHappening = async ({ life, dice, heal }) => {
  const { kube } = life.story;
  const ours = async () => (await kube.list(persistentVolumes)).items.filter(({ spec }) => spec.csi?.driver === driver);
  const remove = async () => {
    for (const { metadata } of await ours()) await kube.delete(persistentVolumes, { name: metadata.name ?? '' });
  };
  if (dice[0] < 0.4 && (await ours()).length > 0) {
    await remove();
    return 'the last volume is deleted';
  }
  heal(remove);
  const index = (await ours()).length + 1;
  await kube.create(persistentVolumes, volume(index));
  return `volume pv-${index} is there`;
};

/** vCenter takes its time, or takes connections and says nothing. */
export const slowVCenter: OperatorHappening = (context) => {
  const { life, dice } = context;
  const isSilent = dice[0] < 0.5;
  const delayMs = isSilent ? 3_600_000 : 1_000 + dice[1] * 30_000;
  const ms = 60_000 + dice[2] * 1_500_000;
  const wait: Trouble = async (request, next) => {
    await sleep(life.story.clock, delayMs, request.signal ? { signal: request.signal } : {});
    return next(request);
  };
  life.vcenterIsSlow += 1;
  const ends = [0, 1].map((slot) => life.story.ways(life.operators[slot]?.identity ?? '').onVCenter(wait));
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    life.vcenterIsSlow -= 1;
    for (const one of ends) one();
  };
  endAfter(context, end, ms);
  return `vCenter ${isSilent ? 'says nothing' : `answers after ${Math.round(delayMs / 1000)} s`} for ${Math.round(ms / 1000)} s`;
};

/** The commonest of all: the password expires, or somebody changes it, and nobody thinks of the cluster. */
export const passwordChangedAtVCenter: OperatorHappening = ({ life }) => {
  life.password = `obviously-fake-${Math.round(life.story.clock.monotonicMs())}`;
  life.story.vsphere.control.setAccount({ username: account.username, password: life.password });
  return 'the password is changed at vCenter alone';
};

export const secretGoes: OperatorHappening = async ({ life }) =>
  (await life.story.kube.delete(secrets, { namespace, name: 'vcenter' })) ? 'the Secret is deleted' : undefined;

export const leaseGoes: OperatorHappening = async ({ life }) => {
  hinder(life, takeOverMs);
  return (await life.story.kube.delete(leases, { namespace, name: 'vdo-operator' }))
    ? 'the Lease is deleted'
    : undefined;
};

/** A tool that copies objects with their status, or a person. */
export const statusOverwritten: OperatorHappening = async ({ life, dice }) => {
  const { status } = observeReality(life).resource ?? {};
  if (!status) return undefined;
  const conditions = (status.conditions ?? []).map((one) => ({ ...one, status: dice[0] < 0.5 ? 'True' : 'False' }));
  const body = { status: dice[1] < 0.5 ? { conditions } : { conditions: [], drivers: [] } };
  await life.story.kube.patch(vsphereDrivers, { name: 'cluster' }, { type: 'merge', body }, { subresource: 'status' });
  return 'somebody writes into the status';
};

/** A good release on a bad day: another kernel, a full disk, a neighbour that takes the memory. Whatever starts there fails. */
export const whatRunsFails: OperatorHappening = async (context) => {
  const { life, dice } = context;
  const { kube } = life.story;
  const how = dice[0] < 0.5 ? 'crash' : 'unready';
  const part = pick(['vsphere-cloud-controller-manager', 'vsphere-csi-controller', 'vsphere-csi-node'], dice[1]);
  const restart = async () => {
    for (const { metadata } of (await kube.list(pods)).items)
      if (metadata.name?.startsWith(part))
        await kube.delete(pods, { namespace: metadata.namespace ?? '', name: metadata.name });
  };
  const ms = 60_000 + dice[2] * 1_500_000;
  life.failing.set(part, how);
  endAfter(
    context,
    () => {
      if (!life.failing.delete(part)) return;
      void restart().catch(() => {});
    },
    ms,
  );
  await restart();
  return `the pods of ${part} are ${how} for ${Math.round(ms / 1000)} s`;
};

export const definitionGoes: OperatorHappening = async ({ life }) =>
  (await life.story.kube.delete(customResourceDefinitions, { name: 'vspheredrivers.vdo.vmware.com' }))
    ? 'the definition of the resource is deleted'
    : undefined;
