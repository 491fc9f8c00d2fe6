#!/usr/bin/env node
import { names } from '@vdo/config/names';
import { runProgram } from '@vdo/program/run-program';
import packageJson from '../package.json' with { type: 'json' };
import { buildOperator } from './build-operator.ts';
import { parseCli } from './cli.ts';

const { version } = packageJson;

await runProgram(process, {
  name: names.operator,
  parse: (args) => parseCli(args, version),
  run: async ({ flags }, context) => (await buildOperator({ ...context, flags, version })).run(context.signal),
});
