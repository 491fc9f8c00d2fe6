import { configMaps } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import type { Life } from '../life.ts';
import { isForeign, objectsOfOthers } from '../objects-of-others.ts';
import { observeReality } from './reality.ts';

/** At rest the status is what is there: one distribution, one version, everything ready. */
export const restProblems = (life: Life, version: string): readonly string[] => {
  const real = observeReality(life);
  const { status } = real.resource ?? {};
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const wanted = `${life.distribution.toLowerCase()} ${version}`;
  const isWhole = real.workloads.length === 3 && real.workloads.every((one) => one.ready === one.wanted);
  const others = real.workloads.filter(({ release }) => release !== wanted).map(({ release }) => release);
  const shown = (status?.drivers ?? []).filter(({ kind }) => kind !== 'CNI');
  return [
    ...(ready?.status === 'True' ? [] : [`Ready is ${ready?.status}: ${ready?.reason}: ${ready?.message}`]),
    ...(isWhole ? [] : [`not every workload is there and ready: ${JSON.stringify(real.workloads)}`]),
    ...others.map((release) => `${release} runs, wanted ${wanted}`),
    ...shown
      .filter((one) => one.target !== undefined || one.version !== version)
      .map(({ kind, version: is, target }) => `the status says ${kind} ${is} on its way to ${target}`),
  ];
};

const objectsOf = ({ story }: Life): readonly AnyObject[] =>
  Object.values(story.kubeSimNow().store.snapshot().buckets).flat();

/** What an uninstallation has left of ours, and what it has taken from others. */
export const leftovers = async (life: Life): Promise<readonly string[]> => {
  const lost = objectsOfOthers - objectsOf(life).filter(isForeign).length;
  return [
    ...(lost > 0 ? [`${lost} foreign objects are gone`] : []),
    ...observeReality(life).workloads.map(({ release }) => `left: a workload of ${release}`),
    ...(await life.story.kube.list(configMaps, { labelSelector: 'app.kubernetes.io/managed-by=vdo' })).items
      .filter((one) => !isForeign(one))
      .map(({ metadata }) => `left: ConfigMap ${metadata.name}`),
  ];
};
