import { aborted } from '@vdo/base/async/aborted';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { afterEach, describe, expect, test } from 'vitest';
import type { Controller, Reconcile } from './controller.ts';
import { type ControllerOptions, createController } from './create-controller.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const setUp = (reconcile: Reconcile, options: Partial<ControllerOptions> = {}) => {
  const clock = createVirtualClock();
  const runs: string[] = [];
  const controller = createController({
    name: 'test',
    clock,
    random: createSeededRandom(7),
    logger: silentLogger,
    ...options,
    reconcile: (key, context) => {
      runs.push(`${key}@${Math.round(clock.monotonicMs())}`);
      return reconcile(key, context);
    },
  });
  const abort = new AbortController();
  const start = () => {
    const done = controller.run(abort.signal);
    stops.push(() => {
      abort.abort();
      return done;
    });
    return done;
  };
  return { clock, controller, runs, start, abort };
};

const failing = (code: VdoError['code']) => () => Promise.reject(new VdoError({ code, message: 'm', remedy: 'r' }));
const nothing = async () => undefined;

describe('work in progress at the end', () => {
  const slow =
    (log: string[]): Reconcile =>
    async (key, { signal }) => {
      await Promise.race([wait(5_000), aborted(signal)]);
      log.push(signal.aborted ? `${key} cut` : `${key} done`);
      return undefined;
    };
  let wait: (ms: number) => Promise<void>;
  const open = (drainMs: number) => {
    const log: string[] = [];
    const testbed = setUp(slow(log), { drainMs });
    wait = (ms) => new Promise((resolve) => void testbed.clock.schedule(resolve, ms));
    testbed.controller.enqueue('a');
    const done = testbed.start();
    return { ...testbed, log, done };
  };

  test('is completed, and nothing new is started', async () => {
    const { clock, controller, abort, log, done, runs } = open(10_000);
    await clock.advance(1_000);
    abort.abort();
    controller.enqueue('b');
    await clock.advance(3_999);
    expect(log).toEqual([]);
    await clock.advance(1);
    await done;
    expect(log).toEqual(['a done']);
    expect(runs).toHaveLength(1);
  });

  test('is aborted if it takes too long', async () => {
    const { clock, abort, log, done } = open(2_000);
    await clock.advance(1_000);
    abort.abort();
    await clock.advance(2_000);
    await done;
    expect(log).toEqual(['a cut']);
  });

  test('is aborted at once if the Lease is lost', async () => {
    const { clock, abort, log, done } = open(10_000);
    await clock.advance(1_000);
    abort.abort(new VdoError({ code: 'LeaseLost', message: 'm', remedy: 'r' }));
    await done;
    expect(log).toEqual(['a cut']);
  });
});

describe('keys', () => {
  test('a key that finds the Lease lost before the end of the term is processed again', async () => {
    let fails = true;
    const { clock, controller, runs, start } = setUp(() => (fails ? failing('LeaseLost')() : nothing()));
    controller.enqueue('a');
    void start();
    await clock.advance(0);
    fails = false;
    await clock.advance(60_000);
    expect(runs).toHaveLength(2);
  });

  test('keys that are enqueued before the start are processed, and several changes cause one run', async () => {
    const { clock, controller, runs, start } = setUp(nothing);
    for (const key of ['a', 'b', 'a', 'a']) controller.enqueue(key);
    void start();
    await clock.advance(0);
    expect(runs).toEqual(['a@0', 'b@0']);
  });

  test('a key is never processed twice at the same time, and a change meanwhile causes one more run', async () => {
    let active = 0;
    let most = 0;
    const { clock, controller, runs, start } = setUp(
      async () => {
        active += 1;
        most = Math.max(most, active);
        await new Promise<void>((resolve) => clock.schedule(resolve, 100));
        active -= 1;
        return {};
      },
      { workers: 4 },
    );
    void start();
    controller.enqueue('a');
    await clock.advance(50);
    controller.enqueue('a');
    controller.enqueue('a');
    await clock.advance(1_000);
    expect(runs).toEqual(['a@0', 'a@100']);
    expect(most).toBe(1);
  });

  test('as many keys as there are workers are processed at the same time', async () => {
    const { clock, controller, runs, start } = setUp(
      () => new Promise((resolve) => clock.schedule(() => resolve({}), 100)),
      { workers: 2 },
    );
    void start();
    for (const key of ['a', 'b', 'c']) controller.enqueue(key);
    await clock.advance(250);
    expect(runs).toEqual(['a@0', 'b@0', 'c@100']);
  });

  test('waits for a delay, and the earlier of two delays counts', async () => {
    const { clock, controller, runs, start } = setUp(nothing);
    void start();
    controller.enqueue('a', { afterMs: 500 });
    controller.enqueue('a', { afterMs: 200 });
    controller.enqueue('a', { afterMs: 900 });
    await clock.advance(2_000);
    expect(runs).toEqual(['a@200']);
  });

  test('runs again as a result requests, counted from the last run', async () => {
    const { clock, controller, runs, start } = setUp(async () => ({ requeueAfterMs: 1_000 }));
    void start();
    controller.enqueue('a');
    await clock.advance(600);
    controller.enqueue('a');
    await clock.advance(1_500);
    expect(runs).toEqual(['a@0', 'a@600', 'a@1600']);
  });

  test('many keys that never wait for I/O let the event loop serve others in between', async () => {
    const { clock, controller, runs, start } = setUp(nothing, { workers: 5 });
    for (let i = 0; i < 1_000; i++) controller.enqueue(`k${i}`);
    void start();
    const seen: number[] = [];
    const observe = () => {
      seen.push(runs.length);
      if (runs.length < 1_000) setImmediate(observe);
    };
    setImmediate(observe);
    for (let i = 0; i < 20; i++) await clock.advance(0);
    expect(runs).toHaveLength(1_000);
    const inOneTurn = seen.map((count, i) => count - (seen[i - 1] ?? 0));
    expect(Math.max(...inOneTurn)).toBeLessThanOrEqual(100);
  });

  test('processes changes before retries, but does not starve the retries', async () => {
    const { clock, controller, runs, start } = setUp(nothing);
    controller.enqueue('again', { afterMs: 10 });
    await clock.advance(20);
    for (let i = 0; i < 12; i++) controller.enqueue(`change${i}`);
    void start();
    await clock.advance(0);
    expect(runs.findIndex((run) => run.startsWith('again'))).toBe(8);
  });
});

