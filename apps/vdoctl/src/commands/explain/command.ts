import type { CommandSpec } from '../../cli/command.ts';
import { type OutputFlags, outputOptions } from '../../cli/options.ts';

export const explainCommand: CommandSpec<OutputFlags> = {
  path: ['explain'],
  summary: 'Say what an error code, a condition reason or a health check means, and what to do about it.',
  details: 'Without a code, all of them are listed. Works without a cluster.',
  arguments: [{ name: '[code]', description: 'such as VCenterLoginRejected or ND/disk-enable-uuid' }],
  options: outputOptions,
  examples: [
    { command: 'vdoctl explain VCenterThumbprintMismatch', purpose: 'an error code' },
    { command: 'vdoctl explain CR/login', purpose: 'a health check' },
  ],
};
