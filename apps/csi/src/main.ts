#!/usr/bin/env node
import { runProgram } from '@vdo/program/run-program';
import packageJson from '../package.json' with { type: 'json' };
import { parseCli } from './cli/parse-cli.ts';
import { runRole } from './programs/run-role.ts';

await runProgram(process, {
  name: 'vsphere-csi',
  parse: parseCli,
  run: (cli, context) => runRole(cli, { ...context, version: packageJson.version }),
});
