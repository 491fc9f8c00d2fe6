import { configMaps } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { namespace, type OperatorStory } from '../../stories/operator/operator-world.ts';

/** What the operator of a life may rely on by now. */
export interface OperatorTruth {
  /** Passwords that vCenter has accepted at some time. */
  readonly accepted: Set<string>;
  readonly server: string;
}

export const foreign = { namespace, name: 'of-somebody-else' };
const ours = { labelSelector: 'app.kubernetes.io/managed-by=vdo' };
const plain = (object: AnyObject): readonly string[] =>
  Object.values((object['data'] ?? {}) as Readonly<Record<string, string>>).map((value) =>
    Buffer.from(value, 'base64').toString(),
  );
const driverSecrets = new Set(['vsphere-credentials', 'vsphere-cloud-secret', 'vsphere-config-secret']);
const passwords = /obviously-fake[\w-]*|never-accepted/g;

const judgeSecret = (object: AnyObject, { accepted }: OperatorTruth): readonly string[] => {
  const values = plain(object);
  const name = `${object.metadata.namespace}/${object.metadata.name}`;
  if (values.length === 0 || values.some((value) => value === '')) return [`empty credentials: ${name}`];
  return values
    .flatMap((value) => value.match(passwords) ?? [])
    .filter((password) => !accepted.has(password))
    .map((password) => `unproven credentials: ${name} holds ${password}`);
};

/** Judges every object as it is written, and every deletion. */
export const watchInvariants = ({ kubeSim }: OperatorStory, truth: OperatorTruth): readonly string[] => {
  const violations: string[] = [];
  kubeSim.store.onChange(({ type, bucket, object }) => {
    const { name = '' } = object.metadata;
    const isGone = type === 'DELETED';
    if (name === foreign.name && isGone) violations.push(`foreign object pruned: ${bucket} ${name}`);
    if (isGone || object.metadata.deletionTimestamp) return;
    if (bucket.endsWith('/secrets') && driverSecrets.has(name)) violations.push(...judgeSecret(object, truth));
    if (bucket.endsWith('/configmaps') && name === 'vsphere-config') {
      const text = ((object['data'] ?? {}) as Readonly<Record<string, string>>)['vsphere.conf'] ?? '';
      if (!text.includes(truth.server)) violations.push('half a configuration');
    }
  });
  return violations;
};

/** The workloads of the drivers, wherever their distribution puts them. */
const workloads = async ({ kube }: OperatorStory) =>
  [...(await kube.list(deployments, ours)).items, ...(await kube.list(daemonSets, ours)).items].map((one) => ({
    labels: one.metadata.labels ?? {},
    isReady:
      'replicas' in one.spec
        ? (one.status as { readyReplicas?: number } | undefined)?.readyReplicas === one.spec.replicas
        : (one.status as { numberReady?: number; desiredNumberScheduled?: number } | undefined)?.numberReady ===
          (one.status as { desiredNumberScheduled?: number } | undefined)?.desiredNumberScheduled,
  }));

/** At rest the status is what is there: one distribution, one version, everything ready. */
export const restProblems = async (
  story: OperatorStory,
  wanted: { readonly distribution: string; readonly version: string | undefined },
): Promise<readonly string[]> => {
  const found = await workloads(story);
  const status = (await story.drivers())?.status;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  const distributions = new Set(found.map(({ labels }) => labels['vdo.vmware.com/distribution']));
  const versions = new Set(found.map(({ labels }) => labels['app.kubernetes.io/version']));
  const shown = (status?.drivers ?? []).filter(({ kind }) => kind !== 'CNI');
  return [
    ...(ready === 'True' ? [] : [`Ready is ${ready}`]),
    ...(found.length === 3 && found.every(({ isReady }) => isReady) ? [] : ['not every workload is there and ready']),
    ...(distributions.size === 1 && distributions.has(wanted.distribution.toLowerCase())
      ? []
      : [`distributions: ${[...distributions].join(', ')}, wanted ${wanted.distribution}`]),
    ...(wanted.version === undefined || (versions.size === 1 && versions.has(wanted.version))
      ? []
      : [`versions: ${[...versions].join(', ')}, wanted ${wanted.version}`]),
    ...shown
      .filter(({ version = '', target }) => target !== undefined || !versions.has(version))
      .map(({ kind, version, target }) => `the status says ${kind} ${version} on its way to ${target}`),
  ];
};

/** What an uninstallation has left of ours. */
export const leftovers = async (story: OperatorStory): Promise<readonly string[]> => [
  ...(await workloads(story)).map(({ labels }) => `workload ${JSON.stringify(labels)}`),
  ...(await story.kube.list(configMaps, ours)).items
    .filter(({ metadata }) => metadata.name !== foreign.name)
    .map(({ metadata }) => `ConfigMap ${metadata.name}`),
];
