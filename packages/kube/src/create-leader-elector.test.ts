import { type Clock, sleep } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, test } from 'vitest';
import { createLeaderElector, type LeaderElectorOptions } from './create-leader-elector.ts';
import type { LeaderElector } from './leader-election.ts';
import { createLeaseServer, type LeaseClientOptions, type LeaseServer } from './testing/lease-server.ts';
import { createPausableClock } from './testing/pausable-clock.ts';
import type { Lease } from './types/cluster.ts';

const lease = { namespace: 'kube-system', name: 'external-attacher-leader-csi-vsphere-vmware-com' };
const foreign = (holderIdentity: string, spec: Lease['spec'] = {}): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: lease,
  spec: {
    holderIdentity,
    leaseDurationSeconds: 15,
    leaseTransitions: 4,
    renewTime: '2020-01-01T00:00:00.000000Z',
    ...spec,
  },
});

interface Candidate {
  readonly elector: LeaderElector;
  readonly terms: () => number;
  readonly working: () => boolean;
  stop(): Promise<void>;
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });

const compete = (
  server: LeaseServer,
  identity: string,
  clock: Clock,
  options: Partial<LeaderElectorOptions> & {
    readonly trouble?: LeaseClientOptions['trouble'];
    readonly latencyMs?: () => number;
    readonly work?: (signal: AbortSignal) => Promise<void>;
  } = {},
): Candidate => {
  const { trouble, latencyMs, work = untilAborted, ...rest } = options;
  const client = server.client({ clock, ...(trouble && { trouble }), ...(latencyMs && { latencyMs }) });
  const random = createSeededRandom(identity.length);
  const elector = createLeaderElector({ client, lease, identity, clock, random, logger: silentLogger, ...rest });
  const stop = new AbortController();
  let terms = 0;
  let working = false;
  const done = elector.run(stop.signal, async (signal) => {
    terms += 1;
    working = true;
    try {
      await work(signal);
    } finally {
      working = false;
    }
  });
  const end = async () => {
    stop.abort();
    await done;
  };
  return { elector, terms: () => terms, working: () => working, stop: end };
};

describe('what a holder records about the end of its term', () => {
  const settledKey = 'example.com/settled-term';
  /** What the next holder learns about the previous one. */
  const inherited = async (before: Lease): Promise<boolean | undefined> => {
    const clock = createVirtualClock();
    const server = createLeaseServer();
    server.set(before);
    const client = server.client({ clock });
    const parts = { client, lease, identity: 'next', clock, random: createSeededRandom(1), logger: silentLogger };
    const stop = new AbortController();
    let reported: boolean | undefined;
    const running = createLeaderElector({ ...parts, settledKey }).run(stop.signal, async (_signal, term) => {
      reported = term.inheritsSettled;
    });
    await clock.advance(30_000);
    stop.abort();
    await running;
    return reported;
  };
  const saying = (term: string, holder = ''): Lease => {
    const object = foreign(holder);
    return { ...object, metadata: { ...object.metadata, annotations: { [settledKey]: term } } };
  };

  test('counts for the next holder', async () => {
    expect(await inherited(saying('4'))).toBe(true);
  });

  test.each([
    ['somebody has held it since who says nothing, and left the annotation', saying('3')],
    ['the one who said it holds it again, and has not given it back', saying('4', 'crashed')],
    ['nobody ever said so', foreign('')],
  ])('does not count when %s', async (_name, before) => {
    expect(await inherited(before)).toBe(false);
  });

  test('is written if the work ended in this way, and not otherwise', async () => {
    for (const end of ['settled', undefined] as const) {
      const clock = createVirtualClock();
      const server = createLeaseServer();
      server.set(foreign(''));
      const parts = { client: server.client({ clock }), lease, identity: 'one', clock, logger: silentLogger };
      const random = createSeededRandom(1);
      await createLeaderElector({ ...parts, random, settledKey }).run(new AbortController().signal, async () => end);
      const { metadata, spec } = server.current() ?? {};
      expect(spec?.holderIdentity).toBe('');
      expect(metadata?.annotations?.[settledKey]).toBe(end && String(spec?.leaseTransitions));
    }
  });
});

