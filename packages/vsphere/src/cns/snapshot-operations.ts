import { VdoError } from '@vdo/base/vdo-error';
import type { VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import { methodSince, speakerOf, typeSince } from '../wire/api-version.ts';
import { cnsCreateSnapshots, cnsQuerySnapshots } from '../wire/methods/cns.ts';
import type { Value } from '../wire/schema.ts';
import {
  CnsSnapshotCreateResult,
  CnsSnapshotNotFoundFault,
  CnsSnapshotQueryResult,
  type CnsSnapshot as CnsSnapshotType,
} from '../wire/types/cns-results.ts';
import { wireTypes } from '../wire/wire-types.ts';
import type { CnsClient } from './cns-client.ts';
import { isVolumeMissing, volumeError } from './cns-fault.ts';
import type { CnsCallOptions, CnsSnapshot } from './cns-types.ts';
import { mutate } from './mutate.ts';
import { volumeManager } from './volume-reader.ts';
import { volumeResults } from './volume-task.ts';

const toSnapshot = (snapshot: Value<typeof CnsSnapshotType>): CnsSnapshot => ({
  id: snapshot.snapshotId.id,
  volumeId: snapshot.volumeId.id,
  description: snapshot.description ?? '',
  createTime: snapshot.createTime,
});

type SnapshotOperations = Pick<CnsClient, 'createSnapshot' | 'querySnapshots'>;

const unexpected = (server: string): VdoError =>
  new VdoError({
    code: 'VCenterReplyMalformed',
    message: `vCenter ${server} returned a result other than snapshots for a query of snapshots`,
    remedy: 'The driver retries automatically. If this persists, report it together with the vCenter version.',
  });

type Wanted = Parameters<CnsClient['querySnapshots']>[0];

/** Either the object was not found, or there is another problem: versions before 8.0 have one fault for both. */
class Unreported extends Error {}

const speaks = (version: string | undefined, since: string | undefined): boolean =>
  since === undefined || (speakerOf('urn:vsan', version)?.(since) ?? true);
const knowsSnapshots = (version: string | undefined): boolean => speaks(version, methodSince(cnsQuerySnapshots.name));
const reportsMissing = (version: string | undefined): boolean => speaks(version, typeSince('CnsSnapshotNotFoundFault'));

/** vCenter returns at most 128 at a time. */
const pageSize = 128n;

/** Snapshots of block volumes; vCenter 7.0 Update 3 and later. */
export const createSnapshotOperations = (session: VimSession, tasks: TaskWaiter): SnapshotOperations => {
  const { vsan } = session;
  const { server } = session.endpoint;
  const _this = volumeManager;

  const queryPage = async ({ volumeId, snapshotId }: Wanted, offset: bigint, options: CnsCallOptions) => {
    const one = {
      volumeId: { id: volumeId ?? '' },
      ...(snapshotId === undefined ? {} : { snapshotId: { id: snapshotId } }),
    };
    const snapshotQuerySpecs = volumeId === undefined ? [] : [one];
    const snapshotQueryFilter = { snapshotQuerySpecs, cursor: { offset, limit: pageSize } };
    const task = await vsan.call(cnsQuerySnapshots, { _this, snapshotQueryFilter }, options);
    const version = await session.vsanVersion(options);
    const { result } = await tasks.wait(task, options);
    // If this counted as "no snapshots", a snapshot could be created twice, or its volume could be deleted.
    if (!wireTypes.is(result, CnsSnapshotQueryResult)) throw unexpected(server);
    const snapshots = result.entries.flatMap(({ snapshot, error }) => {
      // govmomi's simulator sends an empty snapshot together with the fault.
      if (snapshot && !error) return [toSnapshot(snapshot)];
      if (!error || isVolumeMissing(error) || wireTypes.is(error.fault, CnsSnapshotNotFoundFault)) return [];
      if (error.fault.$type === 'CnsFault' && !reportsMissing(version)) throw new Unreported();
      throw volumeError(error, { server, call: 'CnsQuerySnapshots', volume: volumeId ?? '' });
    });
    return { snapshots, read: BigInt(result.entries.length), total: result.cursor?.totalRecords ?? 0n };
  };

  const query = async (wanted: Wanted, options: CnsCallOptions): Promise<readonly CnsSnapshot[]> => {
    const snapshots: CnsSnapshot[] = [];
    for (let offset = 0n; ; ) {
      const page = await queryPage(wanted, offset, options);
      snapshots.push(...page.snapshots);
      offset += page.read;
      if (page.read === 0n || offset >= page.total) return snapshots;
    }
  };

  return {
    createSnapshot: async (volume, description, options) => {
      const call = 'CnsCreateSnapshots';
      const snapshotSpecs = [{ volumeId: { id: volume }, description }];
      const send = (sending: CallOptions) => vsan.call(cnsCreateSnapshots, { _this, snapshotSpecs }, sending);
      const [result] = volumeResults(await mutate(send, tasks, options), { server, call });
      if (result?.fault) throw volumeError(result.fault, { server, call, volume });
      if (wireTypes.is(result, CnsSnapshotCreateResult) && result.snapshot) return toSnapshot(result.snapshot);
      throw new VdoError({
        code: 'VCenterReplyMalformed',
        message: `vCenter ${server} created a snapshot of volume ${volume}, but did not return its ID`,
        remedy:
          'The driver looks it up again automatically. If this persists, report it together with the vCenter version.',
      });
    },
    querySnapshots: async (wanted, options = {}) => {
      // A vCenter that does not support snapshots of volumes has none, so a deletion there must not fail.
      if (!knowsSnapshots(await session.vsanVersion(options))) return [];
      try {
        return await query(wanted, options);
      } catch (error) {
        if (!(error instanceof Unreported)) throw error;
        const all = await query({}, options);
        return all.filter(({ id, volumeId }) => volumeId === wanted.volumeId && id === (wanted.snapshotId ?? id));
      }
    },
  };
};
