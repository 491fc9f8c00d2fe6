import { VdoError } from '@vdo/base/vdo-error';
import type { ActiveFault } from '@vdo/sandbox/faults/fault-board';
import { describeFault, faultCatalogue } from '@vdo/sandbox/faults/fault-catalogue';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import type { OutputFlags } from '../../cli/options.ts';
import { printResult } from '../../output/print-result.ts';
import { alignRows } from '../../output/table.ts';
import { askSandbox as ask } from '../../shared/cluster/ask-sandbox.ts';
import { findSandbox, type SandboxRecord } from '../../shared/cluster/sandbox-record.ts';
import type { FaultFlags } from './commands.ts';
import { requireSandbox } from './record.ts';

const control = async (context: CliContext): Promise<NonNullable<SandboxRecord['control']>> => {
  const { control: address, pid } = await requireSandbox(context);
  if (address !== undefined) return address;
  throw new VdoError({
    code: 'SandboxNotRunning',
    message: `the sandbox (process ${pid}) is still starting`,
    remedy: 'Wait until the sandbox reports that it is running, then try again.',
  });
};

/** All faults, one per line; active ones are marked. */
const listFaults = async (context: CliContext): Promise<void> => {
  const address = (await findSandbox(context.env))?.control;
  const holding =
    address === undefined
      ? []
      : await ask<readonly ActiveFault[]>(address, { method: 'GET', path: '/faults' }, context);
  const isHolding = (name: string): boolean => holding.some((fault) => fault.name === name);
  const rows = alignRows(
    faultCatalogue.map(({ name, summary }) => [name, `${summary}${isHolding(name) ? ' (active)' : ''}`]),
  );
  const next =
    address === undefined ? 'Start a sandbox first: vdoctl sandbox' : 'To inject one: vdoctl sandbox break NAME';
  context.terminal.out(`${[...rows, '', next].join('\n')}\n`);
};

/** vdoctl sandbox break */
export const sandboxBreak: CommandRun<FaultFlags> = async (context, _, [name]) => {
  if (name === undefined) {
    await listFaults(context);
    return undefined;
  }
  const { reported } = await ask<ActiveFault>(
    await control(context),
    { method: 'POST', path: `/faults/${name}` },
    context,
  );
  const { watch = '', once = false, onlyHeal } = describeFault(name) ?? {};
  const rows = alignRows([
    ['Watch', watch],
    ['', 'vdoctl status, vdoctl events, the dashboard'],
    ['Heal', once ? 'not needed: the effect is temporary' : `vdoctl sandbox heal ${name}`],
    ...(once
      ? []
      : [
          [
            'Remedy',
            onlyHeal ? `not possible in a sandbox: ${onlyHeal}` : 'run the commands that vdoctl status prints',
          ],
        ]),
  ]);
  context.terminal.out(`${[reported, ...rows].join('\n')}\n`);
  return undefined;
};

/** vdoctl sandbox heal */
export const sandboxHeal: CommandRun<FaultFlags> = async (context, _, [name]) => {
  const path = name === undefined ? '/faults' : `/faults/${name}`;
  const healed = await ask<readonly ActiveFault[]>(await control(context), { method: 'DELETE', path }, context);
  const lines = healed.map((fault) => `Healed: ${fault.name}`);
  context.terminal.out(`${lines.length > 0 ? lines.join('\n') : 'There are no active faults.'}\n`);
  if (healed.length > 0) context.terminal.out('Next: run vdoctl status\n');
  return undefined;
};

/** vdoctl sandbox status */
export const sandboxStatus: CommandRun<OutputFlags> = async (context, flags) => {
  const record = await requireSandbox(context);
  const broken =
    record.control === undefined
      ? []
      : await ask<readonly ActiveFault[]>(record.control, { method: 'GET', path: '/faults' }, context);
  const { vcenter, control: _token, ...others } = record;
  printResult(context, flags.output, {
    data: { ...others, ...(vcenter ? { vcenter: { url: vcenter.url, username: vcenter.username } } : {}), broken },
    lines: () => [
      ...alignRows([
        ['Process', String(record.pid)],
        ['Dashboard', record.dashboard ?? '-'],
        ['Kubeconfig', record.kubeconfig],
        ['vCenter', vcenter ? `${vcenter.url}  (${vcenter.username})` : 'external (--vcenter)'],
        ['Faults', broken.length === 0 ? 'none' : broken.map(({ name }) => name).join(', ')],
      ]),
      ...broken.map(({ reported }) => `  ${reported}`),
    ],
  });
  return undefined;
};
