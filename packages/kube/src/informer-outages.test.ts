import { HttpFailure } from '@vdo/base/http-failure';
import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { afterEach, describe, expect, test } from 'vitest';
import { createKubeClient } from './create-client.ts';
import { createInformer } from './create-informer.ts';
import { createSharedBackoff } from './shared-backoff.ts';
import { createModelServer, type RequestFault } from './testing/model-server.ts';
import { configMaps } from './types/core.ts';

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

/** An informer of a program that limits the rate of its watches, as the operator does. */
const setUp = async (informers = 1) => {
  const clock = createVirtualClock();
  const random = createSeededRandom(1);
  const server = createModelServer(() => new HttpFailure('refused', 'connect ECONNREFUSED'), clock);
  let requests = 0;
  let fault: () => RequestFault = () => undefined;
  server.faults(() => {
    requests += 1;
    return fault();
  });
  const backoff = createSharedBackoff({ clock, random, watchEveryMs: () => 60_000 });
  const client = createKubeClient({ transport: server.transport, clock });
  const common = { client, resource: configMaps, clock, random, logger: silentLogger, backoff };
  const informer = createInformer(common);
  const more = Array.from({ length: informers - 1 }, () => createInformer(common));
  const stop = new AbortController();
  const done = Promise.all([informer, ...more].map((one) => one.run(stop.signal)));
  running.push(async () => {
    stop.abort();
    await done;
  });
  await clock.advance(0);
  /** The server stops, is down, and comes back. */
  const restart = async (ms: number): Promise<void> => {
    fault = () => 'refused';
    server.dropWatches();
    await clock.advance(ms);
    fault = () => undefined;
  };
  const value = (name: string) => informer.get(`a/${name}`)?.data?.['value'];
  const others = (name: string) => more.map((one) => one.get(`a/${name}`)?.data?.['value']);
  return {
    clock,
    server,
    restart,
    value,
    others,
    requests: () => requests,
    setFault: (next: typeof fault) => (fault = next),
  };
};

// Issue 17.
describe('an informer that limits the rate of its watches', () => {
  test('sees a change within seconds after each of several restarts of the server in a row', async () => {
    const { clock, server, restart, value } = await setUp();
    for (const round of ['1', '2', '3', '4', '5', '6']) {
      await restart(15_000);
      // A change during the outage, and a change after it.
      await clock.advance(25_000);
      server.put('x', round);
      await clock.advance(5_000);
      expect(value('x')).toBe(round);
    }
  });

  test('sees a change soon after the server has come and gone several times while it started', async () => {
    const { clock, server, restart, value } = await setUp();
    // Each time the informer follows the server again before the next outage.
    for (let times = 0; times < 6; times++) {
      await restart(500);
      await clock.advance(3_000);
      server.dropWatches({ midLine: true });
      await clock.advance(1_500);
    }
    await clock.advance(30_000);
    server.put('x', '1');
    await clock.advance(5_000);
    expect(value('x')).toBe('1');
  });

  test('lists after a pause: the server may have been restored from a backup in it', async () => {
    const { clock, server, value } = await setUp();
    server.put('x', 'old');
    const backup = server.version();
    for (let times = 0; times < 12; times++) {
      server.put('x', `new ${times}`);
      await clock.advance(1_200);
      server.dropWatches();
    }
    expect(server.watches()).toBe(0);
    server.restore(backup);
    await clock.advance(61_000);
    expect(value('x')).toBe('old');
    server.put('x', 'after');
    await clock.advance(1_000);
    expect(value('x')).toBe('after');
  });

  test.each([
    ['broken', { midLine: true }],
    ['ended', {}],
  ] as const)('lists if the server was restored from a backup while its stream was %s', async (_, how) => {
    const { clock, server, value } = await setUp();
    server.put('x', 'old');
    const backup = server.version();
    for (let times = 0; times < 5; times++) server.put('x', `new ${times}`);
    await clock.advance(1_000);
    // The server is back before this informer asks again.
    server.restore(backup);
    server.dropWatches(how);
    await clock.advance(10_000);
    expect(value('x')).toBe('old');
    server.put('x', 'after');
    await clock.advance(1_000);
    expect(value('x')).toBe('after');
  });

  test('lists if another found the server away, and it has passed the known version since', async () => {
    const { clock, server, value, others, setFault } = await setUp(6);
    server.put('x', 'old');
    const backup = server.version();
    for (let times = 0; times < 5; times++) server.put('x', `new ${times}`);
    await clock.advance(1_000);
    // Some of them ask during the outage; the others wait for their turn.
    setFault(() => 'refused');
    server.dropWatches({ midLine: true });
    await clock.advance(1_000);
    setFault(() => undefined);
    server.restore(backup);
    for (let times = 0; times < 20; times++) server.put('y', `${times}`);
    await clock.advance(60_000);
    expect([value('x'), ...others('x')]).toEqual(Array.from({ length: 6 }, () => 'old'));
  });

  test.each(['error-500', 'throttled'] as const)(
    'lists if the server was restored from a backup while somebody before it answered %s',
    async (answer) => {
      const { clock, server, value, setFault } = await setUp();
      server.put('x', 'old');
      const backup = server.version();
      for (let times = 0; times < 5; times++) server.put('x', `new ${times}`);
      await clock.advance(1_000);
      let answers = 2;
      setFault(() => (answers-- > 0 ? answer : undefined));
      server.restore(backup);
      server.dropWatches();
      await clock.advance(15_000);
      expect(value('x')).toBe('old');
    },
  );

  test('continues without a list after a stream that merely broke', async () => {
    const { clock, server, value, requests } = await setUp();
    server.put('x', '1');
    await clock.advance(170_000);
    server.put('x', '2');
    await clock.advance(1_000);
    const before = requests();
    server.dropWatches({ midLine: true });
    await clock.advance(500);
    server.put('x', '3');
    await clock.advance(10_000);
    expect(value('x')).toBe('3');
    expect(server.watches()).toBe(1);
    // The watch that asks for the server's version, and the one that stays.
    expect(requests() - before).toBe(2);
  });

  test('asks no more than twice a minute on average if every watch is cut after two seconds', async () => {
    const { clock, server, requests } = await setUp();
    const live = async (minutes: number) => {
      for (let second = 0; second < minutes * 60; second += 2) {
        await clock.advance(2_000);
        server.dropWatches();
      }
    };
    await live(5);
    const before = requests();
    await live(60);
    expect(requests() - before).toBeLessThanOrEqual(2 * 60 + 2);
  });

  test.each(['error-500', 'throttled'] as const)(
    'asks no more than four times a minute if lists succeed and watches are answered with %s',
    async (answer) => {
      const { clock, server, requests, setFault } = await setUp();
      // Lists and watches alternate.
      let isWatch = true;
      setFault(() => {
        isWatch = !isWatch;
        return isWatch ? undefined : answer;
      });
      server.dropWatches();
      await clock.advance(10 * 60_000);
      const before = requests();
      await clock.advance(60 * 60_000);
      expect(requests() - before).toBeLessThanOrEqual(4 * 60);
    },
  );
});
