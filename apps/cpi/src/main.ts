#!/usr/bin/env node
import { runProgram } from '@vdo/program/run-program';
import packageJson from '../package.json' with { type: 'json' };
import { buildCpi } from './build-cpi.ts';
import { parseCli } from './cli/parse-cli.ts';

const { version } = packageJson;

await runProgram(process, {
  name: 'vsphere-cpi',
  parse: (args) => parseCli(args, { version }),
  run: async (cli, context) => (await buildCpi({ ...cli, ...context, version })).run(context.signal),
});
