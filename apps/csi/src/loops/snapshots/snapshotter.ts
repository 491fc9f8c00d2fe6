import { runTogether } from '@vdo/base/async/run-together';
import type { Metrics } from '@vdo/base/metrics';
import { leaseNames } from '@vdo/config/names';
import { createController } from '@vdo/kube/create-controller';
import { enqueueOn } from '@vdo/kube/enqueue-on';
import { keyOf } from '@vdo/kube/types/resource';
import type { VolumeSnapshotContent } from '@vdo/kube/types/snapshots';
import { driverName } from '../../driver.ts';
import { handlesOf } from '../../volumes/volume-id.ts';
import { type ContentKeeperDeps, createContentKeeper } from './content-keeper.ts';
import { createSnapshotInformers, type SnapshotInformersDeps } from './snapshot-informers.ts';
import { snapshotAnnotations } from './snapshot-names.ts';

export interface SnapshotterDeps extends Omit<ContentKeeperDeps, 'contents' | 'classes'>, SnapshotInformersDeps {
  readonly metrics: Metrics;
  /** Number of contents that are processed concurrently; 10 by default. */
  readonly workers?: number;
}

/** The Lease of the upstream csi-snapshotter: only its holder creates snapshots. */
export const snapshotterLease = leaseNames.snapshotter;

// This loop itself writes the other fields of a content. To react to those changes would retry a failed attempt immediately.
const wishOf = ({ metadata, spec }: VolumeSnapshotContent): string =>
  JSON.stringify([spec, metadata.deletionTimestamp, metadata.annotations?.[snapshotAnnotations.beingDeleted]]);

/** Does the work of the upstream csi-snapshotter while it is the leader. The cluster must have the snapshot API. */
export const runSnapshotter = async (deps: SnapshotterDeps, signal: AbortSignal): Promise<void> => {
  const { workers = 10 } = deps;
  const { contents, classes } = createSnapshotInformers(deps);
  const controller = createController({
    ...deps,
    name: 'snapshot',
    workers,
    reconcile: createContentKeeper({ ...deps, contents, classes }),
  });
  const work = async (stop: AbortSignal): Promise<void> => {
    await Promise.all([contents.waitForSync({ signal: stop }), classes.waitForSync({ signal: stop })]);
    const unsubscribe = [
      enqueueOn(contents, controller, {
        when: ({ type, object, previous }) =>
          type !== 'deleted' &&
          object.spec.driver === driverName &&
          (previous === undefined || wishOf(object) !== wishOf(previous)),
      }),
      // A content may wait for another one that has the same snapshot.
      contents.onChange(({ type, object }) => {
        if (type !== 'deleted') return;
        for (const content of handlesOf(object).flatMap((handle) => contents.byIndex('handle', handle)))
          controller.enqueue(keyOf(content));
      }),
      // A content may wait for its class.
      classes.onChange(({ object }) => {
        for (const content of contents.list())
          if (content.spec.volumeSnapshotClassName === object.metadata.name && !content.status?.readyToUse)
            controller.enqueue(keyOf(content));
      }),
    ];
    try {
      await controller.run(stop);
    } finally {
      for (const end of unsubscribe) end();
    }
  };
  await runTogether(signal, [contents.run, classes.run, work]);
};
