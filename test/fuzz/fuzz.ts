import { fileURLToPath } from 'node:url';
import { createSeededRandom } from '@vdo/base/random';
import { mutate, pick } from './mutate.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

/** Something that reads what others wrote. */
export interface FuzzTarget {
  readonly name: string;
  /** What it can read. */
  readonly seeds: readonly Uint8Array[];
  /** Words of its language. */
  readonly pieces: readonly string[];
  /** True if it was read, false if it was refused as it should be. Throws whatever else happens. */
  read(bytes: Uint8Array): boolean | Promise<boolean>;
  close?(): Promise<void>;
}

export interface FuzzOutcome {
  readonly read: number;
  readonly refused: number;
  /** The longest computing time of one case. */
  readonly slowestMs: number;
}

/** A reader that takes longer holds up the program that it is in. */
const patienceMs = 1_000;

/** Wall time, on a machine that is busy with other things: a case that takes a second may wait for half a minute. */
const defaultHangMs = 60_000;
const ledger = fileURLToPath(new URL('../../.ledger', import.meta.url));

/** The time that this process has computed: what others do on a busy machine does not count. */
export const computedMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/**
 * Hands damaged texts to a reader for as long as `goesOn` says. Throws at the first crash and the first case that takes longer than
 * a second, with what was read, so that it can be kept as a test. A case that never ends is printed, and ends the process.
 */
export const fuzz = async (
  target: FuzzTarget,
  options: { readonly seed: number; readonly goesOn: (done: number) => boolean; readonly hangMs?: number },
): Promise<FuzzOutcome> => {
  const { seed, hangMs = defaultHangMs } = options;
  const watchdog = await startWatchdog({ name: target.name, seed, hangMs, folder: ledger });
  try {
    return await readAll(target, options, watchdog);
  } finally {
    await watchdog.end();
  }
};

const readAll = async (
  target: FuzzTarget,
  options: { readonly seed: number; readonly goesOn: (done: number) => boolean },
  watchdog: Watchdog,
): Promise<FuzzOutcome> => {
  const random = createSeededRandom(options.seed);
  const outcome = { read: 0, refused: 0, slowestMs: 0 };
  for (let done = 0; options.goesOn(done); done += 1) {
    const bytes = mutate(pick(random, target.seeds), target.pieces, random);
    const shown = () =>
      `${target.name}, case ${done} of seed ${options.seed}: ${Buffer.from(bytes).toString('base64')}`;
    watchdog.begin(done, bytes);
    const before = computedMs();
    try {
      if (await target.read(bytes)) outcome.read += 1;
      else outcome.refused += 1;
    } catch (cause) {
      throw new Error(shown(), { cause });
    }
    const tookMs = computedMs() - before;
    if (tookMs > patienceMs) throw new Error(`${Math.round(tookMs)} ms of computing for ${shown()}`);
    outcome.slowestMs = Math.max(outcome.slowestMs, tookMs);
  }
  return outcome;
};