describe('failures', () => {
  test('are retried with growing pauses until they succeed, which resets the pauses', async () => {
    let left = 4;
    const { clock, controller, runs, start } = setUp(async () => {
      if (left-- > 0) throw new Error('boom');
      return {};
    });
    void start();
    controller.enqueue('a');
    await clock.advance(60_000);
    expect(runs).toHaveLength(5);
    const at = runs.map((run) => Number(run.slice(2)));
    const pauses = at.slice(1).map((ms, i) => ms - (at[i] ?? 0));
    expect([...pauses].sort((x, y) => x - y)).toEqual(pauses);
    left = 1;
    controller.enqueue('a');
    await clock.advance(300);
    expect(runs).toHaveLength(7);
  });

  test('with advice never wait for a change, with retries at intervals that double up to an hour', async () => {
    const { clock, controller, runs, start } = setUp(failing('KubeInvalid'));
    controller.enqueue('a');
    void start();
    await clock.advance(5 * 3_600_000);
    const times = runs.map((run) => Number(run.split('@')[1]) / 60_000);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    for (const [index, least] of [5, 10, 20, 40, 60].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(least);
      expect(pauses[index]).toBeLessThanOrEqual(least * 1.25);
    }
    controller.enqueue('a');
    await clock.advance(0);
    expect(runs.at(-1)).toBe(`a@${5 * 3_600_000}`);
  });

  test('with advice never are forgotten when the key succeeds', async () => {
    let fails = true;
    const { clock, controller, runs, start } = setUp(() => (fails ? failing('KubeInvalid')() : nothing()));
    controller.enqueue('a');
    void start();
    await clock.advance(60 * 60_000);
    fails = false;
    await clock.advance(60 * 60_000);
    const passed = runs.length;
    fails = true;
    controller.enqueue('a');
    await clock.advance(7 * 60_000);
    expect(runs).toHaveLength(passed + 2);
  });

  test.each(['KubeForbidden', 'KubeUnauthorized'] as const)(
    '%s are looked at again within seconds: a server that starts refuses what it allows later; and less and less often',
    async (code) => {
      const { clock, controller, runs, start } = setUp(failing(code));
      void start();
      controller.enqueue('a');
      await clock.advance(15_000);
      expect(runs.length).toBeGreaterThanOrEqual(3);
      await clock.advance(30 * 60_000);
      const soon = runs.length;
      expect(soon).toBeLessThanOrEqual(20);
      await clock.advance(60 * 60_000);
      expect(runs.length - soon).toBeLessThanOrEqual(24);
      expect(runs.length - soon).toBeGreaterThanOrEqual(9);
    },
  );

  test('that a person must fix wait for a change, with a retry every five to six minutes', async () => {
    const { clock, controller, runs, start } = setUp(failing('SecretMissing'));
    void start();
    controller.enqueue('a');
    await clock.advance(299_000);
    expect(runs).toHaveLength(1);
    await clock.advance(80_000);
    expect(runs).toHaveLength(2);
  });

  test('of a thousand keys do not become a thousand attempts at once', async () => {
    const { clock, controller, runs, start } = setUp(failing('KubeUnreachable'), { workers: 50 });
    for (let i = 0; i < 1_000; i++) controller.enqueue(`k${i}`);
    void start();
    await clock.advance(10_000);
    expect(runs.length).toBeGreaterThan(1_100);
    expect(runs.length).toBeLessThan(1_250);
  });
});