describe('a Lease', () => {
  test('that does not exist is created with the fields of client-go', async () => {
    const clock = createVirtualClock();
    const server = createLeaseServer();
    const one = compete(server, 'one', clock);
    await clock.advance(10);
    expect(server.current()).toMatchObject({
      metadata: lease,
      spec: {
        holderIdentity: 'one',
        leaseDurationSeconds: 15,
        acquireTime: '2026-01-01T00:00:00.000000Z',
        renewTime: '2026-01-01T00:00:00.000000Z',
        leaseTransitions: 0,
      },
    });
    expect(one.elector.isLeading()).toBe(true);
    expect(one.working()).toBe(true);
    await one.stop();
  });

  test('is renewed every two seconds and keeps the start of its term', async () => {
    const clock = createVirtualClock();
    const server = createLeaseServer();
    const one = compete(server, 'one', clock);
    await clock.advance(60_000);
    expect(server.current()?.spec).toMatchObject({ acquireTime: '2026-01-01T00:00:00.000000Z', leaseTransitions: 0 });
    expect(Date.parse(server.current()?.spec?.renewTime ?? '')).toBeGreaterThan(clock.now() - 2_100);
    expect(one.terms()).toBe(1);
    await one.stop();
  });

  test('of a silent holder is taken over after its duration by our clock, whatever times it contains', async () => {
    const clock = createVirtualClock();
    const server = createLeaseServer();
    server.set(foreign('go-process'));
    const one = compete(server, 'one', clock);
    await clock.advance(14_900);
    expect(one.elector.isLeading()).toBe(false);
    await clock.advance(5_000);
    expect(one.elector.isLeading()).toBe(true);
    expect(server.current()?.spec).toMatchObject({ holderIdentity: 'one', leaseTransitions: 5 });
    await one.stop();
  });

  test('of a holder that renews is left alone', async () => {
    const clock = createVirtualClock();
    const server = createLeaseServer();
    const one = compete(server, 'one', clock);
    for (let second = 0; second < 120; second += 5) {
      server.set(
        foreign('go-process', { renewTime: `2026-01-01T00:00:${String(second % 60).padStart(2, '0')}.000000Z` }),
      );
      await clock.advance(5_000);
    }
    expect(one.terms()).toBe(0);
    await one.stop();
  });

  test.each([
    ['given back', '', 5],
    ['of an earlier run of the same identity', 'one', 4],
  ])('%s is taken at once', async (_, holder, transitions) => {
    const clock = createVirtualClock();
    const server = createLeaseServer();
    server.set(foreign(holder));
    const one = compete(server, 'one', clock);
    await clock.advance(10);
    expect(server.current()?.spec).toMatchObject({ holderIdentity: 'one', leaseTransitions: transitions });
    await one.stop();
  });

  test('that is deleted or edited while held is written again without losing the term', async () => {
    const clock = createVirtualClock();
    const server = createLeaseServer();
    const one = compete(server, 'one', clock);
    await clock.advance(10);
    server.set(undefined);
    await clock.advance(5_000);
    const current = server.current();
    server.set(current && { ...current, metadata: { ...current.metadata, labels: { edited: 'yes' } } });
    await clock.advance(5_000);
    expect(server.current()).toMatchObject({
      metadata: { labels: { edited: 'yes' } },
      spec: { holderIdentity: 'one' },
    });
    expect(one.terms()).toBe(1);
    await one.stop();
  });
});

