// Processes that live seeds, until none is left: a program that has just begun is several times slower than one that
// has lived a dozen lives.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A life makes much garbage and keeps little: a large nursery is swept seldom. Of its errors nobody reads the stacks; a replay has them. */
const heap = ['--max-semi-space-size=64', '--stack-trace-limit=0'];

const startWorker = (program, { options, signal }) => {
  const child = spawn(process.execPath, [...heap, program, '--seeds', '-', ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(signal ? { signal } : {}),
  });
  // A worker in a busy loop does not notice that its input has ended.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('exit', kill);
      if (code === 0) resolve();
      else reject(new Error(`the simulation ended with ${code ?? 'a signal'}`));
    });
  });
  // Callers that wait for a result are notified.
  ended.catch(() => {});
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    kill,
    live: async (seed) => {
      child.stdin.write(`${seed}\n`);
      const { value, done } = await lines.next();
      if (!done) return JSON.parse(value);
      await ended;
      throw new Error(`the simulation ended before seed ${seed} was over`);
    },
    end: async () => {
      child.stdin.end();
      await ended;
    },
  };
};

/** The report about a life that was cut off. */
const endless = (seed, limitMs) => ({
  seed,
  violations: [
    `the life had not ended after ${limitMs / 1000} s: something repeats itself while no virtual time passes`,
  ],
  clues: [],
  coverage: {},
  steps: 0,
  virtualSeconds: 0,
});

/** A worker that is replaced when a life keeps it longer than `limitMs`. */
const startLimited = (program, { limitMs, ...settings }) => {
  let worker = startWorker(program, settings);
  return {
    live: async (seed) => {
      let cutOff = false;
      const timer = setTimeout(() => {
        cutOff = true;
        worker.kill();
      }, limitMs);
      try {
        return await worker.live(seed);
      } catch (error) {
        if (!cutOff) throw error;
        worker = startWorker(program, settings);
        return endless(seed, limitMs);
      } finally {
        clearTimeout(timer);
      }
    },
    end: () => worker.end(),
  };
};

/** `options` are the program's; an aborted `signal` ends all of them. */
export const startWorkers = (program, { count, ...settings }) => {
  const workers = Array.from({ length: count }, () => startLimited(program, settings));
  return {
    /** Lives seeds, as many at once as there are workers, and tells what each of them gave. */
    live: async (seeds, onResult) => {
      const due = [...seeds];
      const work = async (worker) => {
        for (let seed = due.shift(); seed !== undefined; seed = due.shift()) onResult(await worker.live(seed));
      };
      await Promise.all(workers.map(work));
    },
    end: async () => {
      await Promise.all(workers.map((worker) => worker.end()));
    },
  };
};
