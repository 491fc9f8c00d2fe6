import { VdoError } from '@vdo/base/vdo-error';
import type { SessionHealth } from '@vdo/vsphere/health/health-reader';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { age } from '../../output/age.ts';
import { printResult } from '../../output/print-result.ts';
import { renderTable } from '../../output/table.ts';
import { withVCenter } from '../../shared/vsphere/with-vcenter.ts';
import type { VSphereReadFlags } from './commands.ts';

/** Client names of our programs. */
const isOurs = ({ userAgent }: SessionHealth): boolean => /^(vdo|vsphere-c[ps]i)/.test(userAgent);

/** vdoctl vsphere sessions */
export const listSessions: CommandRun<VSphereReadFlags> = (context, flags) =>
  withVCenter(context, flags, async ({ health, server }, { username }) => {
    const all = await health.sessions({ signal: context.signal });
    if (!all) {
      throw new VdoError({
        code: 'VCenterPermissionDenied',
        message: `${username} cannot list the sessions of ${server}: it lacks Sessions.TerminateSession at the root`,
        remedy: 'Use an administrator account.',
      });
    }
    // The key of a session is as good as a password: it is never printed.
    const rows = all
      .map((session) => ({
        user: session.userName,
        program: session.userAgent,
        vdo: isOurs(session),
        lastActive: new Date(session.lastActiveMs).toISOString(),
      }))
      .toSorted((left, right) => Number(right.vdo) - Number(left.vdo) || left.user.localeCompare(right.user));
    printResult(context, flags.output, {
      data: rows,
      lines: (options) =>
        renderTable(
          [
            { title: 'user', value: ({ user }: (typeof rows)[number]) => user },
            { title: 'program', value: ({ program }) => program },
            { title: 'vdo', value: ({ vdo }) => (vdo ? 'yes' : 'no') },
            { title: 'idle', value: ({ lastActive }) => age(lastActive, context.clock.now()) },
          ],
          rows,
          options,
        ),
    });
    return exitCodes.done;
  });
