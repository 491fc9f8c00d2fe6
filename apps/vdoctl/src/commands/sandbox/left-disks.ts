import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createActLog } from '@vdo/acts/act-log';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import { deleteLeftDisk, deleteLeftSnapshot, detachLeftDisk, type LeftDisk } from '@vdo/acts/disks/left-disks';
import { withoutClusterId } from '@vdo/acts/sole-use';
import type { Clock } from '@vdo/base/clock';
import { openFence } from '@vdo/base/fence';
import type { Random } from '@vdo/base/random';
import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import type { VCenterTrust } from '@vdo/sandbox/environment/sandbox-vcenter';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import { type MoRef, moref } from '@vdo/vsphere/wire/moref';
import type { CliContext } from '../../cli/context.ts';
import { isOwnFile, isRunning, sandboxRecordPath } from '../../shared/cluster/sandbox-record.ts';

/** A note written before the sandbox creates disks in a real vCenter, so that they are found if the sandbox is killed. */
export interface DiskNote {
  readonly pid: number;
  readonly server: string;
  readonly port: number;
  readonly tls: VCenterTrust;
  /** The account that created them; the password is not stored. */
  readonly username: string;
  /** The cluster ID of the volumes, used by no other cluster. */
  readonly clusterId: string;
  /** Instance UUID of the vCenter; its address may belong to another vCenter later. */
  readonly instanceUuid?: string;
  /** VMs that the disks may be attached to. */
  readonly vms: readonly string[];
}

const pathOf = ({ env }: Pick<CliContext, 'env'>): string => `${sandboxRecordPath(env)}.disks`;

const readNotes = (context: Pick<CliContext, 'env'>, uid: number): readonly DiskNote[] => {
  try {
    // The file is in a folder that other users can write to: what they wrote is not trusted.
    if (!isOwnFile(pathOf(context), uid)) return [];
    return JSON.parse(readFileSync(pathOf(context), 'utf8')) as readonly DiskNote[];
  } catch {
    return [];
  }
};

const writeNotes = (context: Pick<CliContext, 'env'>, notes: readonly DiskNote[]): void => {
  const path = pathOf(context);
  if (notes.length === 0) {
    rmSync(path, { force: true });
    return;
  }
  const fresh = `${path}.${process.pid}`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${JSON.stringify(notes, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(fresh, path);
};

/** The notes of sandboxes that no longer run. */
export const notesOfTheDead = (context: Pick<CliContext, 'env'>, uid: number): readonly DiskNote[] =>
  readNotes(context, uid).filter(({ pid }) => !isRunning(pid));

export const addNote = (context: Pick<CliContext, 'env'>, uid: number, note: DiskNote): void =>
  writeNotes(context, [...readNotes(context, uid), note]);

export const removeNote = (context: Pick<CliContext, 'env'>, uid: number, clusterId: string): void =>
  writeNotes(
    context,
    readNotes(context, uid).filter((note) => note.clusterId !== clusterId),
  );

export const urlOf = ({ server, port }: Pick<DiskNote, 'server' | 'port'>): string =>
  `https://${server.includes(':') ? `[${server}]` : server}${port === 443 ? '' : `:${port}`}`;

/** How to reach the vCenter of a note, in the form of the resource. */
export const specOf = ({ server, port, tls }: DiskNote): VCenterSpec => ({
  server,
  port,
  credentialsSecret: '',
  datacenters: [],
  tls: { thumbprints: [...(tls.thumbprints ?? [])], insecure: tls.insecure ?? false, ...bundleOf(tls) },
});
const bundleOf = ({ caBundle }: VCenterTrust) => (caBundle === undefined ? {} : { caBundle });

type Volumes = Pick<FullVCenter, 'cns' | 'disks' | 'instanceUuid'> & LeftDisk['vcenter'];

/** The volumes of a note, without volumes that another cluster also uses. */
export const findLeftDisks = async (
  { cns }: Pick<Volumes, 'cns'>,
  { clusterId }: Pick<DiskNote, 'clusterId'>,
  signal: AbortSignal,
) =>
  (await cns.queryVolumes({ clusterIds: [clusterId] }, { signal })).filter(
    ({ containerClusterIds }) => containerClusterIds.length === 1 && containerClusterIds[0] === clusterId,
  );

interface Removing {
  readonly vcenter: Volumes;
  readonly note: DiskNote;
  /** The notes as they are now. */
  readonly readNotes: () => readonly DiskNote[];
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** Starts an attempt on a volume: note and volume are read again for each act. */
const beginOn = async (volumeId: string, { vcenter, note, readNotes: read, clock, random, signal }: Removing) => {
  const deps = { clock, random, fence: openFence, log: createActLog(), soleUse: withoutClusterId };
  const attempt = beginAttempt(deps, { act: 'remove what is left', subject: volumeId, signal });
  const evidence = {
    note: await attempt.ask(`the note of cluster ${note.clusterId}`, async () => {
      const now = read().find(({ clusterId, pid }) => clusterId === note.clusterId && !isRunning(pid));
      return now ?? { clusterId: '' };
    }),
    vcenter: await attempt.ask('which vCenter it is', async () => ({
      instanceUuid: await vcenter.instanceUuid({ signal }),
    })),
    volume: await attempt.ask(`volume ${volumeId}`, async () =>
      (await vcenter.cns.queryVolumes({ volumeIds: [volumeId] }, { signal })).find(({ id }) => id === volumeId),
    ),
  };
  return { attempt, disk: { vcenter, volumeId, evidence } };
};

/** Detaches the volumes of a note and deletes them with their disks; returns their number. */
export const removeLeftDisks = async (removing: Removing): Promise<number> => {
  const { vcenter, note, signal } = removing;
  const left = new Set((await findLeftDisks(vcenter, note, signal)).map(({ id }) => id));
  const vms: readonly MoRef[] = note.vms.map((value) => moref('VirtualMachine', value));
  const attached = await vcenter.disks.of(vms, { signal });
  for (const vm of vms)
    for (const { volumeId } of attached.get(vm.value) ?? []) {
      if (volumeId === undefined || !left.has(volumeId)) continue;
      const { attempt, disk } = await beginOn(volumeId, removing);
      await detachLeftDisk(attempt, { ...disk, vm });
    }
  for (const volumeId of left) {
    for (const { id: snapshotId } of await vcenter.cns.querySnapshots({ volumeId }, { signal })) {
      const { attempt, disk } = await beginOn(volumeId, removing);
      await deleteLeftSnapshot(attempt, { ...disk, snapshotId });
    }
    const { attempt, disk } = await beginOn(volumeId, removing);
    await deleteLeftDisk(attempt, disk);
  }
  return left.size;
};