// Found by `npm run simulate -- --operator --replay 104`: somebody deletes the Lease, the other one finds none, and two lead.
describe('a Lease that is deleted while somebody holds it', () => {
  const deletedAfter = async (ms: number, cut = false) => {
    const clock = createVirtualClock();
    const server = createLeaseServer();
    let isCut = false;
    const one = compete(server, 'one', clock, { trouble: () => (isCut ? 'before' : undefined) });
    const two = compete(server, 'two', clock);
    await clock.advance(20_000 + ms);
    expect([one.working(), two.working()]).toEqual([true, false]);
    isCut = cut;
    server.set(undefined);
    let both = 0;
    for (let step = 0; step < 400; step++) {
      await clock.advance(100);
      if (one.elector.isLeading() && two.elector.isLeading()) both += 1;
    }
    const working = [one.working(), two.working()];
    isCut = false;
    await Promise.all([one.stop(), two.stop()]);
    return { both, working };
  };
  const moments = Array.from({ length: 20 }, (_, index) => index * 200);

  test.each(moments)('is not free for who has seen its holder: after %i ms', async (ms) => {
    expect(await deletedAfter(ms)).toEqual({ both: 0, working: [true, false] });
  });

  test.each(moments.slice(0, 5))('is another’s once that holder has had his time: after %i ms', async (ms) => {
    expect(await deletedAfter(ms, true)).toEqual({ both: 0, working: [false, true] });
  });
});

