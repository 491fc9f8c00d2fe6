import { type ErrorCode, errorCodes } from '@vdo/base/error-codes';

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

const usage: readonly ErrorCode[] = ['InvalidArgument', 'ConfigInvalid', 'ConfigMissing'];

/** The exit code for an error. */
export const exitCodeOf = (code: ErrorCode): number => {
  if (code === 'Cancelled') return exitCodes.interrupted;
  if (code === 'DeadlineExceeded') return exitCodes.timedOut;
  if (usage.includes(code)) return exitCodes.usage;
  if (code.startsWith('Kube')) return exitCodes.cluster;
  if (code.startsWith('VCenter')) return exitCodes.vcenter;
  return exitCodes.failed;
};

/** Every code with its exit code, for the reference page. */
export const exitCodeTable = (): readonly (readonly [ErrorCode, number])[] =>
  (Object.keys(errorCodes) as ErrorCode[]).map((code) => [code, exitCodeOf(code)]);
