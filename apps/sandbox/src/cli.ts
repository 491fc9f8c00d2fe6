import { Command, InvalidArgumentError } from 'commander';

export interface SandboxFlags {
  /** Node VMs that join the cluster, 1 to 5. */
  readonly nodes: number;
  readonly keep: boolean;
  readonly timeout: number;
}

const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}`);
  };

export interface VCenterFlags {
  readonly host: string;
  readonly port: number;
  /** A file that holds the inventory as JSON; absent: the demo. */
  readonly model?: string;
}

export type Cli =
  | { readonly command: 'up'; readonly flags: SandboxFlags }
  | { readonly command: 'vcenter'; readonly flags: VCenterFlags };

/** Parses the command line; prints help or a complaint and exits by itself, as commander does. */
export const parseCli = (argv: readonly string[], version: string): Cli => {
  let chosen: Cli | undefined;
  const program = new Command('vdo-sandbox')
    .description('Tries VDO on this machine with nothing but Node.')
    .version(version);
  program
    .command('up', { isDefault: true })
    .description(
      'Runs a simulated vCenter, an embedded Kubernetes API, the operator and both drivers. Initialises nodes, binds a volume, ' +
        'removes everything again, and ends with 0 if all of it worked.',
    )
    .option('--nodes <n>', 'node VMs that join the cluster, 1 to 5', wholeNumber(1, 5), 2)
    .option('--keep', 'keep everything running until Ctrl-C once it is Ready', false)
    .option('--timeout <seconds>', 'how long one step may take', wholeNumber(1, 3600), 60)
    .action((flags: SandboxFlags) => {
      chosen = { command: 'up', flags };
    });
  program
    .command('vcenter')
    .description('Runs the simulated vCenter alone, for govc and for other programs, until Ctrl-C.')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 takes any free one', wholeNumber(0, 65_535), 8989)
    .option('--model <file>', 'inventory as JSON, as packages/vsphere-sim/src/model.ts describes it (default: a demo)')
    .action((flags: VCenterFlags) => {
      chosen = { command: 'vcenter', flags };
    });
  program.parse([...argv], { from: 'user' });
  return chosen ?? { command: 'up', flags: { nodes: 2, keep: false, timeout: 60 } };
};
