import { type ErrorCode, type ErrorFamily, errorCodes } from '@vdo/base/error-codes';

/** What the exit code of vdoctl says. Documented in docs/reference/cli.md. */
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
  [exitCodes.done, 'Done, and nothing is wrong.'],
  [exitCodes.failed, 'Failed; the message says what and how to remedy it.'],
  [exitCodes.usage, 'The command line or a given file is wrong. Nothing was changed.'],
  [exitCodes.unhealthy, 'Done, but something looked at is not healthy (status, doctor, nodes, volumes, verify).'],
  [exitCodes.cluster, 'The cluster cannot be reached, or refuses what was asked.'],
  [exitCodes.vcenter, 'A vCenter cannot be reached, or refuses what was asked.'],
  [exitCodes.timedOut, 'It was not reached within --timeout. What was begun goes on in the cluster.'],
  [exitCodes.interrupted, 'Interrupted by Ctrl-C.'],
];

const byFamily: Readonly<Partial<Record<ErrorFamily, number>>> = {
  cancelled: exitCodes.interrupted,
  timeout: exitCodes.timedOut,
  usage: exitCodes.usage,
  configuration: exitCodes.usage,
};

/** The exit code for an error: by its family; else the name of its code tells who refused. */
export const exitCodeOf = (code: ErrorCode): number => {
  const own = byFamily[errorCodes[code].family];
  if (own !== undefined) return own;
  // What was looked at is not well, as with every verify.
  if (code === 'BundleInvalid') return exitCodes.unhealthy;
  if (code.startsWith('Kube')) return exitCodes.cluster;
  if (code.startsWith('VCenter')) return exitCodes.vcenter;
  return exitCodes.failed;
};

/** Every code with its exit code, for the reference page. */
export const exitCodeTable = (): readonly (readonly [ErrorCode, number])[] =>
  (Object.keys(errorCodes) as ErrorCode[]).map((code) => [code, exitCodeOf(code)]);
