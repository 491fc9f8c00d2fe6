import { type ErrorCode, type ErrorFamily, errorCodes } from '@vdo/base/error-codes';

/** The exit codes of vdoctl. Documented in docs/reference/cli.md. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  unhealthy: 3,
  cluster: 4,
  vcenter: 5,
  timedOut: 124,
  interrupted: 130,
} as const;

export const exitCodeMeanings: readonly (readonly [number, string])[] = [
  [exitCodes.done, 'Success.'],
  [exitCodes.failed, 'Failed. The error message says why and how to fix it.'],
  [exitCodes.usage, 'The command line or an input file is invalid. Nothing was changed.'],
  [
    exitCodes.unhealthy,
    'The command ran and found something unhealthy or invalid (status, doctor, nodes, volumes, verify).',
  ],
  [exitCodes.cluster, 'The cluster is not reachable, or it refused the request.'],
  [exitCodes.vcenter, 'A vCenter is not reachable, or it refused the request.'],
  [exitCodes.timedOut, 'Timed out (--timeout). The operation continues in the cluster.'],
  [exitCodes.interrupted, 'Interrupted by Ctrl-C.'],
];

const byFamily: Readonly<Partial<Record<ErrorFamily, number>>> = {
  cancelled: exitCodes.interrupted,
  timeout: exitCodes.timedOut,
  usage: exitCodes.usage,
  configuration: exitCodes.usage,
};

/** The exit code for an error: by the family of its code, or by the prefix of the code. */
export const exitCodeOf = (code: ErrorCode): number => {
  const own = byFamily[errorCodes[code].family];
  if (own !== undefined) return own;
  // The checked object is invalid, as with every verify command.
  if (code === 'BundleInvalid') return exitCodes.unhealthy;
  if (code.startsWith('Kube')) return exitCodes.cluster;
  if (code.startsWith('VCenter')) return exitCodes.vcenter;
  return exitCodes.failed;
};

/** The exit code of every error code, for the reference page. */
export const exitCodeTable = (): readonly (readonly [ErrorCode, number])[] =>
  (Object.keys(errorCodes) as ErrorCode[]).map((code) => [code, exitCodeOf(code)]);
