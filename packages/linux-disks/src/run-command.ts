import { type ChildProcess, spawn } from 'node:child_process';
import { VdoError } from '@vdo/base/vdo-error';

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** It did not end within its limit. */
  readonly timedOut?: true;
}

export interface CommandOptions {
  readonly signal: AbortSignal;
  /** After this time the program and its children are killed, so that a disk or a server that does not respond cannot block the caller; 60 s by default. */
  readonly limitMs?: number;
  /** For a program that must not be interrupted: an abort waits for its end, within the limit, and does not kill it. */
  readonly finish?: true;
  /** Descriptors that the program inherits, starting at 3. A lock on one of them lasts until the program ends, even if the caller ends earlier. */
  readonly fds?: readonly number[];
  readonly input?: Uint8Array;
}

/** Runs a program and returns its result, with any exit code. Throws VdoError NodeCommandFailed if it could not be run. */
export type RunCommand = (command: string, args: readonly string[], options: CommandOptions) => Promise<CommandResult>;

const outputLimit = 1024 * 1024;
const defaultLimitMs = 60_000;
/** A program that was asked to stop is killed after this time; a killed program gets the same time to end. */
const graceMs = 2_000;
/** Exit code of a killed program, as in shells. */
const killedExitCode = 137;

const notRun = (command: string, cause: Error): VdoError =>
  new VdoError({
    code: 'NodeCommandFailed',
    message: `${command} could not be run: ${cause.message}`,
    remedy: `Install ${command} in the image of the node role. VDO's own image contains it.`,
    cause,
  });

const collect = (stream: ChildProcess['stdout'], onTooMuch: () => void): (() => string) => {
  let text = '';
  stream?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    if (text.length > outputLimit) onTooMuch();
  });
  return () => text;
};

/** Kills a program and its children, because `mount` starts `mount.nfs`. */
const killGroup = ({ pid }: ChildProcess, name: NodeJS.Signals): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // The program has ended meanwhile.
  }
};

/** Waits for the `close` event, but at most for the grace time: a process that waits for a dead disk in the kernel cannot be killed. */
const whenGone = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      resolve();
    };
    const timer = setTimeout(finish, graceMs);
    if (child.exitCode !== null || child.signalCode !== null) finish();
    else child.once('exit', finish);
  });

/** Programs that only read. A second one would block at the same point as the first one. */
const asking = new Set(['blkid', 'cmp', 'stat']);
/** The arguments that identify their target: not the file to compare with, and not the common name of inherited descriptors. */
const subjectOf = (args: readonly string[]): string | undefined =>
  args.findLast((arg) => arg.startsWith('/') && !/^\/dev\/(zero|fd\/\d+)$/.test(arg));

/** Remembers programs that never answered: a process that waits in the kernel cannot be killed, so their number must be limited. */
const createUnanswered = () => {
  const subjects = new Map<string, number>();
  return {
    has: (command: string, args: readonly string[]): boolean =>
      asking.has(command) && subjects.has(subjectOf(args) ?? ''),
    watch: (child: ChildProcess, command: string, args: readonly string[]): void => {
      const subject = asking.has(command) ? subjectOf(args) : undefined;
      if (subject === undefined || child.exitCode !== null || child.signalCode !== null) return;
      subjects.set(subject, (subjects.get(subject) ?? 0) + 1);
      child.once('exit', () => {
        const left = (subjects.get(subject) ?? 1) - 1;
        if (left > 0) subjects.set(subject, left);
        else subjects.delete(subject);
      });
    },
  };
};

/** Runs programs of this machine, with a fixed locale so that their output can be parsed. */
export const createCommandRunner = (env: Readonly<Record<string, string | undefined>>): RunCommand => {
  const unanswered = createUnanswered();
  return (command, args, { signal, limitMs = defaultLimitMs, finish = false, fds = [], input }) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (unanswered.has(command, args))
        return resolve({
          ...{ exitCode: killedExitCode, stdout: '', timedOut: true },
          stderr: `an earlier ${command} is still waiting for an answer`,
        });
      const child = spawn(command, [...args], {
        env: { PATH: env['PATH'], LC_ALL: 'C' },
        stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe', ...fds],
        // Its own process group, so that it can be killed as a whole.
        detached: true,
      });
      let settled = false;
      const settle = (end: () => void): void => {
        if (settled) return;
        settled = true;
        clearTimeout(limit);
        signal.removeEventListener('abort', onAbort);
        end();
      };
      /** The caller gets the result when no process of the program runs any more, or when further waiting is useless. */
      const kill = (end: () => void): void =>
        settle(() => {
          killGroup(child, 'SIGKILL');
          unanswered.watch(child, command, args);
          void whenGone(child).then(end);
        });
      const tooMuch = () => kill(() => reject(notRun(command, new Error('it wrote over 1 MiB'))));
      const stdout = collect(child.stdout, tooMuch);
      const stderr = collect(child.stderr, tooMuch);
      const onAbort = () => {
        if (finish) return;
        killGroup(child, 'SIGTERM');
        clearTimeout(limit);
        limit = setTimeout(() => kill(() => reject(signal.reason)), graceMs);
      };
      let limit = setTimeout(
        () => kill(() => resolve({ exitCode: killedExitCode, stdout: stdout(), stderr: stderr(), timedOut: true })),
        limitMs,
      );
      signal.addEventListener('abort', onAbort, { once: true });
      child.stdin?.on('error', () => {});
      if (input) child.stdin?.end(input);
      child.once('error', (error) => settle(() => reject(notRun(command, error))));
      child.once('close', (exitCode, killer) =>
        settle(() => {
          if (signal.aborted && !finish) reject(signal.reason);
          else if (exitCode === null) reject(notRun(command, new Error(`${killer} ended it`)));
          else resolve({ exitCode, stdout: stdout(), stderr: stderr() });
        }),
      );
    });
};

/** The error for a program that did not end in time: it reports the timeout, not the signal. */
const tookTooLong = (line: string, limitMs: number): VdoError =>
  new VdoError({
    code: 'NodeCommandFailed',
    message: `${line} did not end within ${limitMs / 1000} s and was killed`,
    remedy:
      'The disk does not respond, or responds very slowly. The kubelet retries. Check dmesg on the node and the latency of the datastore in vCenter.',
  });

/** The result of a program that must succeed; throws VdoError NodeCommandFailed with its output if it failed. `line`: the command line for messages. */
export const outputOf = (
  { exitCode, stdout, stderr, timedOut }: CommandResult,
  { line, limitMs = defaultLimitMs }: { readonly line: string; readonly limitMs?: number },
): string => {
  if (exitCode === 0) return stdout;
  if (timedOut) throw tookTooLong(line, limitMs);
  throw new VdoError({
    code: 'NodeCommandFailed',
    message: `${line} ended with ${exitCode}: ${(stderr || stdout).trim()}`,
    remedy: 'The kubelet retries. See dmesg on the node for details.',
    details: { exitCode },
  });
};

/** The output of a program that must succeed. */
export const runOrThrow = async (
  run: RunCommand,
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<string> => outputOf(await run(command, args, options), { ...options, line: [command, ...args].join(' ') });
