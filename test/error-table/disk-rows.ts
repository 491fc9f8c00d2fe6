import { type PersistentVolume, persistentVolumeClaims } from '@vdo/kube/types/core';
import type { Story } from '../stories/story-world.ts';
import { diskOf, type Lane, type Row } from './run-table.ts';

const patchClaim = ({ client }: Story, { name }: Lane, body: object) =>
  client.patch(persistentVolumeClaims, { namespace: 'default', name }, { type: 'merge', body });

const capacityOf = (volume: PersistentVolume | undefined) => volume?.spec.capacity?.['storage'];

/** Name of the claim that is filled from the snapshot of a lane. */
const copyOf = ({ name }: Lane): string => `${name}-copy`;

const rows: readonly Row[] = [
  {
    operation: 'attach',
    ask: ({ story }, lane) => story.attachment(lane.name, lane.volume, lane.node),
    judge: (lane, sight) => {
      if (!sight.attachments.get(lane.name)?.status?.attached) return 'not attached';
      return diskOf(lane, sight)?.attachedTo ? undefined : 'said to be attached, and is not';
    },
  },
  {
    operation: 'updateMetadata',
    ask: ({ story }, lane) => patchClaim(story, lane, { metadata: { labels: { lane: lane.name } } }),
    judge: (lane, sight) =>
      JSON.stringify(diskOf(lane, sight)?.metadata?.entityMetadata ?? []).includes(`"${lane.name}"`)
        ? undefined
        : 'vCenter does not show the label',
  },
  {
    operation: 'extend',
    ask: ({ story }, lane) => patchClaim(story, lane, { spec: { resources: { requests: { storage: '2Gi' } } } }),
    judge: (lane, sight) => {
      if (diskOf(lane, sight)?.capacityMb !== 2048n) return `the disk has ${diskOf(lane, sight)?.capacityMb} MB`;
      const said = capacityOf(sight.volumes.get(lane.volume));
      return said === '2Gi' ? undefined : `the volume says ${said}`;
    },
  },
  {
    operation: 'changePolicy',
    ask: ({ story }, lane) => patchClaim(story, lane, { spec: { volumeAttributesClassName: 'gold' } }),
    judge: (lane, sight) => {
      const said = sight.claims.get(lane.name)?.status?.currentVolumeAttributesClassName;
      if (said !== 'gold') return `the claim says ${said}`;
      return diskOf(lane, sight)?.policyId === undefined ? 'the disk has no policy' : undefined;
    },
  },
  {
    operation: 'createSnapshot',
    ask: ({ snapshots }, lane) => snapshots.makeSnapshot(lane.name, lane.name),
    judge: (lane, sight) => {
      if (!sight.snapshots.get(lane.name)?.status?.readyToUse) return 'not ready';
      const count = diskOf(lane, sight)?.snapshots.length;
      return count === 1 ? undefined : `${count} snapshots`;
    },
  },
  {
    operation: 'createFromSnapshot',
    ask: ({ story }, lane) => {
      const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: lane.name };
      return story.claim(copyOf(lane), 'table', { dataSource, resources: { requests: { storage: '2Gi' } } });
    },
    judge: (lane, sight) => {
      const claim = sight.claims.get(copyOf(lane));
      const copies = sight.disks.filter(({ name }) => name === `pvc-${claim?.metadata.uid}`);
      if (claim?.status?.phase !== 'Bound') return `not bound, ${copies.length} copies`;
      const { volumeHandle } = sight.volumes.get(claim.spec.volumeName ?? '')?.spec.csi ?? {};
      return copies.length === 1 && copies[0]?.id === volumeHandle ? undefined : `${copies.length} copies`;
    },
  },
  {
    operation: 'deleteSnapshot',
    ask: ({ snapshots }, lane) => snapshots.deleteSnapshot(lane.name),
    judge: (lane, sight) => {
      const count = diskOf(lane, sight)?.snapshots.length;
      if (sight.snapshots.has(lane.name)) return `still there, ${count} snapshots`;
      return count === 0 ? undefined : `${count} snapshots left`;
    },
  },
  {
    operation: 'detach',
    ask: ({ story }, lane) => story.deleteAttachment(lane.name),
    judge: (lane, sight) => {
      const on = diskOf(lane, sight)?.attachedTo;
      if (sight.attachments.has(lane.name)) return `still there, the disk ${on ? 'on its VM' : 'off'}`;
      return on ? 'let go, and the disk is still on the VM' : undefined;
    },
  },
  {
    operation: 'deleteVolume',
    ask: async ({ story }, lane) => {
      await story.deleteClaim(copyOf(lane));
      await story.deleteClaim(lane.name);
    },
    judge: (lane, sight) => {
      const has = diskOf(lane, sight) !== undefined;
      if (sight.volumes.has(lane.volume)) return `the volume is still there, ${has ? 'with' : 'without'} its disk`;
      return has ? 'the disk is left' : undefined;
    },
  },
];

/** Disks: made, attached, described, grown, changed, copied, detached and deleted. */
export const disks = { rows, claim: { spec: {}, operation: 'createBlockVolume' } } as const;
