#!/usr/bin/env node
import { hostname } from 'node:os';
import { createSystemClock } from '@vdo/base/clock';
import { createLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { redactText } from '@vdo/base/redact';
import { toVdoError } from '@vdo/base/vdo-error';
import { parseCli } from './cli/parse-cli.ts';
import { runController } from './programs/run-controller.ts';
import { runNode } from './programs/run-node.ts';

const cli = parseCli(process.argv.slice(2));

if (cli.kind === 'exit') {
  (cli.code === 0 ? process.stdout : process.stderr).write(cli.text);
  process.exitCode = cli.code;
} else {
  const stopping = new AbortController();
  const onSignal = (): void => {
    // The first signal lets the program give its Leases back and log out; the second does not wait for that.
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  const write = (line: string): void => void process.stderr.write(line);
  const deps = {
    env: process.env,
    hostname: hostname(),
    clock: createSystemClock(),
    random: createSystemRandom(),
    logger: createLogger({ name: `vsphere-csi-${cli.kind}`, level: cli.flags.logLevel, write }),
    metrics: createMetrics(),
  };
  try {
    if (cli.kind === 'controller') await runController(cli.flags, deps, stopping.signal);
    else await runNode(cli.flags, deps, stopping.signal);
    process.exit(0);
  } catch (error) {
    const { code, message, remedy } = toVdoError(error);
    process.stderr.write(redactText(`vsphere-csi: ${code}: ${message}\n\n${remedy}\n`));
    process.exit(1);
  }
}
