import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Longer than any case: they are reduced to what a mutation adds to its seed, a few times over. */
const maxBytes = 4 * 1024 * 1024;

// Plain JavaScript in a thread of its own: it goes on while the reader's thread computes for ever.
const source = `
const { parentPort, workerData } = require('node:worker_threads');
const { writeSync, mkdirSync, writeFileSync } = require('node:fs');
const { name, seed, hangMs, folder, state, bytes } = workerData;
const [numbers, content] = [new Int32Array(state), new Uint8Array(bytes)];
let seen = -1;
let since = Date.now();
setInterval(() => {
  const done = Atomics.load(numbers, 0);
  if (done < 0) return;
  if (done !== seen) {
    seen = done;
    since = Date.now();
  } else if (Date.now() - since > hangMs) {
    const input = Buffer.from(content.slice(0, Atomics.load(numbers, 1))).toString('base64');
    const line = 'HANG: ' + name + ' did not come back for ' + hangMs + ' ms from case ' + done + ' of seed ' + seed + ': ' + input + '\\n';
    mkdirSync(folder, { recursive: true });
    writeFileSync(folder + '/hang-' + name.replace(/\\W+/g, '-') + '.txt', line);
    writeSync(2, line);
    // Nothing else ends a thread that computes for ever.
    process.kill(process.pid, 'SIGKILL');
  }
}, Math.min(1_000, hangMs / 4));
parentPort.postMessage('watching');
`;

export interface Watchdog {
  /** The next case begins. */
  begin(done: number, bytes: Uint8Array): void;
  end(): Promise<void>;
}

/**
 * A reader that never comes back stops the thread that could say so. The watchdog runs in another one: when a case takes longer than
 * `hangMs`, it prints the case, keeps it in `folder`, and kills the process.
 */
export const startWatchdog = async (options: {
  readonly name: string;
  readonly seed: number;
  readonly hangMs: number;
  readonly folder: string;
}): Promise<Watchdog> => {
  const [state, bytes] = [new SharedArrayBuffer(8), new SharedArrayBuffer(maxBytes)];
  const numbers = new Int32Array(state);
  const content = new Uint8Array(bytes);
  Atomics.store(numbers, 0, -1);
  const worker = new Worker(source, { eval: true, execArgv: [], workerData: { ...options, state, bytes } });
  // To start, it needs this thread, which may never be free again after the first case.
  await once(worker, 'message');
  worker.unref();
  return {
    begin: (done, input) => {
      const kept = input.subarray(0, maxBytes);
      content.set(kept);
      Atomics.store(numbers, 1, kept.length);
      Atomics.store(numbers, 0, done);
    },
    end: async () => {
      await worker.terminate();
    },
  };
};
