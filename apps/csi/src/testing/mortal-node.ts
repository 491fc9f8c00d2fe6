import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { access, readlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { createSystemClock } from '@vdo/base/clock';
import { openFence } from '@vdo/base/fence';
import { createCommandRunner, type RunCommand } from '@vdo/linux-disks/run-command';
import { createNodeService } from '../node/node-service.ts';
import { createStagedDisks } from '../node/volumes/staged-disks.ts';
import { createUsedDisks } from '../node/volumes/used-disks.ts';
import { type ProgramMark, pathOfMark } from './mortal-node-marks.ts';
import { simulateShares } from './simulated-shares.ts';
import { callsIn, type SystemCall, tracedInPrograms } from './system-calls.ts';

/** A call of the node role in a process that dies where it is told to. One that is only told to stop serves the next one, too. */
export interface MortalCall {
  readonly machine: { readonly devRoot: string; readonly sysfsRoot: string };
  readonly notes: string;
  readonly usedNotes: string;
  /** Where the content of shares is. */
  readonly shares: string;
  readonly method:
    | 'nodeStageVolume'
    | 'nodePublishVolume'
    | 'nodeUnpublishVolume'
    | 'nodeUnstageVolume'
    | 'nodeExpandVolume';
  readonly request: object;
  /** The how manieth program it starts; 0: it lives, unless somebody else ends it. */
  readonly dieAt: number;
  /**
   * Before the program starts, while it runs, or inside a system call of the program, which dies with it. `itself`: inside a system
   * call of its own, which whoever started it sees to; it waits for a line before it begins. `count`: not at all, but it counts.
   */
  readonly when: 'before' | 'during' | 'inside' | 'itself' | 'count';
  readonly signal: 'SIGKILL' | 'SIGTERM';
  /** Inside which system call: strace counts each kind by itself. */
  readonly call: string;
  readonly nth: number;
  /** Of the calls, only those on this file are counted. */
  readonly path?: string;
}

const real = createCommandRunner(process.env);
/** What is told to stop now. */
let stop = (): void => {};
// As main does at SIGTERM: whatever runs is told to end.
process.on('SIGTERM', () => stop());

const mark = (place: ProgramMark['place'], program: number): Promise<void> =>
  access(pathOfMark({ program, place })).catch(() => {});

const serve = async (call: MortalCall, begin: () => Promise<void>): Promise<void> => {
  const lifetime = new AbortController();
  stop = () => lifetime.abort(new Error('told to stop'));
  let count = 0;
  const die = (): void => {
    if (call.signal === 'SIGTERM') stop();
    else process.kill(process.pid, 'SIGKILL');
  };
  const programs: (readonly SystemCall[])[] = [];
  const counted: RunCommand = async (command, args, options) => {
    const log = join(mkdtempSync(join(tmpdir(), 'strace-')), 'log');
    try {
      return await real(
        'strace',
        ['-f', '-y', '-qq', '-o', log, '-e', `trace=${tracedInPrograms}`, command, ...args],
        options,
      );
    } finally {
      programs.push(callsIn(readFileSync(log, 'utf8')));
      rmSync(dirname(log), { recursive: true });
    }
  };
  const marked: RunCommand = async (command, args, options) => {
    const program = count;
    await mark('begin', program);
    try {
      return await real(command, args, options);
    } finally {
      await mark('end', program);
    }
  };
  const mortal: RunCommand = async (command, args, options) => {
    count++;
    if (call.when === 'itself') return marked(command, args, options);
    if (call.when === 'count') return counted(command, args, options);
    if (count !== call.dieAt) return real(command, args, options);
    if (call.when === 'before') die();
    if (call.when === 'during') setTimeout(die, 3);
    if (call.when !== 'inside') return real(command, args, options);
    const inject = `inject=${call.call}:signal=SIGKILL:when=${call.nth}`;
    const traced = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${call.call}`, '-e', inject, command, ...args];
    try {
      return await real('strace', traced, options);
    } finally {
      die();
    }
  };

  const service = createNodeService({
    ...call.machine,
    ...simulateShares(mortal, call.shares),
    clock: createSystemClock(),
    diskTimeoutMs: 3_000,
    nodeUuid: async () => 'uuid',
    stagedDisks: createStagedDisks(call.notes),
    usedDisks: createUsedDisks(call.usedNotes),
  });
  const handler = service[call.method] as (request: object, context: object) => Promise<unknown>;
  const request = JSON.parse(JSON.stringify(call.request), (key, value: unknown) =>
    key === 'requiredBytes' ? BigInt(String(value)) : value,
  ) as object;
  const tell = (outcome: object) => process.stdout.write(`${JSON.stringify({ programs, ...outcome })}\n`);
  if (call.when === 'itself') await begin();
  await handler(request, { signal: lifetime.signal, lifetime: lifetime.signal, fence: openFence }).then(
    () => tell({ done: true }),
    (error: Error) => tell({ done: false, message: error.message }),
  );
};

// Calls come line by line, and a line after each that is to be looked at before it begins.
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
for (let line = await lines.next(); !line.done; line = await lines.next())
  await serve(JSON.parse(line.value) as MortalCall, async () => {
    // Answered by the one thread that does everything with files.
    process.stdout.write(`ready ${basename(await readlink('/proc/thread-self'))}\n`);
    await lines.next();
  });
