#!/usr/bin/env node
import { redactText } from '@vdo/base/redact';
import { toVdoError } from '@vdo/base/vdo-error';
import packageJson from '../package.json' with { type: 'json' };
import { buildCpi } from './build-cpi.ts';
import { parseCli } from './cli/parse-cli.ts';

const { version } = packageJson;
const cli = parseCli(process.argv.slice(2), { version });

if (cli.kind === 'exit') {
  (cli.code === 0 ? process.stdout : process.stderr).write(cli.text);
  process.exitCode = cli.code;
} else {
  const stopping = new AbortController();
  const onSignal = (): void => {
    // The first signal lets the program give its Lease back and log out; the second one does not wait for that.
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    const write = (line: string): void => void process.stderr.write(line);
    const { flags, warnings } = cli;
    const { signal } = stopping;
    const cpi = await buildCpi({ flags, warnings, version, env: process.env, write, signal });
    await cpi.run(signal);
    process.exit(0);
  } catch (error) {
    const { code, message, remedy } = toVdoError(error);
    process.stderr.write(redactText(`vsphere-cpi: ${code}: ${message}\n\n${remedy}\n`));
    process.exit(1);
  }
}
