#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import { parseCli } from './cli.ts';
import { runSandbox } from './run-sandbox.ts';
import { runVCenter } from './run-vcenter.ts';

const cli = parseCli(process.argv.slice(2), packageJson.version);
const stopping = new AbortController();
const onSignal = (): void => {
  // The first signal ends the drivers in order and removes every file; the second one does not wait for that.
  if (stopping.signal.aborted) process.exit(130);
  stopping.abort(new Error('interrupted'));
};
process.on('SIGTERM', onSignal);
process.on('SIGINT', onSignal);

const common = { write: (text: string): void => void process.stdout.write(text), signal: stopping.signal };
const repository = fileURLToPath(new URL('../../..', import.meta.url));
const succeeded =
  cli.command === 'vcenter'
    ? await runVCenter({ ...common, flags: cli.flags })
    : await runSandbox({ ...common, flags: cli.flags, repository, env: { PATH: process.env['PATH'] ?? '' } });
process.exit(succeeded ? 0 : 1);
