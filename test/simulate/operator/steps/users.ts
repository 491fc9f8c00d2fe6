import { isVdoError } from '@vdo/base/vdo-error';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { clusterRoleBindings } from '@vdo/kube/types/cluster';
import { configMaps, nodes, secrets } from '@vdo/kube/types/core';
import type { Resource } from '@vdo/kube/types/resource';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { account, namespace } from '../../../stories/operator/create-operator-story.ts';
import { both } from '../../../stories/operator/matrices.ts';
import { observeReality } from '../invariants/reality.ts';
import { describeSpec, hinder, type Life, publishNext, putAccount } from '../life.ts';
import { endAfter, type OperatorHappening, pick } from './step.ts';

type Drift = readonly [Resource, { readonly namespace?: string; readonly name: string }];
const drifts: readonly [Drift, ...Drift[]] = [
  [deployments, { namespace, name: 'vsphere-csi-controller' }],
  [deployments, { namespace: 'vmware-system-csi', name: 'vsphere-csi-controller' }],
  [daemonSets, { namespace, name: 'vsphere-csi-node' }],
  [configMaps, { namespace, name: 'vsphere-config' }],
  [secrets, { namespace, name: 'vsphere-credentials' }],
  [clusterRoleBindings, { name: 'vdo:native-csi-1:controller' }],
];

/** Whether there is a resource, defined or not. */
const isThere = (life: Life): boolean => observeReality(life).resource !== undefined;

export const upgrade: OperatorHappening = async ({ life }) => `${await publishNext(life)} is published`;

export const badUpgrade: OperatorHappening = async ({ life, dice, heal }) => {
  const version = await publishNext(life);
  const how = pick(['crash', 'unready', 'no-image'] as const, dice[0]);
  life.story.stubs.behave(`:${version}`, how);
  heal(() => life.story.stubs.behave(`:${version}`, 'ready'));
  return `${version} is published, whose pods are ${how}`;
};

export const badMatrix: OperatorHappening = async ({ life, dice }) => {
  const change = pick([{ text: 'nonsense' }, { sign: false }, { text: '{"schemaVersion":1}' }], dice[0]);
  const { data } = await life.story.publish(life.serial + 1, both('9.9.9'), change);
  life.matrix.broken = JSON.stringify(data);
  return `the matrix is broken: ${JSON.stringify(change)}`;
};

export const oldMatrix: OperatorHappening = async ({ life }) => {
  if (life.serial < 3) return undefined;
  await life.story.publish(life.serial - 2, both('0.9.0'));
  return 'the matrix goes back';
};

export const noMatrix: OperatorHappening = async ({ life }) =>
  (await life.story.kube.delete(configMaps, { namespace, name: 'matrix' })) ? 'the matrix is deleted' : undefined;

export const rotation: OperatorHappening = async ({ life, dice }) => {
  const password = `obviously-fake-${Math.round(life.story.clock.monotonicMs())}`;
  // What counts as right is what vCenter has: the API server may refuse the Secret.
  const change = () => {
    life.password = password;
    life.story.vsphere.control.setAccount({ username: account.username, password });
  };
  // People do it in either order.
  if (dice[0] < 0.5) change();
  await putAccount({ ...life, password });
  // A password that was tried too early counts as rejected.
  if (dice[0] >= 0.5) hinder(life, 16 * 60_000 + 21_000);
  if (dice[0] >= 0.5) await life.story.advance(1_000 + dice[1] * 20_000);
  if (dice[0] >= 0.5) change();
  return `the password is now ${password}${dice[0] < 0.5 ? '' : ', in the Secret first'}`;
};

export const wrongPassword: OperatorHappening = async ({ life, heal }) => {
  await life.story.putSecret({ ...account, password: 'never-accepted' });
  heal(() => putAccount(life));
  return 'the Secret holds a wrong password';
};

export const drift: OperatorHappening = async ({ life, dice }) => {
  const [resource, key] = pick(drifts, dice[0]);
  return (await life.story.kube.delete(resource, key)) ? `${resource.kind} ${key.name} is deleted` : undefined;
};

export const fight: OperatorHappening = (context) => {
  const { story } = context.life;
  const key = { namespace, name: 'vsphere-csi-controller' };
  let goesOn = true;
  const again = () => {
    if (!goesOn) return;
    const body = { spec: { replicas: 5 } };
    void story.kube.patch(deployments, key, { type: 'merge', body }, { fieldManager: 'rival' }).catch(() => {});
    story.clock.schedule(again, 500);
  };
  again();
  const ms = context.dice[0] < 0.3 ? 3_600_000 : 5_000 + context.dice[0] * 120_000;
  const end = () => {
    goesOn = false;
  };
  endAfter(context, end, ms);
  return `a rival fights for the replicas for ${Math.round(ms / 1000)} s`;
};

export const anotherSpec: OperatorHappening = async ({ life, dice }) => {
  life.replicas = dice[0] < 0.5 ? 1 : 2;
  if (!isThere(life)) return undefined;
  await describeSpec(life);
  return `${life.replicas} replicas are wished`;
};

export const switchDistribution: OperatorHappening = async ({ life }) => {
  life.distribution = life.distribution === 'Native' ? 'Upstream' : 'Native';
  if (isThere(life)) await describeSpec(life);
  return `the distribution is to be ${life.distribution}`;
};

export const uninstall: OperatorHappening = async ({ life }) =>
  isThere(life) && (await life.story.kube.delete(vsphereDrivers, { name: 'cluster' }))
    ? 'the drivers are to go'
    : undefined;

export const install: OperatorHappening = async ({ life }) => {
  if (isThere(life)) return undefined;
  await describeSpec(life);
  return 'the drivers are wished again';
};

export const silentNode: OperatorHappening = async ({ life, dice, heal }) => {
  const name = pick(['node-1', 'node-2'], dice[0]);
  const say = (status: string) => {
    const body = { status: { conditions: [{ type: 'Ready', status }] } };
    return life.story.kube.patch(nodes, { name }, { type: 'merge', body }, { subresource: 'status' }).then(
      () => true,
      (error: unknown) => {
        // It has left the cluster meanwhile.
        if (isVdoError(error, 'KubeNotFound')) return false;
        throw error;
      },
    );
  };
  if (!(await say(dice[1] < 0.5 ? 'Unknown' : 'True'))) return undefined;
  heal(() => say('True'));
  return `${name} is ${dice[1] < 0.5 ? 'silent' : 'ready'}`;
};
