import { runVCenter } from '@vdo/sandbox/run-vcenter';
import type { CommandRun } from '../../cli/command-run.ts';
import type { SandboxVCenterFlags } from './commands.ts';

/** vdoctl sandbox vcenter */
export const sandboxVCenter: CommandRun<SandboxVCenterFlags> = async ({ terminal, signal }, flags) => {
  await runVCenter(flags, { write: terminal.out, signal });
  return undefined;
};
