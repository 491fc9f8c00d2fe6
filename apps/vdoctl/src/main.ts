import { createSystemClock } from '@vdo/base/clock';
import { createSystemRandom } from '@vdo/base/random';
import packageJson from '../package.json' with { type: 'json' };
import { processTerminal } from './cli/process-terminal.ts';
import { runCli } from './cli/run-cli.ts';
import { allCommands, commandGroups } from './commands/all-commands.ts';

const stopping = new AbortController();
const onSignal = (): void => {
  // The first signal lets the command clean up; the second one ends the process at once.
  if (stopping.signal.aborted) process.exit(130);
  stopping.abort(new Error('interrupted'));
};
process.on('SIGTERM', onSignal);
process.on('SIGINT', onSignal);
// Also clean up when the terminal is closed. The shell and the kernel may both send this signal.
process.on('SIGHUP', () => stopping.abort(new Error('the terminal was closed')));
// `vdoctl events | head` closes the pipe early; this is not an error. A command that is cleaning up continues without a reader.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (!stopping.signal.aborted) process.exit(error.code === 'EPIPE' ? 0 : 1);
});
process.stderr.on('error', () => undefined);

const exitCode = await runCli({ commands: allCommands, groups: commandGroups }, process.argv.slice(2), {
  terminal: processTerminal(process),
  env: process.env,
  clock: createSystemClock(),
  random: createSystemRandom(),
  signal: stopping.signal,
  version: packageJson.version,
});
// Standard output may be a pipe that is still being written: exit when it is flushed.
process.stdout.write('', () => process.exit(exitCode));
