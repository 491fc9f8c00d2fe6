import type { OptionSpec } from '../../cli/command.ts';
import { wholeNumber } from '../../cli/options.ts';

export interface VCenterFlags {
  readonly server?: string;
  readonly port: number;
  readonly user?: string;
  readonly passwordFile?: string;
  readonly passwordStdin: boolean;
  readonly thumbprint?: string;
  readonly caFile?: string;
  readonly insecure: boolean;
}

/** The password has no flag: a command line is seen by everyone on the machine. */
export const passwordVariable = 'VDO_VCENTER_PASSWORD';

export const vcenterOptions: readonly OptionSpec[] = [
  {
    flags: '--server <host>',
    description: 'vCenter to talk to (default: that of a running sandbox)',
    env: 'VDO_VCENTER_SERVER',
    group: 'vCenter:',
  },
  {
    flags: '--port <port>',
    description: 'its port',
    parse: wholeNumber(1, 65_535),
    default: 443,
    group: 'vCenter:',
  },
  {
    flags: '--user <name>',
    description: 'account, as user@domain; asked for if absent',
    env: 'VDO_VCENTER_USER',
    group: 'vCenter:',
  },
  {
    flags: '--password-file <file>',
    description: `file that holds the password (or the variable ${passwordVariable}, or --password-stdin; else it is asked for)`,
    group: 'vCenter:',
  },
  {
    flags: '--password-stdin',
    description: 'read the password from standard input',
    default: false,
    group: 'vCenter:',
  },
  {
    flags: '--thumbprint <hex>',
    description: 'SHA-1 or SHA-256 fingerprint of its certificate',
    group: 'vCenter:',
  },
  {
    flags: '--ca-file <file>',
    description: 'PEM file of the authority that signed its certificate',
    group: 'vCenter:',
  },
  { flags: '--insecure', description: 'accept any certificate; for labs only', default: false, group: 'vCenter:' },
];
