import { cnsCreateSnapshots, cnsDeleteSnapshots, cnsQuerySnapshots } from '@vdo/vsphere/wire/methods/cns';
import { make, type Value } from '@vdo/vsphere/wire/schema';
import {
  CnsSnapshotCreateResult,
  CnsSnapshotDeleteResult,
  CnsSnapshotQueryResult,
  type CnsSnapshotQuerySpec,
} from '@vdo/vsphere/wire/types/cns-results';
import { faults } from '../sim-fault.ts';
import { type Call, handle, type MethodHandler } from '../soap/method-handler.ts';
import { attempt, batchResult, some } from './batch.ts';
import { createSnapshot, deleteSnapshot } from './change-volume.ts';
import type { CnsContext } from './cns-context.ts';
import type { Snapshot, Volume, VolumeStore } from './volume-store.ts';

const show = (volume: Volume, snapshot: Snapshot) => ({
  snapshotId: { id: snapshot.id },
  volumeId: { id: volume.id },
  description: snapshot.description,
  createTime: snapshot.createTime,
});

const entries = (volumes: VolumeStore, specs: readonly Value<typeof CnsSnapshotQuerySpec>[]) => {
  const [spec] = specs;
  if (specs.length > 1) throw faults.invalidArgument('CnsSnapshotQuerySpec');
  if (!spec)
    return volumes
      .list()
      .flatMap((volume) => volumes.shownSnapshots(volume).map((snapshot) => ({ snapshot: show(volume, snapshot) })));
  const volume = volumes.get(spec.volumeId.id);
  const failed = ({ fault, message }: ReturnType<typeof faults.cns>) => [
    { error: { fault, localizedMessage: message } },
  ];
  if (!volume) return failed(faults.cnsVolumeNotFound(spec.volumeId.id));
  const wanted = spec.snapshotId?.id;
  const found = volumes.shownSnapshots(volume).filter(({ id }) => wanted === undefined || id === wanted);
  if (wanted !== undefined && found.length === 0) return failed(faults.cnsSnapshotNotFound(volume.id, wanted));
  return found.map((snapshot) => ({ snapshot: show(volume, snapshot) }));
};

/** Snapshots of container volumes. */
export const snapshotMethods = (volumes: VolumeStore): readonly MethodHandler[] => {
  const contextOf = ({ core, client }: Call): CnsContext => ({ core, volumes, principal: client.session });
  return [
    handle(cnsCreateSnapshots, ({ snapshotSpecs }, call) =>
      call.startTask(undefined, () =>
        batchResult(
          some(snapshotSpecs, 'CnsSnapshotCreateSpec').map(({ volumeId, snapshotId, description }) =>
            attempt(
              volumeId.id,
              () => {
                const snapshot = createSnapshot(contextOf(call), volumeId.id, { id: snapshotId?.id, description });
                const shown = {
                  volumeId,
                  snapshotId: { id: snapshot.id },
                  description,
                  createTime: snapshot.createTime,
                };
                return make(CnsSnapshotCreateResult, { volumeId, snapshot: shown });
              },
              (failure) => make(CnsSnapshotCreateResult, failure),
            ),
          ),
        ),
      ),
    ),

    handle(cnsDeleteSnapshots, ({ snapshotDeleteSpecs }, call) =>
      call.startTask(undefined, () =>
        batchResult(
          some(snapshotDeleteSpecs, 'CnsSnapshotDeleteSpec').map(({ volumeId, snapshotId }) =>
            attempt(
              volumeId.id,
              () => {
                deleteSnapshot(contextOf(call), volumeId.id, snapshotId.id);
                return make(CnsSnapshotDeleteResult, { volumeId, snapshotId });
              },
              (failure) => make(CnsSnapshotDeleteResult, { ...failure, snapshotId }),
            ),
          ),
        ),
      ),
    ),

    handle(cnsQuerySnapshots, ({ snapshotQueryFilter }, call) => {
      return call.startTask(undefined, () => {
        const found = entries(volumes, snapshotQueryFilter.snapshotQuerySpecs);
        const { offset = 0n, limit = BigInt(found.length) } = snapshotQueryFilter.cursor ?? {};
        const page = found.slice(Number(offset), Number(offset + limit));
        const cursor = { offset: offset + BigInt(page.length), limit, totalRecords: BigInt(found.length) };
        return make(CnsSnapshotQueryResult, { entries: page, cursor });
      });
    }),
  ];
};
