import type { Attempt, AttemptDeps } from '@vdo/acts/attempt';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import { deleteDisk } from '@vdo/acts/disks/delete-disk';
import { deleteSnapshot } from '@vdo/acts/disks/delete-snapshot';
import type { Answer, Seen } from '@vdo/acts/evidence';
import { createCacheProof } from '@vdo/acts/proven-cache';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Logger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import { isVdoError, toVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import type { Informer } from '@vdo/kube/informer';
import { type ConfigMap, configMaps, persistentVolumes } from '@vdo/kube/types/core';
import type { ObjectKey } from '@vdo/kube/types/resource';
import { volumeSnapshotContents } from '@vdo/kube/types/snapshots';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { CsiVCenter } from '../../volumes/csi-vcenter.ts';
import type { Volume } from '../../volumes/volume.ts';
import { parseSnapshotId } from '../../volumes/volume-id.ts';
import { toVolume } from '../../volumes/volume-locator.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import { whyKeepSnapshot, whyKeepVolume } from './decide-orphan-deletion.ts';

/** Key of the report's ConfigMap for the IDs that are to be deleted, separated by commas or spaces. */
const deleteKey = 'delete';
/** Key for the results, one line per ID. */
const answersKey = 'deleted';

export interface OrphanCleanupDeps {
  readonly kube: KubeClient;
  readonly reports: Informer<ConfigMap>;
  readonly informers: Pick<ClusterInformers, 'volumes'>;
  readonly vcenters: readonly CsiVCenter[];
  readonly clusterId: string;
  /** The datastore of a URL, if the nodes mount it. */
  readonly datastoreOf: (volume: Volume, signal: AbortSignal) => Promise<MoRef | undefined>;
  readonly fence: Fence;
  readonly actLog: AttemptDeps['log'];
  readonly soleUse: AttemptDeps['soleUse'];
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

interface Asked {
  readonly attempt: Attempt;
  readonly report: Seen<ConfigMap>;
  readonly signal: AbortSignal;
}

interface Located {
  readonly vcenter: CsiVCenter;
  readonly volume: Answer<CnsVolume | undefined>;
}

const idsIn = (report: ConfigMap): readonly string[] =>
  (report.data?.[deleteKey] ?? '').split(/[\s,]+/).filter((id) => id !== '');

/** Deletes the orphans whose IDs people have listed, after checking each again with the present data of vCenter and the API server. */
export const createOrphanCleanup = (deps: OrphanCleanupDeps): Reconcile => {
  const { kube, reports, informers, vcenters, clusterId, fence, clock, random, logger, soleUse } = deps;
  const proof = createCacheProof({ client: kube, clock, informer: informers.volumes, resource: persistentVolumes });
  const owner = { clusterId, isOnlyVCenter: vcenters.length === 1 };
  const groundOf = (report: Seen<ConfigMap>) =>
    ({ seen: report, ground: { kind: 'request', what: `ConfigMap ${report.key.name}` } }) as const;

  // All vCenters have to answer: one that does not may be the one that has the volume.
  const locate = async (id: string, { attempt, signal }: Asked): Promise<Located | undefined> => {
    const found = await Promise.all(
      vcenters.map(async (vcenter) => ({
        vcenter,
        volume: await attempt.ask(`volume ${id} on ${vcenter.server}`, async () =>
          (await vcenter.cns.queryVolumes({ volumeIds: [id] }, { signal })).find((one) => one.id === id),
        ),
      })),
    );
    return found.find(({ volume }) => volume.value !== undefined);
  };

  const diskOf = async (volume: Volume, vcenter: CsiVCenter, signal: AbortSignal) => {
    const datastore = await deps.datastoreOf(volume, signal);
    const disk = datastore && (await vcenter.firstClassDisks.get(datastore, volume.id, { signal }));
    return disk && { createdAtMs: disk.createTime.getTime(), consumers: disk.consumers };
  };

  const identityOf = (vcenter: CsiVCenter, { attempt, signal }: Asked) =>
    attempt.ask(`which vCenter ${vcenter.server} is`, async () => ({
      instanceUuid: await vcenter.instanceUuid({ signal }),
    }));

  const holdersOf = async (volume: Volume, { attempt, signal }: Asked) => {
    const current = await proof.current(attempt, { signal });
    const file = volume.diskPath?.split('/').at(-1);
    const byPath = file === undefined ? [] : [current.byIndex('disk', file)];
    return [current.byIndex('handle', volume.id), ...byPath] as const;
  };

  const removeVolume = async (id: string, asked: Asked): Promise<string> => {
    const { attempt, signal, report } = asked;
    const located = await locate(id, asked);
    if (!located?.volume.value) return 'kept: no vCenter has it';
    const { vcenter } = located;
    const volume = toVolume(vcenter.server, located.volume.value);
    const snapshots = await attempt.ask(`snapshots of ${id}`, () =>
      vcenter.cns.querySnapshots({ volumeId: id }, { signal }),
    );
    const disk = await attempt.ask(`disk ${id}`, () => diskOf(volume, vcenter, signal));
    const holders = await holdersOf(volume, asked);
    const why = whyKeepVolume({
      volume,
      clusterId,
      hasPersistentVolume: holders.some(({ objects }) => objects.length > 0),
      snapshots: snapshots.value.length,
      disk: disk.value,
      nowMs: clock.now(),
    });
    if (why !== undefined) return `kept: ${why}`;
    const evidence = {
      vcenter: await identityOf(vcenter, asked),
      volume: located.volume,
      holders,
      ground: groundOf(report),
      also: [snapshots, disk],
    };
    await deleteDisk(attempt, { vcenter, volumeId: id, evidence, owner });
    logger.info('deleted an orphan on request', { volumeId: id, name: volume.name });
    return 'deleted';
  };

  /** Undefined without the snapshot API: it is then not known to whom snapshots belong. */
  const contentsWith = (id: string, { attempt }: Asked) =>
    attempt
      .search(volumeSnapshotContents, { index: 'handle', value: id }, ({ spec, status }) =>
        [spec.source.snapshotHandle, status?.snapshotHandle].includes(id),
      )
      .catch((error: unknown) => {
        if (isVdoError(error, 'KubeResourceMissing', 'KubeNotFound')) return undefined;
        throw error;
      });

  const removeSnapshot = async (id: string, asked: Asked): Promise<string> => {
    const { attempt, signal, report } = asked;
    const { volumeId = '', snapshotId = '' } = parseSnapshotId(id) ?? {};
    const located = await locate(volumeId, asked);
    if (!located?.volume.value) return 'kept: no vCenter has it';
    const { vcenter, volume } = located;
    const snapshot = await attempt.ask(`snapshot ${id}`, async () =>
      (await vcenter.cns.querySnapshots({ volumeId, snapshotId }, { signal })).find((one) => one.id === snapshotId),
    );
    const holders = await contentsWith(id, asked);
    const why = whyKeepSnapshot({
      volume: toVolume(vcenter.server, located.volume.value),
      clusterId,
      hasContent: holders?.objects.length !== 0,
      createdAtMs: snapshot.value?.createTime.getTime(),
      nowMs: clock.now(),
    });
    if (why !== undefined || !holders) return `kept: ${why}`;
    const evidence = {
      vcenter: await identityOf(vcenter, asked),
      volume,
      snapshot,
      holders,
      ground: groundOf(report),
    };
    await deleteSnapshot(attempt, { vcenter, source: { volumeId, snapshotId }, evidence, owner });
    logger.info('deleted an orphaned snapshot on request', { snapshotId: id });
    return 'deleted';
  };

  const answerTo = async (id: string, key: ObjectKey, signal: AbortSignal): Promise<string> => {
    const isSnapshot = parseSnapshotId(id) !== undefined;
    const about = { act: isSnapshot ? 'delete snapshot' : 'delete disk', subject: id, signal };
    const attempt = beginAttempt({ client: kube, clock, random, fence, log: deps.actLog, soleUse }, about);
    const report = await attempt.read(configMaps, key);
    if (report.kind === 'absent' || !idsIn(report.object).includes(id))
      return 'kept: its deletion is no longer requested';
    return (isSnapshot ? removeSnapshot : removeVolume)(id, { attempt, report, signal });
  };

  return async (key, { signal }) => {
    const cached = reports.get(key);
    if (!cached || idsIn(cached).length === 0) return undefined;
    const { name = '', namespace = '', resourceVersion } = cached.metadata;
    const answers: string[] = [];
    for (const id of new Set(idsIn(cached))) {
      const answer = await answerTo(id, { name, namespace }, signal).catch((error) => {
        signal.throwIfAborted();
        const { code, message } = toVdoError(error);
        return `${code === 'ActRefused' ? 'kept' : 'failed'}: ${message}`;
      });
      answers.push(`${id} ${answer}`);
    }
    // If the list was changed meanwhile, it is processed again: deletion is idempotent.
    const body = { metadata: { resourceVersion }, data: { [deleteKey]: null, [answersKey]: answers.join('\n') } };
    await kube.patch(configMaps, { name, namespace }, { type: 'merge', body }, { signal });
    return undefined;
  };
};
