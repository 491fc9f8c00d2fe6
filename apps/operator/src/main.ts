#!/usr/bin/env node
import { redactText } from '@vdo/base/redact';
import { toVdoError } from '@vdo/base/vdo-error';
import packageJson from '../package.json' with { type: 'json' };
import { buildOperator } from './build-operator.ts';
import { parseFlags } from './cli.ts';

const { version } = packageJson;
const flags = parseFlags(process.argv.slice(2), version);
const stopping = new AbortController();
const onSignal = (): void => {
  // The first signal lets the operator give its Lease back and log out; the second one does not wait for that.
  if (stopping.signal.aborted) process.exit(1);
  stopping.abort();
};
process.on('SIGTERM', onSignal);
process.on('SIGINT', onSignal);

try {
  const write = (line: string): void => void process.stderr.write(line);
  const operator = await buildOperator({ flags, version, env: process.env, write });
  await operator.run(stopping.signal);
  process.exit(0);
} catch (error) {
  const { code, message, remedy } = toVdoError(error);
  process.stderr.write(redactText(`vdo-operator: ${code}: ${message}\n\n${remedy}\n`));
  process.exit(1);
}
