import { annotationKeys, names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { persistentVolumes } from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';
import type { VolumeCount } from '../observation.ts';

const pageSize = 500;
const namedAtMost = 5;

/** Counts page by page, so that 100,000 objects are never in memory together. */
export const countVolumes = async (
  kube: KubeClient,
  { signal }: { readonly signal: AbortSignal },
): Promise<VolumeCount> => {
  const byInstance: Record<string, number> = {};
  const first: string[] = [];
  let [total, attachments, pages, unplaceable] = [0, 0, 0, 0];
  for await (const { items } of kube.pages(persistentVolumes, { limit: pageSize, signal })) {
    pages += 1;
    for (const { metadata, spec } of items) {
      if (spec.csi?.driver !== names.csiDriver) continue;
      total += 1;
      const instance = metadata.annotations?.[annotationKeys.vcenterInstance];
      if (instance !== undefined) byInstance[instance] = (byInstance[instance] ?? 0) + 1;
      if (spec.nodeAffinity?.required) continue;
      unplaceable += 1;
      if (first.length < namedAtMost) first.push(metadata.name ?? '');
    }
  }
  for await (const { items } of kube.pages(volumeAttachments, { limit: pageSize, signal })) {
    pages += 1;
    attachments += items.filter(({ spec }) => spec.attacher === names.csiDriver).length;
  }
  return { total, attachments, byInstance, unplaceable: { total: unplaceable, first }, pages };
};
