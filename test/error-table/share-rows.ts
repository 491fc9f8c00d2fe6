import { diskOf, type Lane, type Row, type Sight } from './run-table.ts';

const guestsOf = (lane: Lane, sight: Sight): readonly string[] =>
  (diskOf(lane, sight)?.netPermissions ?? [])
    .filter(({ permissions }) => permissions !== 'NO_ACCESS')
    .map(({ ips }) => ips ?? '');

const rows: readonly Row[] = [
  {
    operation: 'grantAccess',
    ask: ({ story }, lane) => story.attachment(lane.name, lane.volume, lane.node),
    judge: (lane, sight) => {
      if (!sight.attachments.get(lane.name)?.status?.attached) return 'not attached';
      const guests = guestsOf(lane, sight);
      // A node has one address of each family.
      const isRight = guests.length === 2 && guests[0] !== guests[1];
      return isRight ? undefined : `${guests.join(', ') || 'nobody'} may mount it`;
    },
  },
  {
    operation: 'removeAccess',
    ask: ({ story }, lane) => story.deleteAttachment(lane.name),
    judge: (lane, sight) => {
      const left = guestsOf(lane, sight);
      if (sight.attachments.has(lane.name)) return `still there, ${left.length} addresses may mount it`;
      return left.length === 0 ? undefined : `${left.join(', ')} may still mount it`;
    },
  },
  {
    operation: 'deleteVolume',
    ask: ({ story }, lane) => story.deleteClaim(lane.name),
    judge: (lane, sight) => {
      const has = diskOf(lane, sight) !== undefined;
      if (sight.volumes.has(lane.volume)) return `the volume is still there, ${has ? 'with' : 'without'} its share`;
      return has ? 'the share is left' : undefined;
    },
  },
];
const nobody = { name: 'nobody', ips: '*', permissions: 'NO_ACCESS', rootSquash: false } as const;

/** Shares: made, opened to a node, closed again and deleted. */
export const shares = {
  rows,
  claim: { spec: { accessModes: ['ReadWriteMany'] }, operation: 'createFileVolume' },
  csi: { netPermissions: [nobody] },
} as const;
