import { VdoError } from '@vdo/base/vdo-error';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { printResult } from '../../output/print-result.ts';
import { createProgress } from '../../output/progress.ts';
import { withVCenter } from '../../shared/vsphere/with-vcenter.ts';
import { createObserver } from './qualify/exchange.ts';
import { planLines } from './qualify/plan.ts';
import { recordOf, writeRecord } from './qualify/record/record-file.ts';
import { isQualified, type Report, reportLines, reportOf } from './qualify/report.ts';
import { type Qualification, runQualify } from './qualify/run-qualify.ts';
import type { SiteNames } from './qualify/site.ts';
import type { QualifyFlags } from './qualify-command.ts';

const requestedSite = ({ write, folder, vm, datastore }: QualifyFlags): SiteNames | undefined => {
  const isNamed = folder !== undefined && vm !== undefined && datastore !== undefined;
  if (write && isNamed) return { folder, vm, datastore };
  if (!write && folder === undefined && vm === undefined && datastore === undefined) return undefined;
  throw new VdoError({
    code: 'InvalidArgument',
    message: write
      ? '--write needs --folder, --vm and --datastore: changes are made only there'
      : '--folder, --vm and --datastore have no effect without --write',
    remedy: 'vdoctl vsphere qualify --write --folder /DC/vm/test --vm test-1 --datastore /DC/datastore/ds1',
  });
};

const withNames = (
  report: Report,
  about: { server: string; site: SiteNames | undefined; steps: Qualification['steps'] },
): Report => ({
  ...report,
  names: {
    server: about.server,
    ...about.site,
    errors: about.steps.flatMap(({ step, error }) => (error ? [`${step}: ${error.message}`] : [])),
  },
});

const agree = async (
  context: CliContext,
  flags: QualifyFlags,
  about: { server: string; lines: readonly string[] },
): Promise<boolean> => {
  context.terminal.err(`${about.lines.join('\n')}\n`);
  if (flags.dryRun) return false;
  if (await confirm(context, flags, `Do this on ${about.server}?`)) return true;
  context.terminal.err('Nothing was changed.\n');
  return false;
};

/** vdoctl vsphere qualify */
export const qualifyVCenter: CommandRun<QualifyFlags> = async (context, flags) => {
  const { clock, random, signal, version } = context;
  const site = requestedSite(flags);
  const observer = createObserver(clock);
  const progress = createProgress(context);
  return withVCenter(
    context,
    flags,
    async (vcenter, { username }) => {
      const { server } = vcenter;
      const qualification = await runQualify(
        {
          vcenter,
          observer,
          clock,
          random,
          signal,
          onStep: (step) => progress.update(step),
          confirm: ({ product, left }) => {
            progress.end();
            const lines = site ? planLines(site, { version: product.version, left }) : [];
            return agree(context, flags, { server, lines });
          },
        },
        site,
      ).finally(() => progress.end());
      const { exchanges } = observer;
      const report = reportOf(qualification, { version, exchanges });
      if (flags.record !== undefined)
        await writeRecord(flags.record, recordOf({ report, wish: site, username, exchanges }));
      const shown = flags.names ? withNames(report, { server, site, steps: qualification.steps }) : report;
      printResult(context, flags.output, { data: shown, lines: () => reportLines(shown) });
      if (qualification.writing === 'interrupted') return exitCodes.interrupted;
      if (qualification.writing === 'declined' && !flags.dryRun) return exitCodes.failed;
      return isQualified(report) ? exitCodes.done : exitCodes.unhealthy;
    },
    { observe: observer.observe },
  );
};