describe('the end of a term', () => {
  test('ends when the Lease could not be renewed for ten seconds, before another process can take it', async () => {
    const clock = createVirtualClock();
    const server = createLeaseServer();
    let cut = false;
    const one = compete(server, 'one', clock, { trouble: () => (cut ? 'before' : undefined) });
    const two = compete(server, 'two', clock);
    await clock.advance(5_000);
    expect([one.working(), two.working()]).toEqual([true, false]);
    cut = true;
    await clock.advance(10_100);
    expect([one.working(), two.working()]).toEqual([false, false]);
    expect(() => one.elector.assertHeld()).toThrow(expect.objectContaining({ code: 'LeaseLost' }));
    await clock.advance(10_000);
    expect([one.working(), two.working()]).toEqual([false, true]);
    cut = false;
    await clock.advance(10_000);
    await two.stop();
    await clock.advance(5_000);
    expect(one.terms()).toBe(2);
    await one.stop();
  });

  test('ends at once when another process has taken the Lease', async () => {
    const clock = createVirtualClock();
    const server = createLeaseServer();
    const one = compete(server, 'one', clock);
    await clock.advance(10);
    server.set(foreign('thief'));
    await clock.advance(2_100);
    expect(one.working()).toBe(false);
    await one.stop();
  });

  test('no other term starts before the work of the first has ended', async () => {
    const clock = createVirtualClock();
    const server = createLeaseServer();
    const one = compete(server, 'one', clock, {
      work: async (signal) => {
        await untilAborted(signal).catch(() => {});
        await sleep(clock, 60_000);
      },
    });
    await clock.advance(10);
    server.set(foreign('thief', { leaseDurationSeconds: 1 }));
    await clock.advance(30_000);
    expect(one.terms()).toBe(1);
    expect(one.elector.isLeading()).toBe(false);
    await clock.advance(60_000);
    expect(one.terms()).toBe(2);
    const ended = one.stop();
    await clock.advance(60_000);
    await ended;
  });

  test('a stop keeps the Lease until the work has ended, and then releases it', async () => {
    const clock = createVirtualClock();
    const server = createLeaseServer();
    const one = compete(server, 'one', clock, {
      work: async (signal) => {
        await untilAborted(signal).catch(() => {});
        await sleep(clock, 30_000);
      },
    });
    const two = compete(server, 'two', clock);
    await clock.advance(10);
    const ended = one.stop();
    await clock.advance(29_000);
    expect([one.working(), two.working()]).toEqual([true, false]);
    await clock.advance(1_100);
    await ended;
    expect(server.current()?.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
    await clock.advance(5_000);
    expect(two.working()).toBe(true);
    await two.stop();
  });

  test('work that fails ends the election with its error and releases the Lease', async () => {
    const clock = createVirtualClock();
    const server = createLeaseServer();
    const client = server.client();
    const random = createSeededRandom(1);
    const elector = createLeaderElector({ client, lease, identity: 'one', clock, random, logger: silentLogger });
    const done = elector.run(new AbortController().signal, () => Promise.reject(new Error('defect')));
    await expect(done).rejects.toThrow('defect');
    expect(server.current()?.spec?.holderIdentity).toBe('');
  });

  test('without releaseOnExit the Lease expires', async () => {
    const clock = createVirtualClock();
    const server = createLeaseServer();
    const one = compete(server, 'one', clock, { releaseOnExit: false });
    await clock.advance(10);
    await one.stop();
    expect(server.current()?.spec?.holderIdentity).toBe('one');
  });
});

describe('the fence', () => {
  test('refuses in a process that was stopped for longer than its Lease and continues', async () => {
    const clock = createVirtualClock();
    const server = createLeaseServer();
    const stoppable = createPausableClock(clock);
    const one = compete(server, 'one', stoppable);
    await clock.advance(3_000);
    expect(() => one.elector.assertHeld()).not.toThrow();
    stoppable.pause();
    await clock.advance(10_000);
    // Not a timer of the stopped process has fired yet, and still it must not act.
    expect(() => one.elector.assertHeld()).toThrow('no longer holds');
    expect(one.elector.isLeading()).toBe(false);
    stoppable.resume();
    await clock.advance(10);
    await one.stop();
  });

  test('is closed for a suspended machine, whose monotonic clock stood still', async () => {
    const clock = createVirtualClock();
    const server = createLeaseServer();
    let asleepMs = 0;
    const machine: Clock = { ...clock, now: () => clock.now() + asleepMs };
    const one = compete(server, 'one', machine);
    await clock.advance(3_000);
    asleepMs = 20_000;
    expect(() => one.elector.assertHeld()).toThrow('no longer holds');
    await one.stop();
  });
});

describe('never two leaders, whatever fails', () => {
  const seeds = Array.from({ length: 200 }, (_, seed) => seed + 1);
  test.each(seeds)('seed %i', async (seed) => {
    const random = createSeededRandom(seed);
    const clock = createVirtualClock();
    const server = createLeaseServer();
    const faultRate = random.next() * 0.5;
    const slowRate = random.next() * 0.2;
    const processes = ['a', 'b', 'c'].map((name) => {
      const own = createPausableClock(clock, (random.next() - 0.5) * 3_600_000);
      const trouble = () => (random.next() < faultRate ? (random.next() < 0.5 ? 'before' : 'after') : undefined);
      const latencyMs = () => (random.next() < slowRate ? random.next() * 20_000 : random.next() * 50);
      return { own, ...compete(server, name, own, { trouble, latencyMs }) };
    });
    const acting = () => processes.filter(({ elector }) => elector.isLeading()).length;
    let led = 0;
    for (let step = 0; step < 300; step++) {
      const process = processes[Math.floor(random.next() * 3)];
      if (random.next() < 0.03) process?.own.pause();
      if (random.next() < 0.1) process?.own.resume();
      // By then each has seen who holds it: a process that starts in such a moment cannot know of anybody.
      if (step > 60 && random.next() < 0.01) server.set(undefined);
      await clock.advance(random.next() * 2_000);
      expect(acting()).toBeLessThanOrEqual(1);
      led += acting();
    }
    expect(led).toBeGreaterThan(10);
    for (const { own } of processes) own.resume();
    const ended = Promise.all(processes.map(({ stop }) => stop()));
    await clock.advance(60_000);
    await ended;
  });
});

test.each([
  [{ leaseDurationMs: 10_000 }, 'leaseDurationMs'],
  [{ renewDeadlineMs: 2_000 }, 'renewDeadlineMs'],
  [{ identity: '' }, 'identity'],
])('settings that cannot work are refused: %j', (options, named) => {
  const clock = createVirtualClock();
  const client = createLeaseServer().client();
  const random = createSeededRandom(1);
  const common = { client, lease, identity: 'one', clock, random, logger: silentLogger };
  expect(() => createLeaderElector({ ...common, ...options })).toThrow(named);
});
