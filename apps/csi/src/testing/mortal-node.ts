import { once } from 'node:events';
import { createSystemClock } from '@vdo/base/clock';
import { openFence } from '@vdo/base/fence';
import { createCommandRunner, type RunCommand } from '@vdo/linux-disks/run-command';
import { createNodeService } from '../node/node-service.ts';
import { createStagedDisks } from '../node/volumes/staged-disks.ts';
import { createUsedDisks } from '../node/volumes/used-disks.ts';
import { simulateShares } from './simulated-shares.ts';

/** One call of the node role in a process of its own, which dies where it is told to. */
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
   * Before the program starts, while it runs, or inside its nth system call of those that change something. `itself`: inside the nth
   * system call of its own, which whoever started it sees to; it waits for a line before it begins.
   */
  readonly when: 'before' | 'during' | 'inside' | 'itself';
  readonly signal: 'SIGKILL' | 'SIGTERM';
  /** Inside which of those system calls. */
  readonly nth: number;
}

const changing = 'mount,umount2,openat,write,pwrite64,fsync,ioctl,mkdir,unlink';

const call = JSON.parse(process.argv[2] ?? '{}') as MortalCall;
const lifetime = new AbortController();
let count = 0;
// As main does at SIGTERM: whatever runs is told to end.
const stop = () => lifetime.abort(new Error('told to stop'));
process.on('SIGTERM', stop);
const die = (): void => {
  if (call.signal === 'SIGTERM') stop();
  else process.kill(process.pid, 'SIGKILL');
};
const real = createCommandRunner(process.env);
const mortal: RunCommand = async (command, args, options) => {
  count++;
  if (count !== call.dieAt) return real(command, args, options);
  if (call.when === 'before') die();
  if (call.when === 'during') setTimeout(die, 3);
  if (call.when !== 'inside') return real(command, args, options);
  const inject = `inject=${changing}:signal=SIGKILL:when=${call.nth}`;
  const traced = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${changing}`, '-e', inject, command, ...args];
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
const tell = (outcome: object) => process.stdout.write(`${JSON.stringify({ count, ...outcome })}\n`);
if (call.when === 'itself') {
  process.stdout.write('ready\n');
  await once(process.stdin, 'data');
  process.stdin.destroy();
}
await handler(request, { signal: lifetime.signal, lifetime: lifetime.signal, fence: openFence }).then(
  () => tell({ done: true }),
  (error: Error) => tell({ done: false, message: error.message }),
);
