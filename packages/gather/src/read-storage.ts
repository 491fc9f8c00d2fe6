import { isVdoError } from '@vdo/base/vdo-error';
import type { PersistentVolumeFacts } from '@vdo/checks/facts/kube-facts';
import { attempt, type Reading } from '@vdo/checks/facts/reading';
import type { PolicyFacts } from '@vdo/checks/facts/vcenter-facts';
import { createVolumeTally, type VolumeFacts } from '@vdo/checks/facts/volume-facts';
import { parameterOf } from '@vdo/checks/storage/class-parameters';
import { preferredDatastoresCategory } from '@vdo/config/names';
import { persistentVolumeClaims } from '@vdo/kube/types/core';
import type { StorageClass } from '@vdo/kube/types/storage';
import type { DatastoreHealth } from '@vdo/vsphere/health/health-reader';
import type { FileCluster } from '@vdo/vsphere/inventory/file-services';
import type { GatherDeps, HealthVCenter, KubeReader } from './gather-deps.ts';

/** Policy name → the classes that name it. */
const policiesIn = (classes: readonly StorageClass[]): ReadonlyMap<string, readonly string[]> => {
  const byPolicy = new Map<string, string[]>();
  for (const one of classes) {
    const policy = parameterOf(one, 'storagepolicyname');
    if (policy === undefined) continue;
    byPolicy.set(policy, [...(byPolicy.get(policy) ?? []), one.metadata.name ?? '']);
  }
  return byPolicy;
};

/** The clusters of vSAN datastores and whether they have the file service: a few calls, and one for each cluster. */
export const readFileClusters = (
  vcenter: HealthVCenter,
  datastores: readonly DatastoreHealth[],
  signal: AbortSignal,
): Promise<Reading<readonly FileCluster[]>> =>
  attempt(async () => {
    const refs = datastores.filter(({ type }) => type === 'vsan').map(({ ref }) => ref);
    if (refs.length === 0) return [];
    const found = [...(await vcenter.fileServices.clustersOf(refs, { signal })).values()].flat();
    return [...new Map(found.map((one) => [one.path, one])).values()];
  }, signal);

/** The segments in which tags prefer these datastores: one call per thousand, and one for each new tag. */
export const readPreferred = (
  vcenter: HealthVCenter,
  datastores: readonly DatastoreHealth[],
  signal: AbortSignal,
): Promise<Reading<ReadonlyMap<string, readonly string[]>>> =>
  attempt(async () => {
    const refs = datastores.map(({ ref }) => ref);
    const tags = refs.length === 0 ? new Map<string, never>() : await vcenter.health.tags(refs, { signal });
    return new Map(
      [...tags].flatMap(([key, all]): readonly (readonly [string, readonly string[]])[] => {
        const own = all.filter(({ category }) => category === preferredDatastoresCategory).map(({ tag }) => tag);
        return own.length > 0 ? [[key, own]] : [];
      }),
    );
  }, signal);

/** The policies that StorageClasses name: two calls for the list, one more for each that exists. */
export const readPolicies = (
  vcenter: HealthVCenter,
  input: { readonly classes: readonly StorageClass[]; readonly datastores: readonly DatastoreHealth[] },
  signal: AbortSignal,
): Promise<Reading<readonly PolicyFacts[]>> =>
  attempt(async () => {
    const wanted = policiesIn(input.classes);
    if (wanted.size === 0) return [];
    const there = new Map((await vcenter.policies.list({ signal })).map(({ name, id }) => [name, id]));
    const nameOf = new Map(input.datastores.map(({ ref, name }) => [ref.value, name]));
    const facts: PolicyFacts[] = [];
    for (const [name, classes] of wanted) {
      const id = there.get(name);
      const placement =
        id &&
        (await vcenter.policies.placement(
          id,
          input.datastores.map(({ ref }) => ref),
          { signal },
        ));
      const reasons = placement ? [...placement.reasons] : [];
      facts.push({
        name,
        classes,
        exists: id !== undefined,
        compatible: placement ? placement.compatible.map(({ value }) => nameOf.get(value) ?? value) : [],
        reasons: new Map(reasons.map(([value, reason]) => [nameOf.get(value) ?? value, reason])),
      });
    }
    return facts;
  }, signal);

/**
 * A volume exists before its PersistentVolume, and some of the latter were read before: it is not an orphan while its claim exists,
 * which determines its name. Claims are read after the volumes, and only if a volume is unknown.
 */
const readNamesUnderWay = async (kube: KubeReader, signal: AbortSignal): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  try {
    for await (const { items } of kube.pages(persistentVolumeClaims, { signal, limit: 500 }))
      for (const { metadata } of items) found.add(`pvc-${metadata.uid}`);
  } catch (error) {
    // Without permission to read claims, every unknown volume is reported.
    if (!isVdoError(error, 'KubeForbidden')) throw error;
  }
  return found;
};

/** One call per thousand volumes; only what a check uses is kept. */
export const readVolumes = (
  vcenter: HealthVCenter,
  input: {
    readonly clusterId: string;
    readonly known: PersistentVolumeFacts | undefined;
    readonly onVolume?: GatherDeps['onVolume'];
    readonly kube: KubeReader;
  },
  signal: AbortSignal,
): Promise<Reading<VolumeFacts>> =>
  attempt(async () => {
    const tally = createVolumeTally(input.known);
    for await (const page of vcenter.cns.volumePages({ clusterIds: [input.clusterId] }, { signal }))
      for (const volume of page) {
        tally.add(volume);
        input.onVolume?.(volume, vcenter.server);
      }
    return tally.facts(tally.hasOrphans() ? await readNamesUnderWay(input.kube, signal) : undefined);
  }, signal);
