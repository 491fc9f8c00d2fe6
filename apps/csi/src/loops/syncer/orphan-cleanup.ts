import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Logger } from '@vdo/base/logger';
import { toVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import type { Informer } from '@vdo/kube/informer';
import { type ConfigMap, configMaps } from '@vdo/kube/types/core';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { CsiVCenter } from '../../volumes/csi-vcenter.ts';
import { parseSnapshotId } from '../../volumes/snapshot-id.ts';
import type { Volume, VolumeService } from '../../volumes/volume.ts';
import { whyKeepSnapshot, whyKeepVolume } from './decide-orphan-deletion.ts';
import type { SnapshotHandles } from './snapshot-handles.ts';
import type { VolumeView } from './volume-view.ts';

/** Key of the report's ConfigMap in which people write the ids to be deleted, separated by commas or spaces. */
const deleteKey = 'delete';
/** Where the answers are written, one line per id. */
const answersKey = 'deleted';

export interface OrphanCleanupDeps {
  readonly kube: KubeClient;
  readonly reports: Informer<ConfigMap>;
  readonly vcenters: readonly CsiVCenter[];
  readonly clusterId: string;
  readonly volumes: Pick<VolumeService, 'find'>;
  readonly view: VolumeView;
  /** The datastore of a URL, if the nodes mount it. */
  readonly datastoreOf: (volume: Volume, signal: AbortSignal) => Promise<MoRef | undefined>;
  readonly snapshotHandles: SnapshotHandles;
  readonly fence: Fence;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Deletes orphans that people name one by one, after looking at each again. */
export const createOrphanCleanup = (deps: OrphanCleanupDeps): Reconcile => {
  const { kube, reports, vcenters, clusterId, volumes, view, fence, clock, logger } = deps;
  const vcenterOf = (volume: Volume | undefined) => vcenters.find(({ server }) => server === volume?.server);

  const diskOf = async (volume: Volume, vcenter: CsiVCenter, signal: AbortSignal) => {
    const datastore = await deps.datastoreOf(volume, signal);
    const disk = datastore && (await vcenter.firstClassDisks.get(datastore, volume.id, { signal }));
    return disk && { createdAtMs: disk.createTime.getTime(), consumers: disk.consumers };
  };

  const removeVolume = async (id: string, signal: AbortSignal): Promise<string> => {
    const volume = await volumes.find(id, { signal, lifetime: signal, fence });
    const vcenter = vcenterOf(volume);
    const snapshots = vcenter ? await vcenter.cns.querySnapshots({ volumeId: id }, { signal }) : [];
    const why = whyKeepVolume({
      volume,
      clusterId,
      hasPersistentVolume: volume !== undefined && view.hasVolume(volume),
      snapshots: snapshots.length,
      disk: volume && vcenter ? await diskOf(volume, vcenter, signal) : undefined,
      nowMs: clock.now(),
    });
    if (why !== undefined) return `kept: ${why}`;
    await vcenter?.cns.deleteVolume(id, { fence, signal });
    logger.info('deleted an orphan on request', { volumeId: id, name: volume?.name });
    return 'deleted';
  };

  const removeSnapshot = async (id: string, signal: AbortSignal): Promise<string> => {
    const { volumeId = '', snapshotId = '' } = parseSnapshotId(id) ?? {};
    const volume = await volumes.find(volumeId, { signal, lifetime: signal, fence });
    const vcenter = vcenterOf(volume);
    const found = vcenter ? await vcenter.cns.querySnapshots({ volumeId, snapshotId }, { signal }) : [];
    const why = whyKeepSnapshot({
      volume,
      clusterId,
      hasContent: (await deps.snapshotHandles(signal))?.has(id) ?? true,
      createdAtMs: found.find((one) => one.id === snapshotId)?.createTime.getTime(),
      nowMs: clock.now(),
    });
    if (why !== undefined) return `kept: ${why}`;
    await vcenter?.cns.deleteSnapshot({ volumeId, snapshotId }, { fence, signal });
    logger.info('deleted an orphaned snapshot on request', { snapshotId: id });
    return 'deleted';
  };

  return async (key, { signal }) => {
    const report = reports.get(key);
    const asked = (report?.data?.[deleteKey] ?? '').split(/[\s,]+/).filter((id) => id !== '');
    if (!report || asked.length === 0) return undefined;
    const answers: string[] = [];
    for (const id of new Set(asked)) {
      const remove = parseSnapshotId(id) ? removeSnapshot : removeVolume;
      const answer = await remove(id, signal).catch((error) => {
        signal.throwIfAborted();
        return `failed: ${toVdoError(error).message}`;
      });
      answers.push(`${id} ${answer}`);
    }
    const { name = '', namespace = '', resourceVersion } = report.metadata;
    // If the list was changed meanwhile it is gone through again: deleting is idempotent.
    const body = { metadata: { resourceVersion }, data: { [deleteKey]: null, [answersKey]: answers.join('\n') } };
    await kube.patch(configMaps, { name, namespace }, { type: 'merge', body }, { signal });
    return undefined;
  };
};
