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

/** For commands that know a vCenter without the flag. */
export const withServerFrom = (options: readonly OptionSpec[], otherwise: string): readonly OptionSpec[] =>
  options.map((option) =>
    option.flags.startsWith('--server ')
      ? { ...option, description: `host name or IP address of vCenter (default: ${otherwise})` }
      : option,
  );

/** There is no flag for the password, because all users of a machine can see command lines. */
export const passwordVariable = 'VDO_VCENTER_PASSWORD';

export const vcenterOptions: readonly OptionSpec[] = [
  {
    flags: '--server <host>',
    description: 'host name or IP address of vCenter; required, unless a sandbox runs',
    env: 'VDO_VCENTER_SERVER',
    group: 'vCenter:',
  },
  {
    flags: '--port <port>',
    description: 'port of vCenter',
    parse: wholeNumber(1, 65_535),
    default: 443,
    group: 'vCenter:',
  },
  {
    flags: '--user <name>',
    description: 'account to log in with, as USER@DOMAIN (default: ask)',
    env: 'VDO_VCENTER_USER',
    group: 'vCenter:',
  },
  {
    flags: '--password-file <file>',
    description: `file with the password (default: $${passwordVariable}, otherwise ask)`,
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
    description: 'SHA-1 or SHA-256 fingerprint of the vCenter certificate',
    group: 'vCenter:',
  },
  {
    flags: '--ca-file <file>',
    description: 'CA certificate (PEM) that signed the vCenter certificate',
    group: 'vCenter:',
  },
  { flags: '--insecure', description: 'accept any certificate; only for labs', default: false, group: 'vCenter:' },
];
