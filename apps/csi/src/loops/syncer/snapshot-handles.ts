import { isVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { volumeSnapshotContents } from '@vdo/kube/types/snapshots';

/** Handles of all snapshots that Kubernetes knows; undefined if it has no snapshot API. */
export type SnapshotHandles = (signal: AbortSignal) => Promise<ReadonlySet<string> | undefined>;

export const createSnapshotHandles =
  (kube: Pick<KubeClient, 'list'>): SnapshotHandles =>
  async (signal) => {
    try {
      const { items } = await kube.list(volumeSnapshotContents, { signal });
      const handles = items.flatMap(({ spec, status }) => [spec.source.snapshotHandle, status?.snapshotHandle]);
      return new Set(handles.filter((handle) => handle !== undefined));
    } catch (error) {
      if (isVdoError(error, 'KubeResourceMissing', 'KubeNotFound')) return undefined;
      throw error;
    }
  };
