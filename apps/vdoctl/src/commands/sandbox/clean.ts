import { toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { withVCenter } from '../../shared/vsphere/with-vcenter.ts';
import type { SandboxCleanFlags } from './commands.ts';
import {
  type DiskNote,
  findLeftDisks,
  notesOfTheDead,
  removeLeftDisks,
  removeNote,
  specOf,
  urlOf,
} from './left-disks.ts';
import { parseVCenterUrl } from './outside-vcenter.ts';
import { lockSandbox, refuseSecond, removeRecord, sweepAfterCrash } from './record.ts';

const disksOf = (count: number): string => `${count} ${count === 1 ? 'disk' : 'disks'}`;

const removingBy = (
  context: CliContext,
  uid: number,
  what: Pick<Parameters<typeof removeLeftDisks>[0], 'vcenter' | 'note'>,
): Parameters<typeof removeLeftDisks>[0] => {
  const { clock, random, signal } = context;
  return { ...what, readNotes: () => notesOfTheDead(context, uid), clock, random, signal };
};

/** True: everything in the note is removed. */
const cleanVCenter = (
  context: CliContext,
  flags: SandboxCleanFlags,
  { note, uid }: { readonly note: DiskNote; readonly uid: number },
): Promise<boolean> => {
  const { terminal, signal } = context;
  const { user = note.username, ...access } = flags;
  // Uses the trust settings of the note: the same vCenter that was trusted then.
  const { thumbprint: _, caFile: __, ...rest } = access;
  const named = { ...rest, user, server: note.server, port: note.port, insecure: false };
  return withVCenter(
    context,
    named,
    async (vcenter) => {
      const left = await findLeftDisks(vcenter, note, signal);
      const where = `${urlOf(note)} (cluster id ${note.clusterId})`;
      if (left.length === 0) terminal.out(`No leftover disks in ${where}.\n`);
      else {
        for (const { id, name } of left) terminal.out(`${id}  ${name}\n`);
        if (flags.dryRun) {
          terminal.out(`Would remove ${disksOf(left.length)} from ${where}. Nothing was changed.\n`);
          return false;
        }
        if (!(await confirm(context, flags, `Permanently delete ${disksOf(left.length)} from ${where}?`))) return false;
        terminal.out(
          `Removed ${disksOf(await removeLeftDisks(removingBy(context, uid, { vcenter, note })))} from ${where}.\n`,
        );
      }
      if (!flags.dryRun) removeNote(context, uid, note.clusterId);
      return true;
    },
    { spec: specOf(note) },
  );
};

/** vdoctl sandbox clean */
export const sandboxClean: CommandRun<SandboxCleanFlags> = async (context, flags) => {
  const { terminal } = context;
  await refuseSecond(context);
  const uid = process.getuid?.() ?? -1;
  const wanted = flags.vcenter === undefined ? undefined : parseVCenterUrl(flags.vcenter);
  const notes = notesOfTheDead(context, uid).filter(
    ({ server, port }) => wanted === undefined || (wanted.server === server && wanted.port === port),
  );
  const lock = lockSandbox(context, process.pid);
  try {
    const swept = flags.dryRun ? undefined : sweepAfterCrash(context, uid);
    if (swept !== undefined) {
      terminal.out(`Removed the leftovers of a killed sandbox in ${swept}.\n`);
      removeRecord(context);
    }
    let isClean = true;
    for (const note of notes) isClean = (await cleanVCenter(context, flags, { note, uid })) && isClean;
    if (swept === undefined && notes.length === 0) terminal.out('No leftovers of a sandbox found.\n');
    return isClean || flags.dryRun ? exitCodes.done : exitCodes.failed;
  } finally {
    lock.release();
  }
};

/** At the start of a sandbox: removes leftovers of killed sandboxes in the same vCenter, and reports those in other vCenters. */
export const settleNotes = async (
  context: CliContext,
  uid: number,
  vcenter: { readonly host: string; readonly port: number; readonly account: DiskAccount } | undefined,
): Promise<void> => {
  const { terminal } = context;
  for (const note of notesOfTheDead(context, uid)) {
    const isHere = vcenter?.host === note.server && vcenter.port === note.port;
    if (!isHere || vcenter === undefined) {
      terminal.err(
        `A killed sandbox may have left disks in ${urlOf(note)}. To remove them: vdoctl sandbox clean --vcenter ${urlOf(note)}\n`,
      );
      continue;
    }
    try {
      const flags = { server: note.server, port: note.port, passwordStdin: false, insecure: false };
      const work = { spec: specOf(note), as: vcenter.account };
      const removed = await withVCenter(
        context,
        flags,
        (open) => removeLeftDisks(removingBy(context, uid, { vcenter: open, note })),
        work,
      );
      removeNote(context, uid, note.clusterId);
      const what = removed === 0 ? 'Found no leftover disks' : `Removed ${disksOf(removed)}`;
      terminal.err(`${what} of a killed sandbox in ${urlOf(note)} (cluster ID ${note.clusterId}).\n`);
    } catch (error) {
      throw new VdoError({
        code: 'SandboxIncomplete',
        message: `cannot remove the disks of a killed sandbox from ${urlOf(note)}: ${toVdoError(error).message}`,
        remedy: `Check the container volumes of cluster ${note.clusterId} (govc volume.ls -c ${note.clusterId}), then run: vdoctl sandbox clean --vcenter ${urlOf(note)}`,
        cause: error,
      });
    }
  }
};

type DiskAccount = { readonly username: string; readonly password: string };
