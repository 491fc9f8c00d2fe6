import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { openFence } from '@vdo/base/fence';
import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import type { VCenterTrust } from '@vdo/sandbox/house/sandbox-vcenter';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import { type MoRef, moref } from '@vdo/vsphere/wire/moref';
import type { CliContext } from '../../cli/context.ts';
import { isRunning, sandboxRecordPath } from '../../shared/cluster/sandbox-record.ts';

/** What a sandbox notes before it makes disks in a vCenter of somebody else, so that they are found if it is killed. */
export interface DiskNote {
  readonly pid: number;
  readonly server: string;
  readonly port: number;
  readonly tls: VCenterTrust;
  /** Who made them; the password is kept nowhere. */
  readonly username: string;
  /** Under which vCenter lists its volumes, and nobody else's. */
  readonly clusterId: string;
  /** VMs that they may be attached to. */
  readonly vms: readonly string[];
}

const pathOf = ({ env }: Pick<CliContext, 'env'>): string => `${sandboxRecordPath(env)}.disks`;

const readNotes = (context: Pick<CliContext, 'env'>, uid: number): readonly DiskNote[] => {
  try {
    // It lies where others may write too: what they wrote is not believed.
    if (uid >= 0 && lstatSync(pathOf(context)).uid !== uid) return [];
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

/** The notes of sandboxes that are no more. */
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

/** How to reach the vCenter of a note, as a resource would say it. */
export const specOf = ({ server, port, tls }: DiskNote): VCenterSpec => ({
  server,
  port,
  credentialsSecret: '',
  datacenters: [],
  tls: { thumbprints: [...(tls.thumbprints ?? [])], insecure: tls.insecure ?? false, ...bundleOf(tls) },
});
const bundleOf = ({ caBundle }: VCenterTrust) => (caBundle === undefined ? {} : { caBundle });

type Volumes = Pick<FullVCenter, 'cns' | 'disks'>;

/** The volumes of a note. What another cluster has a share in is none of ours. */
export const findLeftDisks = async ({ cns }: Pick<Volumes, 'cns'>, { clusterId }: DiskNote, signal: AbortSignal) =>
  (await cns.queryVolumes({ clusterIds: [clusterId] }, { signal })).filter(
    ({ containerClusterIds }) => containerClusterIds.length === 1 && containerClusterIds[0] === clusterId,
  );

/** Takes the volumes of a note from their VMs and deletes them with their disks; gives back how many. */
export const removeLeftDisks = async (vcenter: Volumes, note: DiskNote, signal: AbortSignal): Promise<number> => {
  const call = { fence: openFence, signal };
  const left = new Set((await findLeftDisks(vcenter, note, signal)).map(({ id }) => id));
  const vms: readonly MoRef[] = note.vms.map((value) => moref('VirtualMachine', value));
  const attached = await vcenter.disks.of(vms, { signal });
  const held = vms.flatMap((vm) =>
    (attached.get(vm.value) ?? []).flatMap(({ volumeId }) =>
      volumeId !== undefined && left.has(volumeId) ? [{ volumeId, vm }] : [],
    ),
  );
  const outcomes = held.length === 0 ? [] : await vcenter.cns.detach(held, call);
  for (const outcome of outcomes) if (!outcome.ok) throw outcome.error;
  for (const volumeId of left) {
    for (const { id } of await vcenter.cns.querySnapshots({ volumeId }, { signal }))
      await vcenter.cns.deleteSnapshot({ volumeId, snapshotId: id }, call);
    await vcenter.cns.deleteVolume(volumeId, call);
  }
  return left.size;
};
