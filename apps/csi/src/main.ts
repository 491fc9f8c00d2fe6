#!/usr/bin/env node
import { hostname } from 'node:os';
import { createSystemClock } from '@vdo/base/clock';
import { createLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { redactText } from '@vdo/base/redact';
import { toVdoError } from '@vdo/base/vdo-error';
import packageJson from '../package.json' with { type: 'json' };
import { parseCli } from './cli/parse-cli.ts';

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
    version: packageJson.version,
    env: process.env,
    hostname: hostname(),
    clock: createSystemClock(),
    random: createSystemRandom(),
    logger: createLogger({
      name: cli.kind === 'snapshot-controller' ? cli.kind : `vsphere-csi-${cli.kind}`,
      level: cli.flags.logLevel,
      write,
    }),
    metrics: createMetrics(),
  };
  try {
    // Each role loads what it needs and no more: the node role runs on every node.
    if (cli.kind === 'controller') {
      const { runController } = await import('./programs/run-controller.ts');
      await runController(cli.flags, deps, stopping.signal);
    } else if (cli.kind === 'node') {
      const { runNode } = await import('./programs/run-node.ts');
      await runNode(cli.flags, deps, stopping.signal);
    } else {
      const { runSnapshotController } = await import('./programs/run-snapshot-controller.ts');
      await runSnapshotController(cli.flags, deps, stopping.signal);
    }
    process.exit(0);
  } catch (error) {
    const { code, message, remedy } = toVdoError(error);
    process.stderr.write(redactText(`vsphere-csi: ${code}: ${message}\n\n${remedy}\n`));
    process.exit(1);
  }
}
