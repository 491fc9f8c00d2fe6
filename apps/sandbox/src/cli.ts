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

/** Parses the command line; prints help or a complaint and exits by itself, as commander does. */
export const parseFlags = (argv: readonly string[], version: string): SandboxFlags =>
  new Command('vdo-sandbox')
    .description(
      'Runs VDO on this machine with nothing but Node: a simulated vCenter, an embedded Kubernetes API, the operator and both drivers. ' +
        'Initialises nodes, binds a volume, removes everything again, and ends with 0 if all of it worked.',
    )
    .option('--nodes <n>', 'node VMs that join the cluster, 1 to 5', wholeNumber(1, 5), 2)
    .option('--keep', 'keep everything running until Ctrl-C once it is Ready', false)
    .option('--timeout <seconds>', 'how long one step may take', wholeNumber(1, 3600), 60)
    .version(version)
    .parse([...argv], { from: 'user' })
    .opts<SandboxFlags>();