describe('the end', () => {
  test('waits for work in progress, which is aborted, and starts nothing new', async () => {
    let finished = false;
    const { clock, controller, runs, start, abort } = setUp(async (_, { signal }) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => clock.schedule(resolve, 100)));
      finished = true;
      return {};
    });
    const done = start();
    controller.enqueue('a');
    controller.enqueue('b');
    await clock.advance(10);
    abort.abort();
    await clock.advance(100);
    await done;
    expect(finished).toBe(true);
    expect(runs).toEqual(['a@0']);
    expect(clock.pending()).toBe(0);
  });

  test('cancels scheduled work', async () => {
    const { clock, controller, start, abort } = setUp(async () => ({ requeueAfterMs: 1_000 }));
    const done = start();
    controller.enqueue('a');
    controller.enqueue('b', { afterMs: 5_000 });
    await clock.advance(0);
    abort.abort();
    await done;
    expect(clock.pending()).toBe(0);
  });
});

describe('run a second time', () => {
  const again = async (controller: Controller) => {
    const term = new AbortController();
    const done = controller.run(term.signal);
    stops.push(() => {
      term.abort();
      return done;
    });
  };

  test('processes what was in progress, what was scheduled and what changed meanwhile', async () => {
    let ended = false;
    const { clock, controller, runs, start, abort } = setUp(async (key, { signal }) => {
      if (key !== 'cut' || ended) return key === 'later' ? { requeueAfterMs: 60_000 } : {};
      ended = true;
      await aborted(signal);
      throw signal.reason;
    });
    const done = start();
    controller.enqueue('later');
    await clock.advance(0);
    controller.enqueue('cut');
    await clock.advance(10);
    abort.abort();
    await done;
    controller.enqueue('meanwhile', { afterMs: 100 });
    expect(clock.pending()).toBe(0);
    await clock.advance(1_000);
    await again(controller);
    await clock.advance(0);
    expect(runs.slice(2).sort()).toEqual(['cut@1010', 'later@1010', 'meanwhile@1010']);
  });
});

test('every run has its own ID and is counted with its result', async () => {
  const metrics = createMetrics();
  const ids = new Set<string>();
  const { clock, controller, start } = setUp(
    async (key, { reconcileId }) => {
      ids.add(reconcileId);
      if (key === 'bad') throw new VdoError({ code: 'ConfigInvalid', message: 'm', remedy: 'r' });
      return {};
    },
    { metrics },
  );
  void start();
  controller.enqueue('good');
  controller.enqueue('bad');
  await clock.advance(0);
  expect(ids.size).toBe(2);
  const { body } = await metrics.expose();
  expect(body).toContain('vdo_controller_reconciles_total{controller="test",result="done"} 1');
  expect(body).toContain('vdo_controller_reconciles_total{controller="test",result="terminal"} 1');
  expect(body).toContain('vdo_controller_queue_depth{controller="test"} 0');
});

describe('questions', () => {
  const asking = (question: () => string | undefined, reconcile: Reconcile) =>
    setUp(reconcile, { questionOf: question, backoff: { initialMs: 1_000, maxMs: 60_000 } });

  test('a change does not shorten the wait of a question that failed, nor does a run with another one', async () => {
    let question: string | undefined = 'a';
    const { clock, controller, runs, start } = asking(
      () => question,
      () => (question === 'a' ? failing('DatastoreFull')() : nothing()),
    );
    controller.enqueue('k');
    void start();
    for (let step = 0; step < 600; step++) {
      question = 'none';
      controller.enqueue('k');
      await clock.advance(50);
      question = 'a';
      controller.enqueue('k');
      await clock.advance(50);
    }
    const failed = runs.length - 600;
    expect(failed).toBeGreaterThanOrEqual(5);
    expect(failed).toBeLessThanOrEqual(8);
  });

  test('a changed question is asked at once, and one that no longer exists is forgotten', async () => {
    let question: string | undefined = 'a';
    const { clock, controller, runs, start } = asking(() => question, failing('DatastoreFull'));
    controller.enqueue('k');
    void start();
    await clock.advance(60_000);
    const before = runs.length;
    question = 'b';
    controller.enqueue('k');
    await clock.advance(0);
    expect(runs).toHaveLength(before + 1);
    question = undefined;
    controller.enqueue('k');
    await clock.advance(0);
    question = 'a';
    controller.enqueue('k');
    await clock.advance(0);
    expect(runs).toHaveLength(before + 3);
  });

  test('two writers that met do not wait for each other', async () => {
    const { clock, controller, runs, start } = asking(() => 'a', failing('KubeConflict'));
    controller.enqueue('k');
    void start();
    await clock.advance(0);
    controller.enqueue('k');
    await clock.advance(0);
    expect(runs).toHaveLength(2);
  });
});
