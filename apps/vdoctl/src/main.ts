import { createSystemClock } from '@vdo/base/clock';
import { createSystemRandom } from '@vdo/base/random';
import packageJson from '../package.json' with { type: 'json' };
import { processTerminal } from './cli/process-terminal.ts';
import { runCli } from './cli/run-cli.ts';
import { allCommands, commandGroups } from './commands/all-commands.ts';

const stopping = new AbortController();
const onSignal = (): void => {
  // The first signal lets a command clean up; the second one does not wait for that.
  if (stopping.signal.aborted) process.exit(130);
  stopping.abort(new Error('interrupted'));
};
process.on('SIGTERM', onSignal);
process.on('SIGINT', onSignal);
// A closed terminal is no reason to leave something behind. It may be told twice, by the shell and by the kernel.
process.on('SIGHUP', () => stopping.abort(new Error('the terminal was closed')));
// `vdoctl events | head` closes the pipe early; that is no error of ours. Whoever cleans up finishes that without a reader.
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
// Standard output may be a pipe that is still being written: leave when it is empty.
process.stdout.write('', () => process.exit(exitCode));
