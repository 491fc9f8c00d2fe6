import type { Attempt } from '@vdo/acts/attempt';
import { deleteSnapshot } from '@vdo/acts/disks/delete-snapshot';
import type { SeenGround } from '@vdo/acts/disks/disk-evidence';
import type { Answer, Seen } from '@vdo/acts/evidence';
import { VdoError } from '@vdo/base/vdo-error';
import { annotationKeys } from '@vdo/config/names';
import { type VolumeSnapshotContent, volumeSnapshotContents } from '@vdo/kube/types/snapshots';
import type { CnsSnapshot } from '@vdo/vsphere/cns/cns-types';
import type { CallContext } from './call-context.ts';
import type { ClusterEvidence, ContentsWithHandle } from './cluster-evidence.ts';
import type { CsiVCenter } from './csi-vcenter.ts';
import type { PermitSnapshotDeletion } from './permissions.ts';
import type { Sight } from './sight.ts';
import { formatSnapshotId } from './volume-id.ts';
import { createWhereabouts } from './whereabouts.ts';

export interface SnapshotDeleterDeps {
  readonly vcenters: readonly CsiVCenter[];
  /** The cluster ID under which this cluster registers volumes. Snapshots of other clusters are read, but not changed. */
  readonly clusterId: string;
  readonly evidence: Pick<ClusterEvidence, 'begin' | 'contentsWith'>;
  readonly sight: Sight;
}

interface Reason {
  readonly holders: ContentsWithHandle;
  readonly ground: SeenGround;
}

interface FoundSnapshot {
  /** `<volume>+<snapshot>`. */
  readonly id: string;
  readonly instanceUuid: string;
  readonly snapshot: Answer<CnsSnapshot | undefined>;
}

export interface DoomedSnapshot {
  readonly volumeId: string;
  /** Undefined if it is not known. */
  readonly snapshotId?: string;
  readonly isMeant: (snapshot: CnsSnapshot) => boolean;
  /** If a vCenter lists nothing at all, or no snapshots, this does not prove that there is none. */
  readonly isSure: boolean;
  /** Returns the evidence, read in this attempt. */
  readonly reason: (attempt: Attempt, found: FoundSnapshot) => Promise<Reason>;
}

export interface DeletedSnapshot {
  readonly name: string;
  /** How many further snapshots match: only one is deleted at a time. */
  readonly left: number;
}

const contentGone = (name: string): VdoError =>
  new VdoError({
    code: 'EvidenceMissing',
    message: `VolumeSnapshotContent ${name} was deleted while its snapshot was about to be deleted`,
    remedy: 'No action needed: the driver reads everything again and retries.',
  });

const groundOf = (content: Seen<VolumeSnapshotContent>): SeenGround => {
  const { metadata, spec } = content.object;
  return {
    seen: content,
    ground: {
      kind: 'object',
      what: `VolumeSnapshotContent ${metadata.name}`,
      uid: content.uid,
      policy: spec.deletionPolicy,
      instanceUuid: metadata.annotations?.[annotationKeys.vcenterInstance],
    },
  };
};

/** Deletes snapshots, on evidence that they belong to this cluster and that nothing uses them. */
export const createSnapshotDeleter = ({ vcenters, clusterId, evidence, sight }: SnapshotDeleterDeps) => {
  const owner = { clusterId, isOnlyVCenter: vcenters.length === 1 };
  const whereabouts = createWhereabouts({ vcenters, clusterId });

  /** The content as it is now; it records to which vCenter it belongs. */
  const readContent = async (attempt: Attempt, name: string, instanceUuid: string) => {
    const seen = await attempt.read(volumeSnapshotContents, { name });
    if (seen.kind === 'absent') throw contentGone(name);
    if (owner.isOnlyVCenter || seen.object.metadata.annotations?.[annotationKeys.vcenterInstance]) return seen;
    const { key, uid, resourceVersion } = seen;
    const metadata = { annotations: { [annotationKeys.vcenterInstance]: instanceUuid } };
    const noted = await attempt.readByWriting(volumeSnapshotContents, { key, uid, resourceVersion }, { metadata });
    if (noted.kind === 'absent') throw contentGone(name);
    return noted;
  };

  return {
    /** Undefined if vCenter lists none. */
    delete: async (doomed: DoomedSnapshot, context: CallContext): Promise<DeletedSnapshot | undefined> => {
      const { volumeId, snapshotId, isMeant, isSure, reason } = doomed;
      const { lifetime: signal } = context;
      const subject = snapshotId === undefined ? `of ${volumeId}` : formatSnapshotId({ volumeId, snapshotId });
      const attempt = evidence.begin('delete snapshot', subject, context);
      const observe = () => whereabouts(attempt, { id: volumeId, noted: undefined }, signal);
      const shown = await observe();
      if (!shown?.volume.value && isSure) {
        const missing = { id: volumeId };
        await sight.assertShowing({ signal, kind: 'block', missing });
      }
      const where = shown?.volume.value || !isSure ? shown : await observe();
      if (!where?.volume.value) return undefined;
      const { vcenter, identity, volume } = where;
      const query = { volumeId, ...(snapshotId === undefined ? {} : { snapshotId }) };
      let left: readonly CnsSnapshot[] = [];
      const snapshot = await attempt.ask(`snapshot ${subject}`, async () => {
        const [first, ...others] = (await vcenter.cns.querySnapshots(query, { signal })).filter(isMeant);
        left = others;
        return first;
      });
      // A snapshot that CNS does not list may still exist: vCenter is asked to delete it, and reports if there is none.
      const id = snapshot.value?.id ?? (isSure ? snapshotId : undefined);
      if (id === undefined) return undefined;
      const source = { volumeId, snapshotId: id };
      const { instanceUuid } = identity.value;
      const why = await reason(attempt, { id: formatSnapshotId(source), instanceUuid, snapshot });
      const pieces = { vcenter: identity, volume, snapshot, ...why };
      const { operationId } = context.fence;
      await deleteSnapshot(attempt, { vcenter, source, evidence: pieces, owner, operationId });
      return { name: snapshot.value?.description ?? '', left: left.length };
    },

    /** For a loop that is about to remove the finalizer of the content. */
    permitted:
      (permit: PermitSnapshotDeletion): DoomedSnapshot['reason'] =>
      async (attempt, { id, instanceUuid }) => {
        const { content, current } = await permit(attempt, instanceUuid);
        return { holders: current.byIndex('handle', id), ground: groundOf(content) };
      },

    /** For an external caller, which holds its own Lease: on evidence from the content that uses it, or that none does. */
    asked: async (attempt: Attempt, { id, instanceUuid, snapshot }: FoundSnapshot): Promise<Reason> => {
      const holders = await evidence.contentsWith(attempt, id);
      const name = holders.kind === 'found' ? holders.objects[0]?.metadata.name : undefined;
      if (name !== undefined) return { holders, ground: groundOf(await readContent(attempt, name, instanceUuid)) };
      const ground = { kind: 'request', what: 'a call of DeleteSnapshot' } as const;
      return { holders, ground: { seen: snapshot, ground } };
    },
  };
};
